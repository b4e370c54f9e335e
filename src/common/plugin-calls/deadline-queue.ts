import { executionContext } from './context.js';

/** One call that has to end in time. */
interface Pending {
  /** `performance.now()` at which its time is up. */
  readonly due: number;
  readonly expire: () => void;
  previous: Pending | null;
  next: Pending | null;
  queue: Queue | null;
}

/** Calls that have the same time, so that the first to come is the first whose time is up. */
interface Queue {
  readonly milliseconds: number;
  first: Pending | null;
  last: Pending | null;
  armed: boolean;
}

/** A call under watch, for {@link DeadlineQueues.release}. */
export type WatchedCall = Pending;

/**
 * Deadlines of many calls behind one timer for each length of time, because a timer for each call would cost more than most
 * calls do. A timer that rings too early for the call now in front is set again for the rest.
 */
export class DeadlineQueues {
  private readonly queues = new Map<number, Queue>();

  /** Calls `expire` in `milliseconds`, unless the answer is released before. */
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

  /** The call has ended; false when its time was up already. */
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
    // Outside of everything: the timer serves calls of all plugins and requests, not the one that happened to set it.
    executionContext.exit(() => setTimeout(() => this.ring(queue), milliseconds).unref());
  }

  private ring(queue: Queue): void {
    queue.armed = false;
    const now = performance.now();
    // Timers ring up to a millisecond early.
    for (let call = queue.first; call !== null && call.due <= now + 1; call = queue.first) {
      this.release(call);
      call.expire();
    }
    if (queue.first !== null) this.arm(queue, Math.max(1, Math.ceil(queue.first.due - now)));
    else this.queues.delete(queue.milliseconds);
  }
}
