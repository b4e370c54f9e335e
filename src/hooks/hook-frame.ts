import type { ExecutionFrame } from '../common/index.js';
import type { CallContext, EventInfo } from '../sdk/index.js';

/** Maximum nesting of hook runs. It ends cycles of listeners long before the stack or the memory is exhausted. */
export const MAX_HOOK_DEPTH = 200;

/**
 * The frame in which listeners of one owner run. It outlives its run if a listener leaves a timer or a promise behind, so it records
 * whether the run has finished: code that runs later still belongs to the owner, but no longer to the hook.
 */
export class HookFrame implements ExecutionFrame {
  readonly event: EventInfo | undefined;
  readonly call: CallContext | undefined;
  /** Nesting depth of this run, itself included; 1 for an outermost run. */
  readonly depth: number;
  finished = false;
  /** Set when a nested run was too deep: nothing below this frame fires hooks any more, otherwise two cyclic listeners would fan out. */
  cut: boolean;

  /**
   * @param parent the nearest frame that is still running
   * @param outer the surrounding hook run, see {@link nearestHookFrame}
   * @param origin the frame from which request and event are inherited
   */
  constructor(
    readonly owner: string,
    readonly hook: string,
    readonly parent: ExecutionFrame | undefined,
    outer: HookFrame | undefined,
    origin: ExecutionFrame | undefined,
  ) {
    this.event = origin?.event;
    this.call = origin?.call;
    this.depth = outer === undefined ? 1 : outer.depth + 1;
    this.cut = outer !== undefined && outer.cut;
  }
}

/** Returns whether `frame` belongs to a finished hook run. */
export function isFinished(frame: ExecutionFrame): boolean {
  return frame instanceof HookFrame && frame.finished;
}

/**
 * Returns the nearest frame of `frame`'s chain, itself included, that is not a finished hook run. New frames use it as parent, so that a
 * timer that re-arms itself through hooks does not grow an endless chain.
 */
export function nearestRunning(frame: ExecutionFrame | undefined): ExecutionFrame | undefined {
  while (frame !== undefined && isFinished(frame)) frame = frame.parent;
  return frame;
}

/** Returns the nearest unfinished hook run that contains `frame`. */
export function nearestHookFrame(frame: ExecutionFrame | undefined): HookFrame | undefined {
  for (; frame !== undefined; frame = frame.parent) {
    if (frame instanceof HookFrame && !frame.finished) return frame;
  }
  return undefined;
}

/** Marks every hook run that contains `frame`, so that a run that was too deep ends as a whole. */
export function cutRuns(frame: ExecutionFrame | undefined): void {
  for (; frame !== undefined; frame = frame.parent) {
    if (frame instanceof HookFrame) frame.cut = true;
  }
}
