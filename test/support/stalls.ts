import { watchStalls } from '../../src/common/index.js';

/** Longer than any spec runs, in milliseconds. */
const DAY = { threshold: 86_400_000 };

let quiet: (() => Promise<void>) | undefined;

/**
 * Disables the stall detection of panels. Specs start and stop hundreds of panels in one process, which is blocked whenever it loads a
 * file; each panel would start a watchdog thread, which interrupts everything to read the stack at each stall. That took a fifth of the
 * time. Instead, one thread with a very high threshold serves all of them.
 */
export function overlookStalls(): void {
  quiet ??= watchStalls(() => undefined, DAY);
}

/**
 * Enables the stall detection of panels started from now on, as in production. Call {@link overlookStalls} after the last one has stopped.
 */
export async function watchForStalls(): Promise<void> {
  await quiet?.();
  quiet = undefined;
}
