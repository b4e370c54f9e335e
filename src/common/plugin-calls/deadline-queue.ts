import { executionContext } from './context.js';

/** A call with a deadline. */
interface Pending {
  /** Deadline, in `performance.now()` time. */
  readonly due: number;
  readonly expire: () => void;
  previous: Pending | null;
  next: Pending | null;
  queue: Queue | null;
}

/** Calls with the same timeout, so that they expire in the order they were added. */
interface Queue {
  readonly milliseconds: number;
  first: Pending | null;
  last: Pending | null;
  armed: boolean;
}

/** A pending call, for {@link DeadlineQueues.release}. */
export type WatchedCall = Pending;

/**
 * Deadlines of many calls with a single timer per timeout length, because a timer per call would cost more than most calls do.
 * A timer that fires before the first call expires is set again for the remaining time.
 */
export class DeadlineQueues {
  private readonly queues = new Map<number, Queue>();

  /** Calls `expire` after `milliseconds`, unless the returned call is released before. */
  watch(milliseconds: number, now: number, expire: () => void): WatchedCall {
    let queue = this.queues.get(milliseconds);
    if (queue === undefined) this.queues.set(milliseconds, (queue = { milliseconds, first: null, last: null, armed: false }));
    const call: Pending = { due: now + milliseconds, expire, previous: queue.last, next: null, queue };
    if (queue.last === null) queue.first = call;
    else queue.last.next = call;
    queue.last = call;
    if (!queue.armed) this.arm(queue, milliseconds);
    return call;
  }

  /** Ends the watch of a call; returns false if it had already expired. */
  release(call: WatchedCall): boolean {
    const { queue, previous, next } = call;
    if (queue === null) return false;
    call.queue = null;
    if (previous === null) queue.first = next;
    else previous.next = next;
    if (next === null) queue.last = previous;
    else next.previous = previous;
    return true;
  }

  private arm(queue: Queue, milliseconds: number): void {
    queue.armed = true;
    // Detached from the current context: the timer serves calls of all plugins and requests, not only the one that set it.
    executionContext.exit(() => setTimeout(() => this.onTimer(queue), milliseconds).unref());
  }

  private onTimer(queue: Queue): void {
    queue.armed = false;
    const now = performance.now();
    // Timers fire up to a millisecond early.
    for (let call = queue.first; call !== null && call.due <= now + 1; call = queue.first) {
      this.release(call);
      call.expire();
    }
    if (queue.first !== null) this.arm(queue, Math.max(1, Math.ceil(queue.first.due - now)));
    else this.queues.delete(queue.milliseconds);
  }
}
