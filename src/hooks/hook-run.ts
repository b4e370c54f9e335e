import { executionContext, type ExecutionFrame } from '../common/index.js';
import { HookError } from './errors.js';
import { cutRuns, HookFrame, MAX_HOOK_DEPTH, nearestHookFrame, nearestRunning } from './hook-frame.js';
import type { Hook, Listener, ListenerFunction } from './listener.js';

/** What a run makes of the results: nothing, the next value, or a replacement of the value handed around. */
export type RunMode = 'action' | 'filter' | 'reference';

/** Told of every listener that failed; must not throw. */
export type FailureReporter = (hook: string, owner: string, error: unknown) => void;

interface Run {
  readonly hook: Hook;
  readonly mode: RunMode;
  readonly args: unknown[];
  readonly listeners: readonly Listener[];
  readonly fail: FailureReporter;
  readonly timed: boolean;
  /** The frame the run was fired from. */
  readonly origin: ExecutionFrame | undefined;
  /** The nearest frame around it that is still going on. */
  readonly parent: ExecutionFrame | undefined;
  /** The hook run it stands in. */
  readonly outer: HookFrame | undefined;
}

/** The hook whose inline listener runs right now; never set across an await. */
let inlineHook: Hook | undefined;

/** The innermost hook whose listener runs in its caller's frame, if that is where the calling code is. */
export function inlineHookName(): string | undefined {
  return inlineHook?.name;
}

/**
 * Runs the hook's listeners as actions; the answer is a promise only when a listener's was.
 *
 * The loop is the one for hooks all of whose listeners are inline, for up to three arguments. It has its arguments in variables and its rarer part
 * elsewhere, because reading them anew or a further call for every listener costs as much as the listener. It times nothing:
 * there is no plugin to suspect.
 */
export function runActions(hook: Hook, args: unknown[], fail: FailureReporter): void | Promise<void> {
  if (!hook.inline || inlineHook !== undefined || args.length > 3) return runListeners(hook, 'action', args, fail) as void | Promise<void>;
  const { callbacks, listeners } = hook;
  const count = args.length;
  const first = args[0];
  const second = args[1];
  const third = args[2];
  inlineHook = hook;
  for (let index = 0; index < callbacks.length; index++) {
    if (hook.callbacks !== callbacks && listeners[index]!.removed) continue;
    try {
      const callback = callbacks[index]!;
      let result: unknown;
      if (count === 0) result = callback();
      else if (count === 1) result = callback(first);
      else if (count === 2) result = callback(first, second);
      else result = callback(first, second, third);
      if (result !== undefined && isThenable(result)) return leaveInline(hook, args, listeners, fail, index, result);
    } catch (error) {
      fail(hook.name, 'core', error);
    }
  }
  inlineHook = undefined;
}

/** An inline listener returned a promise, which it was not to do: that is reported, and the run goes on as a common one. */
function leaveInline(
  hook: Hook,
  args: unknown[],
  listeners: readonly Listener[],
  fail: FailureReporter,
  index: number,
  pending: unknown,
): Promise<void> {
  inlineHook = undefined;
  fail(hook.name, 'core', new HookError('INLINE_LISTENER_ASYNC', { hook: hook.name }));
  const origin = executionContext.getStore();
  const parent = nearestRunning(origin);
  const outer = nearestHookFrame(parent);
  const frame = new HookFrame('core', hook.name, parent, outer, origin);
  const run: Run = { hook, mode: 'action', args, listeners, fail, timed: false, origin, parent, outer };
  return finishRun(run, index, pending, frame, 0) as Promise<void>;
}

/**
 * Runs the hook's listeners in order, each in a frame of its owner, and gives `args[0]` as it is in the end (for actions:
 * nothing). The answer is a promise only when a listener's was.
 */
export function runListeners(hook: Hook, mode: RunMode, args: unknown[], fail: FailureReporter): unknown {
  if (inlineHook !== undefined) return runInsideInline(inlineHook, hook, mode, args, fail);
  return runFramed(hook, mode, args, fail);
}

