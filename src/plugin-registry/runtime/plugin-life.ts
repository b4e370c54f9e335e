import { isThenable, RegistrationScope, waitAtMost } from '../../common/index.js';

import type { NodePermits } from './node-permits.js';
import { PluginProcess, type RefusalReporter } from './plugin-process.js';
import { PluginTimers, type TimerRunner } from './plugin-timers.js';

type AnyFunction = (...args: never[]) => unknown;

/**
 * One activation of one plugin, from the first line of its code to its end: its registrations, timers, process listeners and running calls.
 * At the end all of them are removed, and every function of its facade throws.
 */
export class PluginLife {
  readonly registrations = new RegistrationScope();
  readonly timers: PluginTimers;
  private readonly process: PluginProcess;
  private readonly stopCallbacks: (() => unknown)[] = [];
  private idle: (() => void)[] = [];
  private callsUnderWay = 0;
  /** Resolves when its start ends, successfully or not. */
  private readonly startEnds: Promise<void>;
  private endStart!: () => void;
  private starting = true;
  private phase: 'on' | 'stopping' | 'over' = 'on';

  /**
   * @param refused called when its code tries to end the process
   * @param run runs a callback as the plugin's code
   * @param ring runs a timer's callback, which already has the plugin's frame
   * @param permits Node APIs it may use
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

  /** Globals as seen by the plugin's code; otherwise `globalThis` is the panel's. */
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

  /** Returns this plugin's variant of a Node module; undefined to use the original. @throws PluginError PERMISSION_MISSING */
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

  /** @throws Error if the plugin was disabled */
  requireOn(): void {
    if (this.phase === 'over')
      throw new Error(
        `The plugin "${this.slug}" was stopped: it was disabled or upgraded, or did ` +
          'not start. Its remaining code can no longer use the panel.',
      );
  }

  /** Registers a callback to run when the plugin is stopped, after its running calls; the last one registered runs first. */
  onStop(callback: () => unknown): void {
    if (typeof callback !== 'function') throw new Error(`${this.slug}: onStop must get a function.`);
    if (this.phase !== 'on') throw new Error(`${this.slug}: the plugin is already being stopped.`);
    this.stopCallbacks.push(callback);
  }

  /** Wraps a callback of the plugin: it is counted while it runs, and no longer called once the plugin stops. */
  guard<F extends AnyFunction>(callback: F, gone: () => unknown): F {
    return ((...args: never[]) => {
      if (this.phase !== 'on') return gone();
      const result = callback(...args);
      if (isThenable(result)) this.count(result);
      return result;
    }) as F;
  }

  /** As {@link guard}; while the plugin starts, callers wait until the start is complete. */
  guardStarted<F extends AnyFunction>(callback: F, gone: () => unknown): F {
    const guarded = this.guard(callback, gone);
    return ((...args: never[]) => (this.starting ? this.startEnds.then(() => guarded(...args)) : guarded(...args))) as F;
  }

  /** Marks the start as complete. */
  begin(): void {
    this.starting = false;
    this.endStart();
  }

  /** Removes everything that others can call; returns the errors of doing so. */
  takeBack(): unknown[] {
    if (this.phase === 'on') this.phase = 'stopping';
    this.begin();
    return this.registrations.dispose();
  }

  /** Waits for running calls, at most `milliseconds`; returns the number still running. */
  async drain(milliseconds: number): Promise<number> {
    if (this.callsUnderWay > 0) await waitAtMost(new Promise<void>((resolve) => this.idle.push(resolve)), milliseconds);
    return this.callsUnderWay;
  }

  /** Runs the callbacks of {@link onStop} independently of each other; returns their errors. */
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

  /** Ends the plugin: timers and listeners are removed, and its facade no longer works. */
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
      for (const resolve of this.idle.splice(0)) resolve();
    };
    work.then(ended, ended);
  }
}
