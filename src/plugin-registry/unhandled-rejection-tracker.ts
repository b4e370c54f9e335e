import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { CORE_OWNER, Faults, currentOwner, loggerFor } from '../common/index.js';

import { PluginFolders } from './package/plugin-folders.js';

const log = loggerFor('process');

/**
 * What fails after everybody has returned: a timer, a promise nobody awaits. A plugin's is recorded as a fault of the plugin and the
 * panel serves on; one of the panel's own ends the process, because nobody knows what state it is in.
 */
@Injectable()
export class UnhandledRejectionTracker implements OnApplicationShutdown {
  constructor(
    private readonly faults: Faults,
    private readonly folders: PluginFolders,
  ) {}

  /** Begins to listen to the process. */
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

  /** By the context it was thrown in; where Node has left that already (`queueMicrotask`), by the files of its stack. */
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
