import { Injectable, Optional } from '@nestjs/common';

import { loggerFor, PluginCalls, type Undo } from '../common/index.js';
import type { HookArguments, HookListener, HookName } from '../sdk/index.js';
import { HookError } from './errors.js';
import { runListeners, type FailureReporter, type RunTools } from './hook-run.js';
import { Hook, Listener, type ListenerFunction, type ListenerKind, type ListenerRegistration } from './listener.js';

/** Priority of a listener that names none. */
export const DEFAULT_PRIORITY = 10;

/** A filter of hook `H`; of an undeclared hook, any function. */
export type FilterListener<H extends string> = H extends HookName ? HookListener<H> : (value: never, ...args: never[]) => unknown;

/** What a by-reference hook hands from listener to listener. */
export type ReferenceValue<H extends string> = HookArguments<H>[0];

/** A listener as the registry knows it. */
export interface RegisteredListener {
  readonly owner: string;
  readonly priority: number;
  readonly kind: ListenerKind;
  /** For runners of their own, such as durable delivery; it runs in no frame unless the caller makes one. */
  readonly callback: ListenerFunction;
}

/**
 * Actions and filters. The listeners of a hook, of either kind, form one list: ascending priority, registration order inside
 * one priority. They run strictly one after another; only what returns a promise is awaited, and a run in which nothing does
 * is over when the call returns. A listener that is added while a run goes on has its turn in it if that is still to come; one
 * that is removed before its turn does not run.
 *
 * A plugin's promise has the time that the hook allows (docs/plugin-api.md "Deadlines"); the run goes on without it then.
 * A listener that throws or rejects is logged with its owner and recorded as its fault; the others run all the same.
 * No run ever throws or rejects; one that stands in 200 others is reported and not run.
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
   * Adds a listener that acts; what it returns counts in {@link applyByReference} alone.
   *
   * @throws HookError `HOOK_NAME_INVALID`, `LISTENER_NOT_FUNCTION`, `PRIORITY_INVALID`.
   */
  addAction<H extends string>(hook: H, listener: HookListener<H>, options: ListenerRegistration): Undo {
    return this.add('action', hook, listener as ListenerFunction, options);
  }

  /**
   * Adds a listener that returns the next value; `undefined` keeps the present one. In {@link doAction} its result counts for nothing.
   *
   * @throws HookError `HOOK_NAME_INVALID`, `LISTENER_NOT_FUNCTION`, `PRIORITY_INVALID`.
   */
  addFilter<H extends string>(hook: H, listener: FilterListener<H>, options: ListenerRegistration): Undo {
    return this.add('filter', hook, listener as ListenerFunction, options);
  }

  /** Runs every listener with `args`. Returns a promise only when a listener did. */
  doAction<H extends string>(hook: H, ...args: HookArguments<H>): void | Promise<void> {
    const known = this.fired(hook);
    if (known === undefined) return undefined;
    return runListeners(known, 'action', args, this.tools) as void | Promise<void>;
  }

  /**
   * Hands `value` from filter to filter, each called with the present value and `args`; the last value is the result.
   * A filter that fails leaves the value as it was. Actions of the hook run in their place and change nothing.
   */
  applyFilters<T>(hook: string, value: T, ...args: unknown[]): T | Promise<T> {
    const known = this.fired(hook);
    if (known === undefined) return value;
    return runListeners(known, 'filter', [value, ...args], this.tools) as T | Promise<T>;
  }

  /**
   * Hands `value` from listener to listener, of either kind, which may change it in place or return another one. A list is
   * replaced only by a list, so `(menu) => menu.push(entry)` does what it looks like; anything but a list or object keeps
   * the present value. What a failing listener had already changed in place stays changed.
   *
   * @param others what listeners get besides, and do not change
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

  /** The hook's listeners in the order they run; later changes do not show in the returned list. */
  listeners(hook: string): readonly RegisteredListener[] {
    return this.hooks.get(hook)?.listeners ?? [];
  }

  /** Number of listeners per owner; who has none is not listed. */
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
    // One that has run may be running now: what is added meanwhile still has its turn in that run.
    if (known.listeners.length === 0 && known.runs === 0) this.hooks.delete(hook);
  }

  /** A hook that is being run, where anybody listens; the run is counted. */
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
