import { Injectable } from '@nestjs/common';

import { DEFAULT_LOCALE, errorMessage, loggerFor, translate, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import type { GatewayPayment } from '../../sdk/index.js';
import { PaymentTransaction, type Order, type Said } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { GatewayCalls } from '../gateways/index.js';
import { OrderHistoryRepository, type OrderActor, Orders } from '../orders/index.js';
import { Settlement } from '../settlement/index.js';

import { InquiryRepository } from './inquiry-repository.js';

const log = loggerFor('payment');

/** Maximum inquiries per gateway in one run, and at a time. */
const PER_RUN = 60;
const CONCURRENCY = 2;
/** Time limit of a run per gateway, in milliseconds; the rest is left to the next run. */
const RUN_MS = 40_000;

/**
 * Outcome of an inquiry. `settled`: the order is paid by it; `second`: it was already paid through another gateway;
 * `refused`: the payment does not match the order.
 */
export type InquiryOutcome = Exclude<Said, '' | 'paid'> | 'silent' | 'known' | 'settled' | 'second' | 'refused';

/** Result of an inquiry. */
export interface InquiryAnswer {
  readonly gateway: string;
  readonly outcome: InquiryOutcome;
  /** Error message. */
  readonly words: string;
}

const SYSTEM_ACTOR: OrderActor = { source: 'cron' };

/**
 * Queries gateways about orders whose payment notification may have been lost. A payment found is settled like a
 * notification, with the same checks. A gateway that hangs or fails delays only its own orders.
 */
@Injectable()
export class Inquiries {
  constructor(
    private readonly database: Database,
    private readonly repository: InquiryRepository,
    private readonly calls: GatewayCalls,
    private readonly orders: Orders,
    private readonly settlement: Settlement,
    private readonly history: OrderHistoryRepository,
  ) {}

  /** Processes all due inquiries. @returns the number of inquiries */
  @Job({ name: 'payment-inquiries', everyMinutes: 1, timeoutMinutes: 10 })
  async askDue(turn?: JobTurn): Promise<number> {
    const gateways = await this.calls.askable();
    const lanes = await Promise.allSettled(gateways.map((gateway) => this.askGateway(gateway, turn)));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    return lanes.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 0);
  }

  /**
   * Queries a gateway about an order now, regardless of its state; never within a transaction. Never throws for errors of the gateway.
   *
   * @param actor who requested it
   */
  async ask(order: Order, gateway: string, actor: OrderActor = SYSTEM_ACTOR, locale: Locale = DEFAULT_LOCALE): Promise<InquiryAnswer> {
    let payment: GatewayPayment;
    try {
      payment = await this.calls.query(order, gateway, locale);
    } catch (error) {
      const words = error instanceof PaymentError ? translate(locale, error.shape.text, error.params) : errorMessage(error);
      // Only the gateway's own message is stored; the panel's texts are in the reader's language.
      const own = error instanceof PaymentError ? (error.params.reason ?? '') : words;
      await this.repository.recordAnswer(order.id, gateway, 'failed', String(own), false);
      const isSilent = error instanceof PaymentError && error.code === 'GATEWAY_SILENT';
      return { gateway, outcome: isSilent ? 'silent' : 'failed', words };
    }
    if (payment.state === 'paid') return this.found(order.id, gateway, payment, actor);
    await this.repository.recordAnswer(order.id, gateway, payment.state, '', payment.state !== 'unpaid');
    return { gateway, outcome: payment.state, words: '' };
  }

  /** The gateway reports a payment: ignored if it already settled the order, otherwise settled or recorded as a second payment. */
  private found(orderId: number, gateway: string, payment: GatewayPayment, actor: OrderActor): Promise<InquiryAnswer> {
    const { trade_no, amount, currency } = payment;
    return this.database.transaction(async () => {
      const order = await this.orders.get(orderId);
      if (!order) return { gateway, outcome: 'known', words: '' };
      await this.repository.recordAnswer(orderId, gateway, 'paid', '', true);
      if (await this.isSettledBy(orderId, gateway)) return { gateway, outcome: 'known', words: '' };
      const extra = { trade_no, amount, ...(currency !== undefined && { currency }), raw: { found_by: 'query' } };
      const { ok, already, msg } = await this.settlement.settle(order.number, gateway, extra);
      if (!ok) {
        await this.repository.recordAnswer(orderId, gateway, 'paid', msg, true);
        return { gateway, outcome: 'refused', words: msg };
      }
      if (already) return { gateway, outcome: 'second', words: '' };
      await this.history.add(orderId, 'found', actor, { gateway });
      log.warn({ order: order.number, gateway }, 'a payment without a notification was found by querying its gateway');
      return { gateway, outcome: 'settled', words: '' };
    });
  }

  private async askGateway(gateway: string, turn: JobTurn | undefined): Promise<number> {
    const due = await this.repository.due(gateway, PER_RUN);
    const end = performance.now() + RUN_MS;
    let [next, count, isSilent] = [0, 0, false];
    const work = async (): Promise<void> => {
      while (next < due.length && !isSilent && performance.now() < end) {
        turn?.signal.throwIfAborted();
        const inquiry = due[next]!;
        next += 1;
        if (!(await this.repository.claim(inquiry))) continue;
        const order = await this.orders.get(inquiry.orderId);
        if (!order) continue;
        if (await this.isSettledBy(order.id, gateway)) {
          await this.repository.recordAnswer(order.id, gateway, 'paid', '', true);
          continue;
        }
        count += 1;
        // A gateway that does not respond is skipped until the next run.
        if ((await this.ask(order, gateway)).outcome === 'silent') isSilent = true;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
    for (const one of ends) if (one.status === 'rejected') throw one.reason;
    return count;
  }

  private isSettledBy(orderId: number, gateway: string): Promise<boolean> {
    return this.database.repository(PaymentTransaction).existsBy({ orderId, gateway });
  }
}
