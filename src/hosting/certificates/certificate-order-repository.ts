import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, LessThanOrEqual } from 'typeorm';

import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { CertificateOrder } from '../entities/index.js';

import type { OrderProblem } from './acme/index.js';
import { refuse } from './certificate-errors.js';

/** Name of the background task that sees an order through. */
export const ORDER_TASK = 'certificate.order';
/** Where keys of certificates on order are sealed for. */
const ORDER_KEY_PLACE = 'certificate.order';
/** How long orders that ended are kept. */
const KEPT_MS = 30 * DAY_MS;
/** An open order nobody has touched for so long has lost its task. */
const SILENT_MS = 2 * HOUR_MS;

/** Steps of a certificate order, in their sequence. */
export const ORDER_STEPS = ['waiting', 'ordering', 'proving', 'issuing', 'installing'] as const;
/** One of {@link ORDER_STEPS}. */
export type OrderStep = (typeof ORDER_STEPS)[number];

/** Rows of orders. An order goes on where its row says, and whatever is decided about it is one conditional change. */
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

  /** The newest order of a site; null where there was none lately. */
  newest(accountId: number): Promise<CertificateOrder | null> {
    return this.rows.findOne({ where: { accountId }, order: { id: 'DESC' } });
  }

  /** Opens an order and has it worked on. @throws CertificateError BUSY where the site has an open one */
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

  /** Does what is of orders and of the certificate they end with in one transaction. */
  together<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(work);
  }

  /** Writes down how far an open order is. @returns false where it is not open any more */
  async advance(
    id: number,
    values: Partial<Pick<CertificateOrder, 'orderUrl'>> & { step?: OrderStep; key?: string | null },
  ): Promise<boolean> {
    const { key, ...rest } = values;
    const sealed = key === undefined ? {} : { sealedKey: key === null ? null : this.secrets.seal(key, ORDER_KEY_PLACE) };
    return this.change(id, { ...rest, ...sealed, problem: '', problemParams: {}, retryAt: null });
  }

  /** The key of the certificate an order is for; null where it has none yet. */
  keyOf({ sealedKey }: CertificateOrder): string | null {
    return sealedKey === null ? null : this.secrets.open(sealedKey, ORDER_KEY_PLACE);
  }

  /**
   * Writes down what keeps an open order from going on.
   *
   * @param until when somebody goes on with it; null: its task tries again by itself
   */
  stall(id: number, problem: OrderProblem, params: Readonly<Record<string, string>>, until: Date | null): Promise<boolean> {
    return this.change(id, { problem, problemParams: { ...params }, retryAt: until });
  }

  /** Ends an open order, once. @returns false where it had ended */
  end(
    id: number,
    state: 'done' | 'failed',
    problem: OrderProblem | '' = '',
    params: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const ended = { state, openFor: null, sealedKey: null, retryAt: null, endedAt: this.clock.now() };
    return this.change(id, { ...ended, problem, problemParams: { ...params } });
  }

  /** Ends what is open for a site: somebody decided otherwise. @returns the order as it was; null where none was open */
  async cancel(accountId: number): Promise<CertificateOrder | null> {
    const open = await this.rows.findOneBy({ openFor: accountId });
    return open !== null && (await this.end(open.id, 'failed', 'cancelled')) ? open : null;
  }

  /** Has an order go on that was cancelled for something that came to nothing, as it was; one that was opened since comes first. */
  async reopen({ id, accountId, sealedKey, problem, problemParams, retryAt }: CertificateOrder): Promise<void> {
    const open = { state: 'open', openFor: accountId, endedAt: null, sealedKey, problem, problemParams } as const;
    const cancelled = { id, state: 'failed', problem: 'cancelled' } as const;
    try {
      await this.database.transaction(async () => {
        // Its task may have seen that it was cancelled, and end: then the next look at what waits goes on with it.
        const { affected } = await this.rows.update(cancelled, { ...open, retryAt: retryAt ?? this.clock.now() });
        if (affected === 1 && retryAt === null) await this.enqueue(id);
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }

  /** Has orders worked on whose wait is over, and those whose task was lost. @returns how many */
  async resume(): Promise<number> {
    const now = this.clock.now();
    const silent = new Date(now.getTime() - SILENT_MS);
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

  /** Forgets orders that ended long ago. */
  async forget(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
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
