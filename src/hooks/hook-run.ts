import {
  copyOfPlain,
  executionContext,
  isThenable,
  PluginCallError,
  RUNNING_PLACE,
  type ExecutionFrame,
  type PluginCalls,
} from '../common/index.js';
import { HookError } from './errors.js';
import { cutRuns, HookFrame, MAX_HOOK_DEPTH, nearestHookFrame, nearestRunning } from './hook-frame.js';
import { callKindOf } from './hook-kind.js';
import { newestListener, type Hook, type Listener, type ListenerFunction } from './listener.js';

/** Limit on listeners added during a run that still run in it; further ones wait for the next run, so that a run always ends. */
const MAX_ADDED = 1_000;

/** How a run uses results: ignores them, as the next value, or as a replacement for the shared value. */
export type RunMode = 'action' | 'filter' | 'reference';

/** Reports a listener that failed; must not throw. */
export type FailureReporter = (hook: string, owner: string, error: unknown) => void;

/** What a run needs from its registry. */
export interface RunTools {
  readonly calls: PluginCalls;
  readonly fail: FailureReporter;
}

interface Run {
  readonly hook: Hook;
  readonly mode: RunMode;
  readonly args: unknown[];
  readonly tools: RunTools;
  readonly timed: boolean;
  /** Listeners with a higher sequence number wait for the next run. */
  readonly newest: number;
  /** The frame that fired the run. */
  readonly origin: ExecutionFrame | undefined;
  /** The nearest surrounding frame that is still running. */
  readonly parent: ExecutionFrame | undefined;
  /** The hook run that contains this one. */
  readonly outer: HookFrame | undefined;
}

/**
 * Runs the hook's listeners in order, each in a frame of its owner, and returns the final `args[0]` (for actions: nothing). Returns a
 * promise only if a listener did.
 *
 * Up to the first promise, frames are entered without `AsyncLocalStorage.run`: consecutive listeners of one owner share a frame, and the
 * caller's frame is restored once.
 */
export function runListeners(hook: Hook, mode: RunMode, args: unknown[], tools: RunTools): unknown {
  const { timed } = hook;
  const origin = executionContext.getStore();
  const parent = nearestRunning(origin);
  const outer = nearestHookFrame(parent);
  if (outer !== undefined && isTooDeep(hook, outer, tools)) return mode === 'action' ? undefined : args[0];
  const newest = newestListener() + MAX_ADDED;
  const outerPlace = RUNNING_PLACE[0]!;
  let listeners = hook.listeners;
  let listener = listeners[0];
  let index = 0;
  let frame: HookFrame | undefined;
  let started = timed ? performance.now() : 0;
  try {
    while (listener !== undefined) {
      const { place } = listener;
      if (!place.paused || mayTry(listener)) {
        if (frame === undefined || frame.owner !== listener.owner) {
          if (frame !== undefined) frame.finished = true;
          frame = new HookFrame(listener.owner, hook.name, parent, outer, origin);
          executionContext.enterWith(frame);
        }
        place.calls += 1;
        RUNNING_PLACE[0] = place.id;
        try {
          const result = call(listener.callback, args);
          if (result !== undefined) {
            if (isThenable(result)) {
              restore(origin);
              const run: Run = { hook, mode, args, tools, timed, newest, origin, parent, outer };
              return finishRun(run, listener, result, frame, timed ? started : performance.now());
            }
            if (mode !== 'action') keepResult(mode, listener, args, result);
          }
        } catch (error) {
          place.errors += 1;
          tools.fail(hook.name, listener.owner, error);
        }
        if (timed) started = listener.record(started);
        if (place.paused) place.ended();
      }
      if (listeners === hook.listeners) {
        listener = listeners[++index];
      } else {
        listeners = hook.listeners;
        index = listeners.findIndex((other) => other.isBehind(listener!) && other.sequence <= newest);
        listener = listeners[index];
      }
    }
    if (frame !== undefined) frame.finished = true;
  } finally {
    RUNNING_PLACE[0] = outerPlace;
    restore(origin);
  }
  return mode === 'action' ? undefined : args[0];
}

