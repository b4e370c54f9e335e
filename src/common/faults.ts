import { Injectable } from '@nestjs/common';

import { errorMessage } from './errors.js';
import { loggerFor } from './logger.js';

const log = loggerFor('plugins');

/** The last thing that went wrong in one plugin's code. */
export interface Fault {
  /** Where: `hook order.paid`, `operation p_x`, `timer or promise`. */
  readonly place: string;
  readonly message: string;
  readonly at: Date;
  /** How many there were since the plugin was activated. */
  readonly count: number;
}

/** Books what goes wrong in plugins' code under their slugs: the log and the plugin list name the culprit. */
@Injectable()
export class Faults {
  private readonly byOwner = new Map<string, Fault>();

  /** Logs and keeps a fault of `owner`. */
  report(owner: string, place: string, error: unknown): void {
    log.error({ err: error, plugin: owner, place }, 'a plugin failed');
    this.note(owner, place, error);
  }

  /** Keeps a fault of `owner` that is in the log already. */
  note(owner: string, place: string, error: unknown): void {
    const count = (this.byOwner.get(owner)?.count ?? 0) + 1;
    this.byOwner.set(owner, { place, message: errorMessage(error).slice(0, 500), at: new Date(), count });
  }

  /** The last fault of `owner`, if there was one. */
  last(owner: string): Fault | undefined {
    return this.byOwner.get(owner);
  }

  /** Forgets the faults of `owner`: it starts anew. */
  clear(owner: string): void {
    this.byOwner.delete(owner);
  }
}
