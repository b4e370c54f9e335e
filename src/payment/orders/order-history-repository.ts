import { Injectable } from '@nestjs/common';

import { Clock, type TextParams } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { OrderHistoryEntry } from '../entities/index.js';

/** Kinds of history entries of an order; its creation and payment have rows of their own. */
export type OrderHistoryKind =
  'sent' | 'not_sent' | 'refused' | 'repeated' | 'closed' | 'note' | 'by_hand' | 'retried' | 'found' | 'unverified';

/** Kinds that outsiders can cause any number of times: only so many of a kind are kept per order. */
const REPEATABLE: readonly OrderHistoryKind[] = ['sent', 'not_sent', 'refused', 'repeated', 'unverified'];
const MAX_PER_KIND = 50;
/** Maximum entries shown per order. */
const MAX_ENTRIES = 500;

/** Author of a history entry. */
export interface OrderActor {
  /** `admin`, `user`, `cron`, or the slug of a gateway or plugin. */
  readonly source: string;
  /** Name of the administrator. */
  readonly actor?: string;
}

/** Stores the history of orders, as part of an open transaction if there is one. */
@Injectable()
export class OrderHistoryRepository {
  private readonly insert;
  private readonly count;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `INSERT INTO {OrderHistoryEntry} ({OrderHistoryEntry.orderId}, {OrderHistoryEntry.what}, {OrderHistoryEntry.source},
        {OrderHistoryEntry.actor}, {OrderHistoryEntry.params}, {OrderHistoryEntry.createdAt}) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.count = database.statement<{ total: number }>(
      'SELECT COUNT(*) AS total FROM {OrderHistoryEntry} WHERE {OrderHistoryEntry.orderId} = ? AND {OrderHistoryEntry.what} = ?',
    );
  }

  async add(orderId: number, what: OrderHistoryKind, { source, actor }: OrderActor, params: TextParams = {}): Promise<void> {
    if (REPEATABLE.includes(what) && Number((await this.count.get(orderId, what))?.total ?? 0) >= MAX_PER_KIND) return;
    await this.insert.run(orderId, what, source.slice(0, 64), actor?.slice(0, 64) ?? null, JSON.stringify(params), this.clock.now());
  }

  /** Returns the history of an order, the oldest first. */
  of(orderId: number): Promise<OrderHistoryEntry[]> {
    return this.database.repository(OrderHistoryEntry).find({ where: { orderId }, order: { id: 'ASC' }, take: MAX_ENTRIES });
  }
}