/** Finishes a run from `listener` on, whose promise is `pending`. */
async function finishRun(run: Run, listener: Listener, pending: unknown, frame: HookFrame, started: number): Promise<unknown> {
  const { hook, mode, args, tools } = run;
  const kind = callKindOf(hook.name, run.origin);
  for (;;) {
    try {
      const result = isThenable(pending)
        ? await tools.calls.awaitResult(listener.place, kind, pending, started, listener.deadline)
        : pending;
      if (mode !== 'action' && result !== undefined) keepResult(mode, listener, args, result);
    } catch (error) {
      // The listener still holds the value and may change it at any time, so the run continues with a copy.
      if (error instanceof PluginCallError && mode !== 'action') args[0] = copyOfPlain(args[0]);
      tools.fail(hook.name, listener.owner, error);
    }
    frame.finished = true;

    const next = nextListener(run, listener);
    if (next === undefined) return mode === 'action' ? undefined : args[0];
    listener = next;
    frame = new HookFrame(next.owner, hook.name, run.parent, run.outer, run.origin);
    started = performance.now();
    pending = executionContext.run(frame, attempt, next, args);
    if (!isThenable(pending)) {
      next.record(started);
      if (next.place.paused) next.place.ended();
    }
  }
}

/** Returns the next listener after `listener` that may be called, in the current list of the hook. */
function nextListener({ hook, newest }: Run, listener: Listener): Listener | undefined {
  return hook.listeners.find((other) => other.isBehind(listener) && other.sequence <= newest && (!other.place.paused || mayTry(other)));
}

/** Calls a listener. What it throws becomes a rejection, so that the caller handles failures in one place; a thenable becomes a promise. */
function attempt({ callback, place }: Listener, args: unknown[]): unknown {
  const outerPlace = RUNNING_PLACE[0]!;
  place.calls += 1;
  RUNNING_PLACE[0] = place.id;
  try {
    const result = call(callback, args);
    return isThenable(result) ? Promise.resolve(result) : result;
  } catch (error) {
    return Promise.reject(error);
  } finally {
    RUNNING_PLACE[0] = outerPlace;
  }
}

/** Returns whether a listener that repeatedly missed its deadline may be tried again; until then runs skip it. */
function mayTry({ place }: Listener): boolean {
  try {
    place.requireOpen();
    return true;
  } catch {
    return false;
  }
}

/** Switches on the argument count, because spreading into a function that differs in every call is slow. */
function call(callback: ListenerFunction, args: unknown[]): unknown {
  switch (args.length) {
    case 0:
      return callback();
    case 1:
      return callback(args[0]);
    case 2:
      return callback(args[0], args[1]);
    case 3:
      return callback(args[0], args[1], args[2]);
    default:
      return callback(...args);
  }
}

/** Stores `result`, which is not undefined, as the next value, if the mode and the kind of listener allow it. */
function keepResult(mode: RunMode, listener: Listener, args: unknown[], result: unknown): void {
  if (mode === 'filter') {
    if (listener.kind === 'filter') args[0] = result;
    return;
  }
  if (typeof result !== 'object' || result === null) return;
  if (Array.isArray(args[0]) === Array.isArray(result)) args[0] = result;
}

/** Returns whether a run inside `outer` would be nested too deeply; reports it once, with the owner whose listener fired it. */
function isTooDeep(hook: Hook, outer: HookFrame, tools: RunTools): boolean {
  if (outer.cut) return true;
  if (outer.depth < MAX_HOOK_DEPTH) return false;
  cutRuns(outer);
  tools.fail(hook.name, outer.owner, new HookError('HOOK_DEPTH_EXCEEDED', { hook: hook.name, depth: outer.depth, owner: outer.owner }));
  return true;
}

/** Restores the caller's frame; `undefined` if it had none, which Node's types do not allow. */
function restore(origin: ExecutionFrame | undefined): void {
  executionContext.enterWith(origin as ExecutionFrame);
}
