import { Injectable, Optional } from '@nestjs/common';

import { loggerFor, PluginCalls, type Undo } from '../common/index.js';
import type { HookArguments, HookListener, HookName } from '../sdk/index.js';
import { HookError } from './errors.js';
import { runListeners, type FailureReporter, type RunTools } from './hook-run.js';
import { Hook, Listener, type ListenerFunction, type ListenerKind, type ListenerRegistration } from './listener.js';

/** Default priority of a listener. */
export const DEFAULT_PRIORITY = 10;

/** A filter of hook `H`; for an undeclared hook, any function. */
export type FilterListener<H extends string> = H extends HookName ? HookListener<H> : (value: never, ...args: never[]) => unknown;

/** The value a by-reference hook passes from listener to listener. */
export type ReferenceValue<H extends string> = HookArguments<H>[0];

/** A listener as the registry stores it. */
export interface RegisteredListener {
  readonly owner: string;
  readonly priority: number;
  readonly kind: ListenerKind;
  /** For custom runners, such as durable delivery; it runs without a frame unless the caller creates one. */
  readonly callback: ListenerFunction;
}

/**
 * Actions and filters. The listeners of a hook, of both kinds, form one list: ascending priority, then registration order. They run
 * strictly one after another; only promises are awaited, and a run without any is complete when the call returns. A listener added during a
 * run still runs in it if its turn is yet to come; one removed before its turn does not run.
 *
 * A plugin's promise must settle within the hook's deadline (docs/plugin-api.md "Deadlines"); otherwise the run continues without it. A
 * listener that throws or rejects is logged with its owner and recorded as the owner's fault; the other listeners still run. A run never
 * throws or rejects; one nested in 200 others is reported and skipped.
 *
 * @example
 * ```ts
 * const undo = hooks.addAction('host.created', (user, id, node) => mail.welcome(user), { owner: 'welcome_mail' });
 * await hooks.doAction('host.created', 'alice', 7, 'bj01');
 * undo();
 * ```
 */
@Injectable()
export class HookRegistry {
  /** Hooks that have listeners, or had some when they ran. */
  private readonly hooks = new Map<string, Hook>();
  private readonly log = loggerFor('hooks');
  private readonly tools: RunTools;

  constructor(@Optional() private readonly calls: PluginCalls = new PluginCalls()) {
    this.tools = { calls, fail: (hook, owner, error) => this.fail(hook, owner, error) };
  }

  /**
   * Adds an action; its return value is used only by {@link applyByReference}.
   *
   * @throws HookError `HOOK_NAME_INVALID`, `LISTENER_NOT_FUNCTION`, `PRIORITY_INVALID`.
   */
  addAction<H extends string>(hook: H, listener: HookListener<H>, options: ListenerRegistration): Undo {
    return this.add('action', hook, listener as ListenerFunction, options);
  }

  /**
   * Adds a filter, which returns the next value; `undefined` keeps the current one. {@link doAction} ignores its result.
   *
   * @throws HookError `HOOK_NAME_INVALID`, `LISTENER_NOT_FUNCTION`, `PRIORITY_INVALID`.
   */
  addFilter<H extends string>(hook: H, listener: FilterListener<H>, options: ListenerRegistration): Undo {
    return this.add('filter', hook, listener as ListenerFunction, options);
  }

  /** Runs every listener with `args`. Returns a promise only if a listener did. */
  doAction<H extends string>(hook: H, ...args: HookArguments<H>): void | Promise<void> {
    const known = this.fired(hook);
    if (known === undefined) return undefined;
    return runListeners(known, 'action', args, this.tools) as void | Promise<void>;
  }

  /**
   * Passes `value` through the filters, each called with the current value and `args`, and returns the last value. A filter that fails
   * leaves the value unchanged. Actions of the hook run in their order and change nothing.
   */
  applyFilters<T>(hook: string, value: T, ...args: unknown[]): T | Promise<T> {
    const known = this.fired(hook);
    if (known === undefined) return value;
    return runListeners(known, 'filter', [value, ...args], this.tools) as T | Promise<T>;
  }

  /**
   * Passes `value` through the listeners of both kinds, which may change it in place or return another one. A list is replaced only by a
   * list, so `(menu) => menu.push(entry)` works as expected; any other non-object result keeps the current value. In-place changes of a
   * listener that fails are kept.
   *
   * @param others additional arguments for the listeners, which they do not change
   */
  applyByReference<H extends string>(
    hook: H,
    value: ReferenceValue<H>,
    ...others: readonly unknown[]
  ): ReferenceValue<H> | Promise<ReferenceValue<H>> {
    const known = this.fired(hook);
    if (known === undefined) return value;
    return runListeners(known, 'reference', [value, ...others], this.tools) as ReferenceValue<H> | Promise<ReferenceValue<H>>;
  }

  /** Returns the hook's listeners in run order; later changes do not affect the returned list. */
  listeners(hook: string): readonly RegisteredListener[] {
    return this.hooks.get(hook)?.listeners ?? [];
  }

  /** Number of listeners per owner; owners without any are omitted. */
  owners(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { listeners } of this.hooks.values()) {
      for (const { owner } of listeners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    return counts;
  }

  private add(kind: ListenerKind, hook: string, callback: ListenerFunction, options: ListenerRegistration): Undo {
    const { owner, priority = DEFAULT_PRIORITY, deadline } = options;
    if (typeof hook !== 'string' || hook === '' || hook.length > 128) {
      throw new HookError('HOOK_NAME_INVALID', { name: String(hook).slice(0, 40) });
    }
    if (typeof callback !== 'function') throw new HookError('LISTENER_NOT_FUNCTION', { hook });
    if (!Number.isSafeInteger(priority)) throw new HookError('PRIORITY_INVALID', { hook, priority: String(priority) });
    const listener = new Listener(owner, priority, kind, callback, this.calls.place(owner, `listener of ${hook}`), deadline);
    let known = this.hooks.get(hook);
    if (known === undefined) this.hooks.set(hook, (known = new Hook(hook)));
    known.insert(listener);
    return () => this.remove(hook, listener);
  }

  private remove(hook: string, listener: Listener): void {
    const known = this.hooks.get(hook);
    if (known === undefined || !known.listeners.includes(listener)) return;
    known.remove(listener);
    // If it has run, it may be running now: listeners added meanwhile must still run in that run, so the hook is kept.
    if (known.listeners.length === 0 && known.runs === 0) this.hooks.delete(hook);
  }

  /** Returns the hook to run, if it has listeners, and counts the run. */
  private fired(name: string): Hook | undefined {
    const hook = this.hooks.get(name);
    if (hook === undefined || hook.listeners.length === 0) return undefined;
    hook.runs += 1;
    return hook;
  }

  private fail(...[hook, owner, error]: Parameters<FailureReporter>): void {
    this.log.error({ hook, owner, err: error }, 'a listener failed');
    try {
      this.tools.calls.faults.note(owner, `listener of ${hook}`, error);
    } catch (recording) {
      this.log.error({ hook, owner, err: recording }, 'the fault of a listener could not be recorded');
    }
  }
}
