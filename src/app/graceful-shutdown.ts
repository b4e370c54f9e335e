import { setTimeout as pause } from 'node:timers/promises';

import type { Panel } from './bootstrap.js';
import { loggerFor } from '../common/index.js';
import type { AppConfig } from '../config/index.js';

const log = loggerFor('panel');

/** Share of the time limit reserved for what follows the requests: plugins, deliveries, database. */
const RESERVE = 0.25;

/**
 * Shuts the process down gracefully on SIGTERM and SIGINT, with exit code 0 and within its time limit: `/readyz` first reports it to load
 * balancers, then no new work starts, and running work finishes or is aborted at the limit. A second signal exits immediately.
 */
export function closeOnSignal(
  panel: Panel,
  { shutdownDrainMs, shutdownLimitMs }: Pick<AppConfig, 'shutdownDrainMs' | 'shutdownLimitMs'>,
): void {
  let closing = false;
  const close = (signal: NodeJS.Signals): void => {
    if (closing) process.exit(1);
    closing = true;
    // Ctrl+C in a terminal: there is no load balancer to wait for.
    const drainMs = signal === 'SIGTERM' ? shutdownDrainMs : 0;
    log.info({ signal }, 'shutting down');
    setTimeout(() => {
      log.warn('shutdown timed out; exiting anyway');
      process.exit(0);
    }, shutdownLimitMs).unref();
    end(panel, drainMs, shutdownLimitMs * (1 - RESERVE) - drainMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'graceful shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, close);
}

async function end(panel: Panel, drainMs: number, patienceMs: number): Promise<void> {
  panel.announceEnd();
  await pause(drainMs);
  await panel.close(patienceMs);
}
