import type { CallPlace } from '../common/index.js';

/** How a listener was added. */
export type ListenerKind = 'action' | 'filter';

/** A listener without its specific types. */
export type ListenerFunction = (...args: unknown[]) => unknown;

/** The owner of a listener and its position in the order. */
export interface ListenerRegistration {
  /** `core`, or the slug of the plugin. */
  owner: string;
  /** Whole number, lower runs earlier, 0 and negative allowed; 10 by default. */
  priority?: number;
  /** Deadline for a promise of this listener, in milliseconds; by default that of the hook's kind. */
  deadline?: number;
}

let newest = 0;

/** Sequence number of the most recent listener; later ones have higher numbers. */
export function newestListener(): number {
  return newest;
}

/** One listener of one hook. */
export class Listener {
  /** Increases with every listener: the order within one priority. */
  readonly sequence = ++newest;

  constructor(
    readonly owner: string,
    readonly priority: number,
    readonly kind: ListenerKind,
    readonly callback: ListenerFunction,
    /** Counters shared with the owner's other listeners of the hook. */
    readonly place: CallPlace,
    /** Deadline for its promise in milliseconds, if it differs from the hook's. */
    readonly deadline: number | undefined,
  ) {}

  /** Records a run that began at `started` (`performance.now()`) and ends now; returns the current time for the next one. */
  record(started: number): number {
    const now = performance.now();
    this.place.record(now - started);
    return now;
  }

  /** Returns whether this listener runs after `other`. */
  isBehind(other: Listener): boolean {
    return this.priority > other.priority || (this.priority === other.priority && this.sequence > other.sequence);
  }
}

/** After each change of a hook's listeners, so many runs are timed one by one, so that rarely fired hooks get figures as well. */
const TIMED_AFTER_CHANGE = 64;
/** After that, one run in this many is timed (a power of two). */
const SAMPLE_EVERY = 256;

/** A hook: its listeners in run order, and its number of runs. */
export class Hook {
  /** Never changed in place: a run detects changes by the identity of the array. */
  listeners: readonly Listener[] = [];
  runs = 0;
  private changedAtRun = 0;

  constructor(readonly name: string) {}

  /** Whether the current run, which is already counted, is timed. */
  get timed(): boolean {
    const run = this.runs - this.changedAtRun;
    return run <= TIMED_AFTER_CHANGE || (run & (SAMPLE_EVERY - 1)) === 0;
  }

  /** Inserts `listener` after all that have its priority or a lower one. */
  insert(listener: Listener): void {
    const at = this.listeners.findLastIndex((other) => other.priority <= listener.priority) + 1;
    this.change(this.listeners.toSpliced(at, 0, listener));
  }

  /** Removes `listener`, if present. */
  remove(listener: Listener): void {
    this.change(this.listeners.filter((other) => other !== listener));
  }

  private change(listeners: readonly Listener[]): void {
    this.listeners = listeners;
    this.changedAtRun = this.runs;
  }
}
