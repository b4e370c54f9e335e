import { createHmac } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

import { Deliveries, type Outcome } from './deliveries.js';
import { WebhookSettings } from './webhook-settings.js';

/** Deliveries per tick. */
const AT_ONCE = 50;
/** Maximum duration of a tick, in milliseconds, so that a slow webhook delays nothing else. */
const TICK_MS = 50_000;

/** An event to deliver. */
export interface WebhookEvent {
  readonly event: string;
  /** The same for repetitions of an event. */
  readonly key: string;
  readonly payload: Record<string, unknown>;
}

/** Sends deliveries to the configured URL. */
@Injectable()
export class Sender {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(WebhookSettings) private readonly settings: WebhookSettings,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
  ) {}

  /** Queues an event if it is enabled, and sends it without being awaited. */
  async queue(event: WebhookEvent): Promise<void> {
    const { enabled, events } = await this.settings.read();
    if (!enabled || (events.length > 0 && !events.includes(event.event))) return;
    const id = await this.write(event);
    if (id !== null) void this.send(id).catch((error: unknown) => this.svc.log.warn('a delivery waits for its next attempt', { error }));
  }

  /** Sends a test immediately. @returns its outcome */
  async test(): Promise<Outcome> {
    const id = await this.write({
      event: 'webhook.test',
      key: `test-${Date.now()}-${Math.random()}`,
      payload: { ctx: { source: 'admin' } },
    });
    return (await this.send(id!)) ?? { ok: false, status: 0, error: '' };
  }

  /** Sends due deliveries. */
  async sendDue(): Promise<void> {
    const began = Date.now();
    await this.deliveries.sweep(began);
    if (!(await this.settings.read()).enabled) return;
    for (const id of await this.deliveries.due(began, AT_ONCE)) {
      if (Date.now() - began > TICK_MS) return;
      await this.send(id);
    }
  }

  /** Makes one attempt at a delivery; null if another process does. */
  async send(id: number): Promise<Outcome | null> {
    const delivery = await this.deliveries.claim(id, Date.now());
    if (!delivery) return null;
    const outcome = await this.post(delivery.id, delivery.event, delivery.body);
    await this.deliveries.record(delivery, outcome, Date.now());
    return outcome;
  }

  private write({ event, key, payload }: WebhookEvent): Promise<number | null> {
    const now = new Date();
    return this.deliveries.add(
      key,
      event,
      JSON.stringify({ event, time: now.toISOString(), source: this.svc.site.url(), payload }),
      now.getTime(),
    );
  }

  private async post(id: number, event: string, body: string): Promise<Outcome> {
    const { url, secret } = await this.settings.read();
    if (url === '') return { ok: false, status: 0, error: 'no address' };
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-SVC-Event': event,
      'X-SVC-Delivery': String(id),
      ...(secret === '' ? {} : { 'X-SVC-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    };
    const { ok, code, error } = await this.svc.svc_http_post(url, Buffer.from(body), headers);
    return { ok, status: code, error: ok ? '' : error || `HTTP ${code}` };
  }
}
