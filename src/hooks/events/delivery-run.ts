import { createHash } from 'node:crypto';

import { runInFrame } from '../../common/index.js';
import type { EventInfo } from '../../sdk/index.js';

import type { ClaimedDelivery, StoredEvent } from './delivery-queue.js';
import type { DurableListener } from './durable-listeners.js';

/** One attempt of one listener. */
export class DeliveryRun {
  /** Ends with the listener, or rejects when the attempt is given up. */
  readonly outcome: Promise<void>;
  private reject!: (error: Error) => void;

  constructor(
    readonly delivery: ClaimedDelivery,
    readonly listener: DurableListener,
    readonly startedAt: Date,
    loadEvent: () => Promise<StoredEvent | undefined>,
  ) {
    const givenUp = new Promise<never>((_resolve, reject) => (this.reject = reject));
    this.outcome = Promise.race([this.call(loadEvent), givenUp]);
  }

  /** Ends the attempt as a failure; the listener's code cannot be stopped, but nobody waits for it any more. */
  giveUp(error: Error): void {
    this.reject(error);
  }

  private async call(loadEvent: () => Promise<StoredEvent | undefined>): Promise<void> {
    const event = await loadEvent();
    if (!event) throw new Error(`The event ${this.delivery.eventId} is gone.`);
    const info = eventInfo(event, this.delivery);
    const args = JSON.parse(event.args) as unknown[];
    await runInFrame({ owner: this.listener.owner, hook: event.hook, event: info }, async () => this.listener.call(...args));
  }
}

function eventInfo(event: StoredEvent, delivery: ClaimedDelivery): EventInfo {
  return {
    id: event.id,
    hook: event.hook,
    source: event.source,
    row: JSON.parse(event.row) as Record<string, unknown>,
    idempotencyKey: idempotencyKey(event, delivery.listenerKey),
    attempt: delivery.attempt,
  };
}

/**
 * The time of the event is part of it, so that two panels that use one outside account, or a panel whose database was made anew,
 * do not give two events the same key.
 */
function idempotencyKey(event: StoredEvent, listenerKey: string): string {
  return createHash('sha256').update(`${event.id}:${event.createdAt}:${listenerKey}`).digest('hex');
}
