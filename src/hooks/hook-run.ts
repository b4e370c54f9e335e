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

/** Listeners added while a run goes on that still have their turn in it; an endless supply waits for the next run. */
const MAX_ADDED = 1_000;

/** What a run makes of the results: nothing, the next value, or a replacement of the value handed around. */
export type RunMode = 'action' | 'filter' | 'reference';

/** Told of every listener that failed; must not throw. */
export type FailureReporter = (hook: string, owner: string, error: unknown) => void;

/** What runs need of their registry. */
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
  /** Listeners with greater numbers wait for the next run. */
  readonly newest: number;
  /** The frame the run was fired from. */
  readonly origin: ExecutionFrame | undefined;
  /** The nearest frame around it that is still going on. */
  readonly parent: ExecutionFrame | undefined;
  /** The hook run it stands in. */
  readonly outer: HookFrame | undefined;
}

/**
 * Runs the hook's listeners in order, each in a frame of its owner, and gives `args[0]` as it is in the end (for actions:
 * nothing). The answer is a promise only when a listener's was.
 *
 * Up to the first promise frames are entered without `AsyncLocalStorage.run`: neighbours of one owner share one frame and
 * the caller's is put back once.
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

/** The rest of a run from `listener` on, whose answer `pending` is. */
async function finishRun(run: Run, listener: Listener, pending: unknown, frame: HookFrame, started: number): Promise<unknown> {
  const { hook, mode, args, tools } = run;
  const kind = callKindOf(hook.name, run.origin);
  for (;;) {
    try {
      const result = isThenable(pending) ? await tools.calls.settle(listener.place, kind, pending, started, listener.deadline) : pending;
      if (mode !== 'action' && result !== undefined) keepResult(mode, listener, args, result);
    } catch (error) {
      // The listener still has the value and may change it whenever it likes: the run goes on with another one.
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

/** The listener whose turn is after that of `listener`, as the hook is now, and that may be called. */
function nextListener({ hook, newest }: Run, listener: Listener): Listener | undefined {
  return hook.listeners.find((other) => other.isBehind(listener) && other.sequence <= newest && (!other.place.paused || mayTry(other)));
}

/** Calls a listener; what it throws becomes a rejection, so that the caller has one place for failures, and a thenable a promise. */
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

/** Whether a listener that missed its deadline again and again may be tried now; until then runs go on without it. */
function mayTry({ place }: Listener): boolean {
  try {
    place.requireOpen();
    return true;
  } catch {
    return false;
  }
}

/** By count, because spreading into a function that changes with every call is slow. */
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

/** Makes `result`, which is not undefined, the value handed on, where kind of run and listener say that it counts. */
function keepResult(mode: RunMode, listener: Listener, args: unknown[], result: unknown): void {
  if (mode === 'filter') {
    if (listener.kind === 'filter') args[0] = result;
    return;
  }
  if (typeof result !== 'object' || result === null) return;
  if (Array.isArray(args[0]) === Array.isArray(result)) args[0] = result;
}

/** Whether a run inside `outer` would stand in too many others; says so once, with the owner whose listener fired it. */
function isTooDeep(hook: Hook, outer: HookFrame, tools: RunTools): boolean {
  if (outer.cut) return true;
  if (outer.depth < MAX_HOOK_DEPTH) return false;
  cutRuns(outer);
  tools.fail(hook.name, outer.owner, new HookError('HOOK_DEPTH_EXCEEDED', { hook: hook.name, depth: outer.depth, owner: outer.owner }));
  return true;
}

/** Puts the caller's frame back; `undefined` where it had none, which the types of Node leave out. */
function restore(origin: ExecutionFrame | undefined): void {
  executionContext.enterWith(origin as ExecutionFrame);
}
