import { isThenable, RegistrationScope, settleWithin } from '../../common/index.js';

import type { NodePermits } from './node-permits.js';
import { PluginProcess, type RefusalReporter } from './plugin-process.js';
import { PluginTimers, type TimerRunner } from './plugin-timers.js';

type AnyFunction = (...args: never[]) => unknown;

/**
 * One life of one plugin, from the first line of its code to its end: what it registered, what it started, and which of its
 * calls are under way. At the end nothing of it is left: registrations, timers and process listeners are taken back, and
 * every function of its facade refuses.
 */
export class PluginLife {
  readonly registrations = new RegistrationScope();
  readonly timers: PluginTimers;
  private readonly process: PluginProcess;
  private readonly stopCallbacks: (() => unknown)[] = [];
  private idle: (() => void)[] = [];
  private callsUnderWay = 0;
  /** Ends with its start, however that ends. */
  private readonly startEnds: Promise<void>;
  private endStart!: () => void;
  private starting = true;
  private phase: 'on' | 'stopping' | 'over' = 'on';

  /**
   * @param refused told when its code tries to end the process
   * @param run runs a callback as the plugin's code
   * @param ring runs the callback of a timer, which is in the plugin's frame by itself
   * @param permits what of Node it may use
   */
  constructor(
    readonly slug: string,
    refused: RefusalReporter,
    run: (work: () => unknown) => unknown,
    ring: TimerRunner,
    private readonly permits: NodePermits,
  ) {
    this.startEnds = new Promise((resolve) => (this.endStart = resolve));
    this.timers = new PluginTimers(ring);
    this.process = new PluginProcess(slug, refused, run);
  }

  /** What the plugin's code finds under the names of Node's globals; `globalThis` itself is the panel's but for these. */
  get globals(): Readonly<Record<string, unknown>> {
    const own: Record<string | symbol, unknown> = { ...this.timers.globals, ...this.permits.globals, process: this.process.proxy };
    const everything: unknown = new Proxy(globalThis, {
      get: (target, name) => (Object.hasOwn(own, name) ? own[name] : (Reflect.get(target, name) as unknown)),
      set: (target, name, value) => {
        if (Object.hasOwn(own, name)) own[name] = value;
        else return Reflect.set(target, name, value);
        return true;
      },
    });
    own.global = everything;
    own.globalThis = everything;
    return own as Record<string, unknown>;
  }

  /** A module of Node in the form of this plugin; undefined: as it is. @throws PluginError PERMISSION_MISSING */
  builtin(name: string): unknown {
    const module = name.replace(/^node:/, '');
    switch (module) {
      case 'process':
        return this.process.proxy;
      case 'timers':
        return this.timers.module;
      case 'timers/promises':
        return this.timers.promises;
      default:
        return this.permits.require(module);
    }
  }

  /** @throws Error when the plugin was switched off */
  requireOn(): void {
    if (this.phase === 'over')
      throw new Error(
        `The plugin "${this.slug}" was switched off: it was disabled or upgraded, or did ` +
          'not start, and what it still runs can do nothing any more.',
      );
  }

  /** Runs `callback` when the plugin is switched off, after the calls under way; the last one given runs first. */
  onStop(callback: () => unknown): void {
    if (typeof callback !== 'function') throw new Error(`${this.slug}: onStop needs a function.`);
    if (this.phase !== 'on') throw new Error(`${this.slug}: the plugin is being switched off already.`);
    this.stopCallbacks.push(callback);
  }

  /** The plugin's callback as others may call it: counted while it runs, and not called any more once the plugin stops. */
  guard<F extends AnyFunction>(callback: F, gone: () => unknown): F {
    return ((...args: never[]) => {
      if (this.phase !== 'on') return gone();
      const result = callback(...args);
      if (isThenable(result)) this.count(result);
      return result;
    }) as F;
  }

  /** As {@link guard}; while the plugin starts, whoever calls waits for the end of that: half a plugin answers nobody. */
  guardStarted<F extends AnyFunction>(callback: F, gone: () => unknown): F {
    const guarded = this.guard(callback, gone);
    return ((...args: never[]) => (this.starting ? this.startEnds.then(() => guarded(...args)) : guarded(...args))) as F;
  }

  /** The start is over: all of it is there. */
  begin(): void {
    this.starting = false;
    this.endStart();
  }

  /** Ends what others can reach; the errors of undoing it. */
  takeBack(): unknown[] {
    if (this.phase === 'on') this.phase = 'stopping';
    this.begin();
    return this.registrations.dispose();
  }

  /** Waits for the calls under way, at most so many milliseconds; the number that did not end. */
  async drain(milliseconds: number): Promise<number> {
    if (this.callsUnderWay > 0) await settleWithin(new Promise<void>((resolve) => this.idle.push(resolve)), milliseconds);
    return this.callsUnderWay;
  }

  /** Runs what {@link onStop} was given, each whatever the others do; the errors they ended with. */
  async runStopCallbacks(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const callback of this.stopCallbacks.splice(0).reverse()) {
      try {
        await callback();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  /** The end: nothing it started goes on, nothing it holds works. */
  end(): void {
    this.phase = 'over';
    this.timers.stop();
    this.process.stop();
    this.stopCallbacks.length = 0;
  }

  private count(work: PromiseLike<unknown>): void {
    this.callsUnderWay += 1;
    const ended = (): void => {
      this.callsUnderWay -= 1;
      if (this.callsUnderWay > 0) return;
      for (const tell of this.idle.splice(0)) tell();
    };
    work.then(ended, ended);
  }
}
