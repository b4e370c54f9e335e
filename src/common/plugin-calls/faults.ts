import { EventEmitter } from 'node:events';

import { Injectable } from '@nestjs/common';

import { isDynamicImportError } from '../commonjs-code.js';
import { loggerFor } from '../logger.js';
import { isRefusedCall, PluginCallError } from './errors.js';
import { wordsOf, type Words } from '../words.js';

const log = loggerFor('plugins');

/** Maximum characters kept of an error message. */
const MAX_MESSAGE = 500;

/** The last error in a plugin's code. */
export interface Fault {
  /** Where: `hook order.paid`, `operation p_x`, `timer or promise`. */
  readonly place: string;
  readonly message: Words;
  readonly at: Date;
  /** Number of faults since the plugin was activated; 0 for one from before that. */
  readonly count: number;
}

/** A fault that affects the whole process: an uncaught error, or a blocked event loop. */
export type StrikeKind = 'crash' | 'stall';

/** One such fault. Several within a short time disable the plugin: docs/operating.md "Quarantine". */
export interface Strike {
  readonly owner: string;
  readonly kind: StrikeKind;
  readonly place: string;
  readonly error: unknown;
}

/** Events of {@link Faults}. */
interface FaultEvents {
  /** A strike, after it was logged. */
  strike: [Strike];
  /** The last fault of an owner changed or was cleared. */
  change: [owner: string];
}

/** Records the errors in plugins' code by slug, for the log and the plugin list. */
@Injectable()
export class Faults extends EventEmitter<FaultEvents> {
  private readonly byOwner = new Map<string, Fault>();
  private readonly counted = new WeakSet<object>();

  /** Logs and records a fault of `owner`. */
  report(owner: string, place: string, error: unknown): void {
    if (isRefusedCall(error)) return;
    log.error({ err: error, plugin: owner, place }, 'a plugin failed');
    this.note(owner, place, error);
  }

  /** Reports a fault of `owner` that affected the whole process; it counts towards the quarantine. */
  strike(owner: string, kind: StrikeKind, place: string, error: unknown): void {
    this.report(owner, place, error);
    // An error thrown into a plugin may come back uncaught: count it once.
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

  /** Records a fault of `owner` that is already logged. */
  note(owner: string, place: string, error: unknown): void {
    if (isRefusedCall(error)) return;
    const count = (this.byOwner.get(owner)?.count ?? 0) + 1;
    this.byOwner.set(owner, { place: exactPlace(error) ?? place, message: faultWords(error), at: new Date(), count });
    this.emit('change', owner);
  }

  /** Restores a fault from before this process. */
  restore(owner: string, fault: Fault): void {
    this.byOwner.set(owner, fault);
  }

  /** Resets the count when the owner starts; its last fault is kept. */
  startAnew(owner: string): void {
    const last = this.byOwner.get(owner);
    if (last) this.byOwner.set(owner, { ...last, count: 0 });
  }

  /** Returns the last fault of `owner`. */
  last(owner: string): Fault | undefined {
    return this.byOwner.get(owner);
  }

  /** Clears the faults of `owner` after somebody dealt with them. */
  clear(owner: string): void {
    if (this.byOwner.delete(owner)) this.emit('change', owner);
  }
}

/** The error of a call knows its place better than the caller, who may have made several calls. */
function exactPlace(error: unknown): string | undefined {
  return error instanceof PluginCallError ? String(error.params.place) : undefined;
}

/** Returns the error message, with advice where the engine's message would not help a plugin's author. */
function faultWords(error: unknown): Words {
  const words = isDynamicImportError(error) ? { key: 'common.plugin_dynamic_import' } : wordsOf(error);
  return typeof words === 'string' ? words.slice(0, MAX_MESSAGE) : words;
}
