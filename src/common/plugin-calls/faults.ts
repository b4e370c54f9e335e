import { EventEmitter } from 'node:events';

import { Injectable } from '@nestjs/common';

import { isDynamicImportError } from '../commonjs-code.js';
import { loggerFor } from '../logger.js';
import { isRefusedCall, PluginCallError } from './errors.js';
import { wordsOf, type Words } from '../words.js';

const log = loggerFor('plugins');

/** Characters of an error's own words that are kept. */
const MAX_MESSAGE = 500;

/** The last thing that went wrong in one plugin's code. */
export interface Fault {
  /** Where: `hook order.paid`, `operation p_x`, `timer or promise`. */
  readonly place: string;
  readonly message: Words;
  readonly at: Date;
  /** How many there were since the plugin was activated; 0 for one from before that. */
  readonly count: number;
}

/** What a plugin does to the process as a whole: its code failed where nobody could catch it, or held up the event loop. */
export type StrikeKind = 'crash' | 'stall';

/** One such event. Several within a short time switch the plugin off: docs/operating.md "Quarantine". */
export interface Strike {
  readonly owner: string;
  readonly kind: StrikeKind;
  readonly place: string;
  readonly error: unknown;
}

/** What {@link Faults} tells. */
interface FaultEvents {
  /** A strike, after it was reported. */
  strike: [Strike];
  /** The last fault of an owner is another one, or gone. */
  change: [owner: string];
}

/** Records what goes wrong in plugins' code under their slugs: the log and the plugin list name the culprit. */
@Injectable()
export class Faults extends EventEmitter<FaultEvents> {
  private readonly byOwner = new Map<string, Fault>();
  private readonly counted = new WeakSet<object>();

  /** Logs and keeps a fault of `owner`. */
  report(owner: string, place: string, error: unknown): void {
    if (isRefusedCall(error)) return;
    log.error({ err: error, plugin: owner, place }, 'a plugin failed');
    this.note(owner, place, error);
  }

  /** Reports a fault of `owner` that concerned the whole process: it counts towards its quarantine. */
  strike(owner: string, kind: StrikeKind, place: string, error: unknown): void {
    this.report(owner, place, error);
    // What was thrown at a plugin comes back where nobody caught it: one strike, not two.
    if (typeof error === 'object' && error !== null) {
      if (this.counted.has(error)) return;
      this.counted.add(error);
    }
    try {
      this.emit('strike', { owner, kind, place, error });
    } catch (problem) {
      log.error({ err: problem, plugin: owner }, 'a strike could not be counted');
    }
  }

  /** Keeps a fault of `owner` that is in the log already. */
  note(owner: string, place: string, error: unknown): void {
    if (isRefusedCall(error)) return;
    const count = (this.byOwner.get(owner)?.count ?? 0) + 1;
    this.byOwner.set(owner, { place: exactPlace(error) ?? place, message: faultWords(error), at: new Date(), count });
    this.emit('change', owner);
  }

  /** Puts back a fault from before this process. */
  restore(owner: string, fault: Fault): void {
    this.byOwner.set(owner, fault);
  }

  /** The owner starts: its last fault stays known, and counting begins anew. */
  startAnew(owner: string): void {
    const last = this.byOwner.get(owner);
    if (last) this.byOwner.set(owner, { ...last, count: 0 });
  }

  /** The last fault of `owner`, if there was one. */
  last(owner: string): Fault | undefined {
    return this.byOwner.get(owner);
  }

  /** Forgets the faults of `owner`: somebody has seen to it. */
  clear(owner: string): void {
    if (this.byOwner.delete(owner)) this.emit('change', owner);
  }
}

/** A call that was not answered knows its place better than its caller, who may have made several. */
function exactPlace(error: unknown): string | undefined {
  return error instanceof PluginCallError ? String(error.params.place) : undefined;
}

/** What went wrong, and for what a plugin's author cannot know from the engine's words, what to do. */
function faultWords(error: unknown): Words {
  const words = isDynamicImportError(error) ? { key: 'common.plugin_dynamic_import' } : wordsOf(error);
  return typeof words === 'string' ? words.slice(0, MAX_MESSAGE) : words;
}
