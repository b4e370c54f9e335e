import { createHash } from 'node:crypto';

import type { PluginCalls } from '../../common/index.js';
import type { EventInfo } from '../../sdk/index.js';

import type { ClaimedDelivery, StoredEvent } from './delivery-queue.js';
import type { DurableListener } from './durable-listeners.js';

/** The listener was removed before its turn, for example by an upgrade of its plugin: the event waits until it is registered again. */
export class ListenerRemoved extends Error {}

/** One attempt of one listener. */
export class DeliveryRun {
  /** Resolves when the listener finishes; rejects if it fails or misses its deadline. */
  readonly outcome: Promise<void>;

  constructor(
    readonly delivery: ClaimedDelivery,
    readonly listener: DurableListener,
    readonly startedAt: Date,
    private readonly calls: PluginCalls,
    loadEvent: () => Promise<StoredEvent | undefined>,
    private readonly isRegistered: () => boolean,
  ) {
    this.outcome = this.call(loadEvent);
  }

  private async call(loadEvent: () => Promise<StoredEvent | undefined>): Promise<void> {
    const event = await loadEvent();
    if (!event) throw new Error(`The event ${this.delivery.eventId} no longer exists.`);
    const info = eventInfo(event, this.delivery);
    const args = JSON.parse(event.args) as unknown[];
    if (!this.isRegistered()) throw new ListenerRemoved();
    const { owner, deadline } = this.listener;
    const place = this.calls.place(owner, `listener of ${event.hook}`);
    await this.calls.run(place, { kind: 'durable', deadline, frame: { hook: event.hook, event: info } }, () => this.listener.call(...args));
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
 * The key includes the time of the event, so that two panels that share an outside account, or a panel with a recreated database, do not
 * use the same key for two events.
 */
function idempotencyKey(event: StoredEvent, listenerKey: string): string {
  return createHash('sha256').update(`${event.id}:${event.createdAt}:${listenerKey}`).digest('hex');
}
