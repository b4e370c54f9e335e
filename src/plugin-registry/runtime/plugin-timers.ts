import { setMaxListeners } from 'node:events';
import * as timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';

type Callback = (...args: unknown[]) => unknown;

/** Runs a timer's callback. */
export type TimerRunner = (work: () => unknown) => unknown;

/** Internal flag of Node's handles: the timer has fired for the last time or was cleared. */
interface Handle {
  _destroyed?: boolean;
}

/** Number of handles at which finished ones are removed. */
const SWEEP_AT = 256;

/** Handles that may still fire; finished ones are removed periodically, so that a busy plugin leaks no memory. */
class HandleSet<H extends NodeJS.Timeout | NodeJS.Immediate> {
  private readonly handles = new Set<H>();
  private sweepAt = SWEEP_AT;

  add(handle: H): H {
    this.handles.add(handle);
    if (this.handles.size >= this.sweepAt) {
      for (const known of this.handles) if ((known as Handle)._destroyed) this.handles.delete(known);
      this.sweepAt = Math.max(SWEEP_AT, this.handles.size * 2);
    }
    return handle;
  }

  delete(handle: unknown): void {
    this.handles.delete(handle as H);
  }

  /** Returns all handles and empties the set. */
  empty(): H[] {
    const all = [...this.handles];
    this.handles.clear();
    return all;
  }
}

/**
 * Timers of one plugin, provided as globals, in `timers` and in `timers/promises`. After {@link stop} none of them fires, and new ones are
 * cleared immediately.
 */
export class PluginTimers {
  private readonly timeouts = new HandleSet<NodeJS.Timeout>();
  private readonly immediates = new HandleSet<NodeJS.Immediate>();
  /** Created on first use: most plugins never need it. */
  private ending?: AbortController;
  private stopped = false;

  /** @param run called with every callback that fires */
  constructor(private readonly run: TimerRunner) {}

  /** Clears all pending timers. */
  stop(): void {
    this.stopped = true;
    this.ending?.abort();
    for (const handle of this.timeouts.empty()) clearTimeout(handle);
    for (const handle of this.immediates.empty()) clearImmediate(handle);
  }

  readonly setTimeout = (callback: Callback, milliseconds?: number, ...args: unknown[]): NodeJS.Timeout =>
    this.trackTimeout(setTimeout(this.ringing(callback), milliseconds, ...args));

  readonly setInterval = (callback: Callback, milliseconds?: number, ...args: unknown[]): NodeJS.Timeout =>
    this.trackTimeout(setInterval(this.ringing(callback), milliseconds, ...args));

  readonly setImmediate = (callback: Callback, ...args: unknown[]): NodeJS.Immediate => {
    const handle = setImmediate(this.ringing(callback), ...args);
    if (!this.stopped) return this.immediates.add(handle);
    clearImmediate(handle);
    return handle;
  };

  readonly clearTimeout = (handle?: NodeJS.Timeout | string | number): void => {
    this.timeouts.delete(handle);
    clearTimeout(handle);
  };

  readonly clearInterval = (handle?: NodeJS.Timeout | string | number): void => {
    this.timeouts.delete(handle);
    clearInterval(handle);
  };

  readonly clearImmediate = (handle?: NodeJS.Immediate): void => {
    this.immediates.delete(handle);
    clearImmediate(handle);
  };

  /** The module `timers/promises`. Promises pending at the stop never settle, because settling would run the plugin's code again. */
  readonly promises = {
    setTimeout: <T>(milliseconds?: number, value?: T, options?: { signal?: AbortSignal; ref?: boolean }): Promise<T> =>
      this.unlessStopped((signal) => timersPromises.setTimeout(milliseconds, value as T, { ...options, signal }), options?.signal),
    setImmediate: <T>(value?: T, options?: { signal?: AbortSignal; ref?: boolean }): Promise<T> =>
      this.unlessStopped((signal) => timersPromises.setImmediate(value as T, { ...options, signal }), options?.signal),
    setInterval: <T>(milliseconds?: number, value?: T, options?: { signal?: AbortSignal; ref?: boolean }): AsyncGenerator<T> =>
      this.ticks(milliseconds, value as T, options),
    scheduler: {
      wait: (milliseconds: number, options?: { signal?: AbortSignal }): Promise<void> =>
        this.unlessStopped((signal) => timersPromises.scheduler.wait(milliseconds, { ...options, signal }), options?.signal),
      yield: (): Promise<void> => this.unlessStopped(() => timersPromises.scheduler.yield()),
    },
  };

  /** Node's global timers as seen by the plugin's code. */
  readonly globals = {
    setTimeout: withPromise(this.setTimeout, this.promises.setTimeout),
    clearTimeout: this.clearTimeout,
    setInterval: this.setInterval,
    clearInterval: this.clearInterval,
    setImmediate: withPromise(this.setImmediate, this.promises.setImmediate),
    clearImmediate: this.clearImmediate,
  };

  /** The module `timers`. */
  readonly module = { ...this.globals, promises: this.promises };

  /** Wraps the callback; Node itself rejects anything but a function. */
  private ringing(callback: Callback): Callback {
    if (typeof callback !== 'function') return callback;
    const { run } = this;
    return function (this: unknown, ...given) {
      return run(() => callback.apply(this, given));
    };
  }

  private trackTimeout(handle: NodeJS.Timeout): NodeJS.Timeout {
    if (!this.stopped) return this.timeouts.add(handle);
    clearTimeout(handle);
    return handle;
  }

  /** Aborts when the plugin stops, or by the signal its code passed. */
  private signalWith(given?: AbortSignal): AbortSignal {
    if (!this.ending) {
      this.ending = new AbortController();
      setMaxListeners(0, this.ending.signal);
      if (this.stopped) this.ending.abort();
    }
    return given ? AbortSignal.any([given, this.ending.signal]) : this.ending.signal;
  }

  private unlessStopped<T>(start: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    const signal = this.signalWith(given);
    return new Promise<T>((resolve, reject) => {
      start(signal).then(
        (value) => this.stopped || resolve(value),
        (error: unknown) => this.stopped || reject(error),
      );
    });
  }

  private async *ticks<T>(
    milliseconds: number | undefined,
    value: T,
    options?: { signal?: AbortSignal; ref?: boolean },
  ): AsyncGenerator<T> {
    const signal = this.signalWith(options?.signal);
    try {
      for await (const tick of timersPromises.setInterval(milliseconds, value, { ...options, signal })) yield tick;
    } catch (error) {
      if (this.stopped) await new Promise(() => undefined);
      throw error;
    }
  }
}

/** As in Node: `util.promisify(setTimeout)` returns the function of `timers/promises`. */
function withPromise<F extends object>(timer: F, promised: unknown): F {
  return Object.defineProperty(timer, promisify.custom, { value: promised, enumerable: true });
}
