import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, LessThanOrEqual } from 'typeorm';

import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { CertificateOrder } from '../entities/index.js';

import type { OrderProblem } from './acme/index.js';
import { refuse } from './certificate-errors.js';

/** Name of the background task that completes an order. */
export const ORDER_TASK = 'certificate.order';
/** Purpose for which keys of ordered certificates are sealed. */
const ORDER_KEY_PLACE = 'certificate.order';
/** How long ended orders are kept, in milliseconds. */
const RETENTION_MS = 30 * DAY_MS;
/** After this time, in milliseconds, an open order that is not waiting has lost its task. */
const LOST_TASK_MS = 2 * HOUR_MS;

/** Steps of a certificate order, in sequence. */
export const ORDER_STEPS = ['waiting', 'ordering', 'proving', 'issuing', 'installing'] as const;
/** One of {@link ORDER_STEPS}. */
export type OrderStep = (typeof ORDER_STEPS)[number];

/** Rows of orders. An order continues from the step in its row, and every decision about it is one conditional update. */
@Injectable()
export class CertificateOrderRepository {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(CertificateOrder);
  }

  find(id: number): Promise<CertificateOrder | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns the newest order of a site; null if there was none recently. */
  newest(accountId: number): Promise<CertificateOrder | null> {
    return this.rows.findOne({ where: { accountId }, order: { id: 'DESC' } });
  }

  /** Opens an order and queues its task. @throws CertificateError BUSY when the site has an open one */
  async open(accountId: number, names: readonly string[], directory: string, isRenewal: boolean, by?: string): Promise<number> {
    const row = this.rows.create({
      accountId,
      state: 'open',
      openFor: accountId,
      names: [...names],
      directory,
      isRenewal,
      step: 'waiting',
      orderUrl: '',
      sealedKey: null,
      problem: '',
      problemParams: {},
      retryAt: null,
      createdAt: this.clock.now(),
      endedAt: null,
    });
    try {
      await this.database.transaction(async () => {
        await this.rows.insert(row);
        await this.enqueue(row.id, by);
      });
    } catch (error) {
      if (isUniqueViolation(error)) refuse('BUSY');
      throw error;
    }
    return row.id;
  }

  /** Runs changes of orders and certificates in one transaction. */
  inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(work);
  }

  /** Saves the progress of an open order. @returns false when it is no longer open */
  async advance(
    id: number,
    values: Partial<Pick<CertificateOrder, 'orderUrl'>> & { step?: OrderStep; key?: string | null },
  ): Promise<boolean> {
    const { key, ...rest } = values;
    const sealed = key === undefined ? {} : { sealedKey: key === null ? null : this.secrets.seal(key, ORDER_KEY_PLACE) };
    return this.change(id, { ...rest, ...sealed, problem: '', problemParams: {}, retryAt: null });
  }

  /** Returns the key of the ordered certificate; null if it has none yet. */
  keyOf({ sealedKey }: CertificateOrder): string | null {
    return sealedKey === null ? null : this.secrets.open(sealedKey, ORDER_KEY_PLACE);
  }

  /**
   * Saves why an open order cannot continue.
   *
   * @param until when to resume it; null: its task retries automatically
   */
  stall(id: number, problem: OrderProblem, params: Readonly<Record<string, string>>, until: Date | null): Promise<boolean> {
    return this.change(id, { problem, problemParams: { ...params }, retryAt: until });
  }

  /** Ends an open order, once. @returns false when it had ended already */
  end(
    id: number,
    state: 'done' | 'failed',
    problem: OrderProblem | '' = '',
    params: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const ended = { state, openFor: null, sealedKey: null, retryAt: null, endedAt: this.clock.now() };
    return this.change(id, { ...ended, problem, problemParams: { ...params } });
  }

  /** Cancels the open order of a site. @returns the order as it was; null if none was open */
  async cancel(accountId: number): Promise<CertificateOrder | null> {
    const open = await this.rows.findOneBy({ openFor: accountId });
    return open !== null && (await this.end(open.id, 'failed', 'cancelled')) ? open : null;
  }

  /** Reopens an order whose cancellation is reverted, unless the site has a newer open one. */
  async reopen({ id, accountId, sealedKey, problem, problemParams, retryAt }: CertificateOrder): Promise<void> {
    const open = { state: 'open', openFor: accountId, endedAt: null, sealedKey, problem, problemParams } as const;
    const cancelled = { id, state: 'failed', problem: 'cancelled' } as const;
    try {
      await this.database.transaction(async () => {
        // Its task may have noticed the cancellation and be about to end: then the next check of waiting orders resumes it.
        const { affected } = await this.rows.update(cancelled, { ...open, retryAt: retryAt ?? this.clock.now() });
        if (affected === 1 && retryAt === null) await this.enqueue(id);
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Queues orders whose wait is over, and those whose task was lost. @returns how many */
  async resume(): Promise<number> {
    const now = this.clock.now();
    const silent = new Date(now.getTime() - LOST_TASK_MS);
    const due = await this.rows.find({
      where: [
        { state: 'open', retryAt: LessThanOrEqual(now) },
        { state: 'open', retryAt: IsNull(), createdAt: LessThan(silent) },
      ],
      order: { id: 'ASC' },
      take: 500,
    });
    for (const { id } of due) await this.enqueue(id);
    return due.length;
  }

  /** Deletes orders that ended long ago. */
  async forget(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    await this.rows.delete({ state: In(['done', 'failed']), createdAt: LessThan(before) });
  }

  private async enqueue(id: number, by?: string): Promise<void> {
    await this.queue.add(ORDER_TASK, { order: id }, { key: String(id), ...(by === undefined ? {} : { by }) });
  }

  private async change(id: number, values: Partial<CertificateOrder>): Promise<boolean> {
    const { affected } = await this.rows.update({ id, state: 'open' }, values);
    return (affected ?? 0) > 0;
  }
}
