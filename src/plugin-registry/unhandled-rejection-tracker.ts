import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { CORE_OWNER, Faults, currentOwner, loggerFor } from '../common/index.js';

import { PluginFolders } from './package/plugin-folders.js';

const log = loggerFor('process');

/**
 * Handles errors outside of any call: in timers and unawaited promises. A plugin's error is recorded as its fault and the panel continues;
 * an error of the panel ends the process, because its state is unknown.
 */
@Injectable()
export class UnhandledRejectionTracker implements OnApplicationShutdown {
  constructor(
    private readonly faults: Faults,
    private readonly folders: PluginFolders,
  ) {}

  /** Starts to listen to the process. */
  start(): void {
    process.on('uncaughtException', this.uncaught);
    process.on('unhandledRejection', this.unhandled);
  }

  onApplicationShutdown(): void {
    process.off('uncaughtException', this.uncaught);
    process.off('unhandledRejection', this.unhandled);
  }

  private readonly uncaught = (error: unknown): void => this.blame(error, 'a timer or event listener');
  private readonly unhandled = (error: unknown): void => this.blame(error, 'a promise nobody awaits');

  private blame(error: unknown, place: string): void {
    const owner = this.ownerOf(error);
    if (owner !== null) {
      this.faults.strike(owner, 'crash', place, error);
      return;
    }
    log.fatal({ err: error }, 'the panel itself failed; this process ends');
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }

  /** By the context it was thrown in; if Node has already left that (`queueMicrotask`), by the files of its stack. */
  private ownerOf(error: unknown): string | null {
    const owner = currentOwner();
    if (owner !== CORE_OWNER) return owner;
    try {
      return error instanceof Error ? this.folders.ownerOfStack(error.stack ?? '') : null;
    } catch {
      return null;
    }
  }
}
