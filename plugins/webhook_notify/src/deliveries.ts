import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import { DELIVERY_DATABASE } from './delivery-database.js';

/** Minutes until a delivery is tried again, after its first, second … failure; after the last one it is given up. */
const AGAIN_AFTER_MINUTES = [1, 5, 30, 120, 720];
/** While it is being sent nobody else sends it, for so many milliseconds: longer than a request may take. */
const CLAIM_MS = 60_000;
/** Milliseconds that the log keeps. */
const KEPT_MS = 30 * 86_400_000;

/** One event on its way to the address. Times are milliseconds since 1970. */
export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly created_at: number;
  readonly due_at: number;
  readonly sent_at: number | null;
  /** HTTP status of the last answer; 0: there was none. */
  readonly status: number;
  /** Why the last attempt failed. */
  readonly error: string;
}

export type DeliveryState = 'waiting' | 'sent' | 'failed';

/** What an attempt came to. */
export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly error: string;
}

/** The log of deliveries, and what of it is still to be sent. Every step is one conditional statement: several processes share it. */
@Injectable()
export class Deliveries {
  constructor(@Inject(DELIVERY_DATABASE) private readonly db: PluginDatabase) {}

  /** Writes a delivery down. @returns its id; null where that event is there already */
  async add(key: string, event: string, body: string, now: number): Promise<number | null> {
    if ((await this.db.query('SELECT id FROM {delivery} WHERE event_key = ?', [key])).length > 0) return null;
    try {
      const { insertId } = await this.db.run(
        "INSERT INTO {delivery} (event_key, event, body, state, created_at, due_at) VALUES (?, ?, ?, 'waiting', ?, ?)",
        [key, event, body, now, now],
      );
      return insertId;
    } catch (error) {
      // Another process was told of it at the same moment.
      if ((await this.db.query('SELECT id FROM {delivery} WHERE event_key = ?', [key])).length > 0) return null;
      throw error;
    }
  }

  /** Ids of those whose time has come, the oldest first. */
  async due(now: number, limit: number): Promise<number[]> {
    const rows = await this.db.query<{ id: number }>(
      `SELECT id FROM {delivery} WHERE state = 'waiting' AND due_at <= ? ORDER BY due_at, id LIMIT ${limit}`,
      [now],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Takes one that is due, for one attempt; null where somebody else did. */
  async claim(id: number, now: number): Promise<Delivery | null> {
    const { affected } = await this.db.run(
      "UPDATE {delivery} SET due_at = ?, attempts = attempts + 1 WHERE id = ? AND state = 'waiting' AND due_at <= ?",
      [now + CLAIM_MS, id, now],
    );
    return affected === 0 ? null : this.get(id);
  }

  /** Writes down what an attempt came to: sent, to be tried again, or given up. */
  async record({ id, attempts }: Delivery, { ok, status, error }: Outcome, now: number): Promise<void> {
    const minutes = AGAIN_AFTER_MINUTES[attempts - 1];
    const state: DeliveryState = ok ? 'sent' : minutes === undefined ? 'failed' : 'waiting';
    await this.db.run(
      "UPDATE {delivery} SET state = ?, due_at = ?, sent_at = ?, status = ?, error = ? WHERE id = ? AND attempts = ? AND state = 'waiting'",
      [state, now + (minutes ?? 0) * 60_000, ok ? now : null, status, error.slice(0, 200), id, attempts],
    );
  }

  /** Has one that was sent or given up sent once more. @returns whether there was one */
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

  /** A page of the log, newest first. @param state empty: all */
  async page(state: string, offset: number, limit: number): Promise<{ total: number; rows: Delivery[] }> {
    const [where, params] = state === '' ? ['', []] : ['WHERE state = ?', [state]];
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {delivery} ${where}`, params);
    const rows = await this.db.query<Delivery>(
      `SELECT * FROM {delivery} ${where} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
      params,
    );
    return { total: Number(count!.n), rows };
  }

  /** Forgets what is older than the log keeps. */
  async sweep(now: number): Promise<void> {
    await this.db.run("DELETE FROM {delivery} WHERE created_at < ? AND state <> 'waiting'", [now - KEPT_MS]);
  }
}
