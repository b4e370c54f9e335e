import { watchStalls } from '../../src/common/index.js';

/** Longer than any spec runs. */
const DAY = { threshold: 86_400_000 };

let quiet: (() => Promise<void>) | undefined;

/**
 * Panels of specs start and end by the hundred in one process, which stands still whenever it loads a file: each would start a thread that
 * watches for stalls, and halt everything to look at the stack as soon as there is one. That was a fifth of their work. One thread serves
 * all of them, and sees nothing.
 */
export function overlookStalls(): void {
  quiet ??= watchStalls(() => undefined, DAY);
}

/** From now on panels that start watch for stalls, as they do in the product. Once the last has ended, {@link overlookStalls} again. */
export async function watchForStalls(): Promise<void> {
  await quiet?.();
  quiet = undefined;
}
