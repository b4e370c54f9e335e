import type { Panel } from './bootstrap.js';
import { loggerFor } from './common/index.js';

const log = loggerFor('panel');

/** How long requests and listeners under way may take once the process was told to end, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Ends the process in order on SIGTERM and SIGINT: what is under way finishes, nothing new begins. A second signal ends it at once. */
export function closeOnSignal(panel: Panel): void {
  let closing = false;
  const close = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(1);
    closing = true;
    log.info({ signal }, 'the panel ends');
    setTimeout(() => {
      log.warn('something did not finish in time; ending anyway');
      process.exit(1);
    }, PATIENCE_MS).unref();
    panel.close().then(
      () => process.exit(),
      (error: unknown) => {
        log.error({ err: error }, 'the panel did not end in order');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, close);
}