/** A run fired by an inline listener: that listener gets the frame it went without, so that the new run knows where it stands. */
function runInsideInline(around: Hook, hook: Hook, mode: RunMode, args: unknown[], fail: FailureReporter): unknown {
  const origin = executionContext.getStore();
  const parent = nearestRunning(origin);
  const outer = nearestHookFrame(parent);
  if (outer !== undefined && isTooDeep(hook, outer, fail)) return mode === 'action' ? undefined : args[0];
  const frame = new HookFrame('core', around.name, parent, outer, origin);
  inlineHook = undefined;
  executionContext.enterWith(frame);
  try {
    return mode === 'action' ? runActions(hook, args, fail) : runFramed(hook, mode, args, fail);
  } finally {
    frame.finished = true;
    restore(origin);
    inlineHook = around;
  }
}

/**
 * The part of a run up to the first promise. Frames are entered without `AsyncLocalStorage.run`: neighbours of one owner share
 * one frame and the caller's is put back once.
 */
function runFramed(hook: Hook, mode: RunMode, args: unknown[], fail: FailureReporter): unknown {
  const { listeners, timed } = hook;
  const origin = executionContext.getStore();
  const parent = nearestRunning(origin);
  const outer = nearestHookFrame(parent);
  if (outer !== undefined && isTooDeep(hook, outer, fail)) return mode === 'action' ? undefined : args[0];
  let frame: HookFrame | undefined;
  let started = timed ? performance.now() : 0;
  try {
    for (let index = 0; index < listeners.length; index++) {
      const listener = listeners[index]!;
      if (listener.removed) continue;
      if (frame === undefined || frame.owner !== listener.owner) {
        if (frame !== undefined) frame.finished = true;
        frame = new HookFrame(listener.owner, hook.name, parent, outer, origin);
        executionContext.enterWith(frame);
      }
      try {
        const result = call(listener.callback, args);
        if (result !== undefined) {
          if (isThenable(result)) {
            restore(origin);
            return finishRun({ hook, mode, args, listeners, fail, timed, origin, parent, outer }, index, result, frame, started);
          }
          if (mode !== 'action') keepResult(mode, listener, args, result);
        }
      } catch (error) {
        fail(hook.name, listener.owner, error);
      }
      if (timed) started = listener.book(started);
    }
    if (frame !== undefined) frame.finished = true;
  } finally {
    restore(origin);
  }
  return mode === 'action' ? undefined : args[0];
}

/** The rest of a run from listener `index` on, whose promise `pending` is. */
async function finishRun(run: Run, index: number, pending: unknown, frame: HookFrame, started: number): Promise<unknown> {
  const { hook, mode, args, listeners, timed } = run;
  for (;;) {
    const listener = listeners[index]!;
    try {
      const result = isThenable(pending) ? await pending : pending;
      if (mode !== 'action' && result !== undefined) keepResult(mode, listener, args, result);
    } catch (error) {
      run.fail(hook.name, listener.owner, error);
    }
    frame.finished = true;
    if (timed) started = listener.book(started);

    let next = listeners[++index];
    while (next?.removed) next = listeners[++index];
    if (next === undefined) return mode === 'action' ? undefined : args[0];
    frame = new HookFrame(next.owner, hook.name, run.parent, run.outer, run.origin);
    pending = executionContext.run(frame, attempt, next.callback, args);
  }
}

/** Calls a listener; what it throws becomes a rejection, so that the caller has one place for failures. */
function attempt(callback: ListenerFunction, args: unknown[]): unknown {
  try {
    return call(callback, args);
  } catch (error) {
    return Promise.reject(error);
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

function isThenable(result: unknown): boolean {
  return typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function';
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
function isTooDeep(hook: Hook, outer: HookFrame, fail: FailureReporter): boolean {
  if (outer.cut) return true;
  if (outer.depth < MAX_HOOK_DEPTH) return false;
  cutRuns(outer);
  fail(hook.name, outer.owner, new HookError('HOOK_DEPTH_EXCEEDED', { hook: hook.name, depth: outer.depth, owner: outer.owner }));
  return true;
}

/** Puts the caller's frame back; `undefined` where it had none, which the types of Node leave out. */
function restore(origin: ExecutionFrame | undefined): void {
  executionContext.enterWith(origin as ExecutionFrame);
}
