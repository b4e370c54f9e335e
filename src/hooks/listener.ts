import type { CallPlace } from '../common/index.js';

/** What a listener was added as. */
export type ListenerKind = 'action' | 'filter';

/** How a listener is called once its types are settled. */
export type ListenerFunction = (...args: unknown[]) => unknown;

/** Who adds a listener and where it stands in the order. */
export interface ListenerRegistration {
  /** `core`, or the slug of the plugin. */
  owner: string;
  /** Whole number, smaller runs earlier, 0 and negative allowed; 10 where nothing is given. */
  priority?: number;
  /** Milliseconds a promise of this listener may take; what the kind of the hook allows where nothing is given. */
  deadline?: number;
}

let newest = 0;

/** Number of the listener made last; those made later have greater ones. */
export function newestListener(): number {
  return newest;
}

/** One listener of one hook. */
export class Listener {
  /** Grows with every listener made: the order inside one priority. */
  readonly sequence = ++newest;

  constructor(
    readonly owner: string,
    readonly priority: number,
    readonly kind: ListenerKind,
    readonly callback: ListenerFunction,
    /** What is counted of it, together with its owner's other listeners of the hook. */
    readonly place: CallPlace,
    /** Milliseconds its promise may take, where they are not those of the hook. */
    readonly deadline: number | undefined,
  ) {}

  /** Records a run that began at `started` (`performance.now()`) and ends now; gives the time of now for the next one. */
  record(started: number): number {
    const now = performance.now();
    this.place.record(now - started);
    return now;
  }

  /** Whether its turn comes after that of `other`. */
  isBehind(other: Listener): boolean {
    return this.priority > other.priority || (this.priority === other.priority && this.sequence > other.sequence);
  }
}

/** Runs after each change of a hook's listeners that are timed one by one: hooks that fire rarely get figures too. */
const TIMED_AFTER_CHANGE = 64;
/** Later, one run of this many is timed (a power of two). */
const SAMPLE_EVERY = 256;

/** One hook: its listeners in the order they run, and how often it ran. */
export class Hook {
  /** Never changed in place: a run that walks it sees by its identity that it changed. */
  listeners: readonly Listener[] = [];
  runs = 0;
  private changedAtRun = 0;

  constructor(readonly name: string) {}

  /** Whether the present run, which is counted already, is one to be timed. */
  get timed(): boolean {
    const run = this.runs - this.changedAtRun;
    return run <= TIMED_AFTER_CHANGE || (run & (SAMPLE_EVERY - 1)) === 0;
  }

  /** Puts `listener` behind all that have its priority or a smaller one. */
  insert(listener: Listener): void {
    const at = this.listeners.findLastIndex((other) => other.priority <= listener.priority) + 1;
    this.change(this.listeners.toSpliced(at, 0, listener));
  }

  /** Takes `listener` out, if it is still in. */
  remove(listener: Listener): void {
    this.change(this.listeners.filter((other) => other !== listener));
  }

  private change(listeners: readonly Listener[]): void {
    this.listeners = listeners;
    this.changedAtRun = this.runs;
  }
}
