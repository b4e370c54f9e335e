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
  /**
   * Run in the caller's frame instead of one of the owner's, which saves some 10 ns a listener. Only for `core` (ignored for
   * others, who are to be blamed for what they do), and only for a listener that returns no promise, starts nothing that
   * outlives it and does not ask whose code runs. It takes effect in action runs while all listeners
   * of the hook are of this kind.
   */
  inline?: boolean;
}

/** One listener of one hook, with the time its sampled runs took. */
export class Listener {
  sampledRuns = 0;
  /** Whether it was taken out: a run that began before leaves it out too when its turn comes. */
  removed = false;
  /** Milliseconds, waiting included. */
  totalTime = 0;
  /** Milliseconds. */
  longestTime = 0;

  constructor(
    readonly owner: string,
    readonly priority: number,
    readonly kind: ListenerKind,
    readonly callback: ListenerFunction,
    readonly inline: boolean,
  ) {}

  /** Books a run that began at `started` (`performance.now()`) and ends now; gives the time of now for the next one. */
  book(started: number): number {
    const now = performance.now();
    this.sampledRuns += 1;
    this.totalTime += now - started;
    if (now - started > this.longestTime) this.longestTime = now - started;
    return now;
  }
}

/** Runs after each change of a hook's listeners that are timed one by one: hooks that fire rarely get figures too. */
const TIMED_AFTER_CHANGE = 64;
/** Later, one run of this many is timed (a power of two). */
const SAMPLE_EVERY = 256;

/** One hook: its listeners in the order they run, and how often it ran. */
export class Hook {
  /** Never changed in place: a run keeps the list it started with. */
  listeners: readonly Listener[] = [];
  /** The functions of {@link listeners}, for the run that needs nothing else of them. */
  callbacks: readonly ListenerFunction[] = [];
  /** Whether every listener runs in the caller's frame. */
  inline = true;
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
    listener.removed = true;
    this.change(this.listeners.filter((other) => other !== listener));
  }

  private change(listeners: readonly Listener[]): void {
    this.listeners = listeners;
    this.callbacks = listeners.map(({ callback }) => callback);
    this.inline = listeners.every((listener) => listener.inline);
    this.changedAtRun = this.runs;
  }
}
