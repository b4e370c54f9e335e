import type { ExecutionFrame } from '../common/index.js';
import type { CallContext, EventInfo } from '../sdk/index.js';

/** Hook runs that may stand inside one another. A circle of listeners ends here, long before the stack or the memory does. */
export const MAX_HOOK_DEPTH = 200;

/**
 * The frame listeners of one owner run in. It outlives its run where a listener left a timer or a promise behind, so it
 * says when the run is over: what runs later is still the owner's code, but no longer inside the hook.
 */
export class HookFrame implements ExecutionFrame {
  readonly event: EventInfo | undefined;
  readonly call: CallContext | undefined;
  /** Hook runs this one stands in, itself included; 1 for an outermost run. */
  readonly depth: number;
  finished = false;
  /** Set when a run below went too deep: nothing below this frame fires hooks any more, else two circling listeners would fan out. */
  cut: boolean;

  /**
   * @param parent the nearest frame still running
   * @param outer the hook run around it, see {@link nearestHookFrame}
   * @param origin the frame to inherit request and event from
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

/** Whether `frame` belongs to a hook run that is over. */
export function isFinished(frame: ExecutionFrame): boolean {
  return frame instanceof HookFrame && frame.finished;
}

/**
 * The nearest frame of `frame`'s chain, itself included, that is not a finished hook run. New frames hang on this one, so that
 * a timer that re-arms itself through hooks does not grow a chain for ever.
 */
export function nearestRunning(frame: ExecutionFrame | undefined): ExecutionFrame | undefined {
  while (frame !== undefined && isFinished(frame)) frame = frame.parent;
  return frame;
}

/** The nearest hook run of the registry that `frame` stands in and that is still going on. */
export function nearestHookFrame(frame: ExecutionFrame | undefined): HookFrame | undefined {
  for (; frame !== undefined; frame = frame.parent) {
    if (frame instanceof HookFrame && !frame.finished) return frame;
  }
  return undefined;
}

/** Marks every hook run around `frame`, so that a run which went too deep ends as a whole. */
export function cutRuns(frame: ExecutionFrame | undefined): void {
  for (; frame !== undefined; frame = frame.parent) {
    if (frame instanceof HookFrame) frame.cut = true;
  }
}
