import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import { DELIVERY_DATABASE } from './delivery-database.js';

/** Minutes until the retry after the first, second … failure; after the last retry the delivery fails. */
const AGAIN_AFTER_MINUTES = [1, 5, 30, 120, 720];
/** How long a claimed delivery is not sent by another process, in milliseconds: longer than a request may take. */
const CLAIM_MS = 60_000;
/** Retention of the log, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/** Delivery of one event. Times are milliseconds since 1970. */
export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly state: WebhookDeliveryState;
  readonly attempts: number;
  readonly created_at: number;
  readonly due_at: number;
  readonly sent_at: number | null;
  /** HTTP status of the last answer; 0 for none. */
  readonly status: number;
  /** Error of the last attempt. */
  readonly error: string;
}

export type WebhookDeliveryState = 'waiting' | 'sent' | 'failed';

/** Outcome of an attempt. */
export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly error: string;
}

/** Delivery log and queue. Every step is a single conditional statement, because several processes share it. */
@Injectable()
export class Deliveries {
  constructor(@Inject(DELIVERY_DATABASE) private readonly db: PluginDatabase) {}

  /** Adds a delivery. @returns its id; null if the event already has one */
  async add(key: string, event: string, body: string, now: number): Promise<number | null> {
    if ((await this.db.query('SELECT id FROM {delivery} WHERE event_key = ?', [key])).length > 0) return null;
    try {
      const { insertId } = await this.db.run(
        "INSERT INTO {delivery} (event_key, event, body, state, created_at, due_at) VALUES (?, ?, ?, 'waiting', ?, ?)",
        [key, event, body, now, now],
      );
      return insertId;
    } catch (error) {
      // Another process added it at the same moment.
      if ((await this.db.query('SELECT id FROM {delivery} WHERE event_key = ?', [key])).length > 0) return null;
      throw error;
    }
  }

  /** Returns the ids of due deliveries, oldest first. */
  async due(now: number, limit: number): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>(
      `SELECT id FROM {delivery} WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, id LIMIT ${limit}`,
      [now],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Claims a due delivery for one attempt; null if another process did. */
  async claim(id: number, now: number): Promise<Delivery | null> {
    const { affected } = await this.db.run(
      "UPDATE {delivery} SET due_at = ?, attempts = attempts + 1 WHERE id = ? AND state = 'waiting' AND due_at <= ?",
      [now + CLAIM_MS, id, now],
    );
    return affected === 0 ? null : this.get(id);
  }

  /** Records an attempt's outcome: sent, to be retried, or failed. */
  async record({ id, attempts }: Delivery, { ok, status, error }: Outcome, now: number): Promise<void> {
    const minutes = AGAIN_AFTER_MINUTES[attempts - 1];
    const state: WebhookDeliveryState = ok ? 'sent' : minutes === undefined ? 'failed' : 'waiting';
    await this.db.run(
      "UPDATE {delivery} SET state = ?, due_at = ?, sent_at = ?, status = ?, error = ? WHERE id = ? AND attempts = ? AND state = 'waiting'",
      [state, now + (minutes ?? 0) * 60_000, ok ? now : null, status, error.slice(0, 200), id, attempts],
    );
  }

  /** Schedules a sent or failed delivery again. @returns whether it exists */
  async again(id: number, now: number): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {delivery} SET state = 'waiting', attempts = 0, due_at = ? WHERE id = ? AND state <> 'waiting'",
      [now, id],
    );
    return affected > 0;
  }

  async get(id: number): Promise<Delivery | null> {
    return (await this.db.query<Delivery>('SELECT * FROM {delivery} WHERE id = ?', [id]))[0] ?? null;
  }

  /** Returns a page of the log, newest first. @param state empty for all */
  async page(state: string, offset: number, limit: number): Promise<{ total: number; rows: Delivery[] }> {
    const [where, params] = state === '' ? ['', []] : ['WHERE state = ?', [state]];
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {delivery} ${where}`, params);
    const rows = await this.db.query<Delivery>(
      `SELECT * FROM {delivery} ${where} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
      params,
    );
    return { total: Number(count!.n), rows };
  }

  /** Deletes entries older than the retention. */
  async sweep(now: number): Promise<void> {
    await this.db.run("DELETE FROM {delivery} WHERE created_at < ? AND state <> 'waiting'", [now - KEPT_MS]);
  }
}
