import { Injectable } from '@nestjs/common';

import { DEFAULT_LOCALE, errorMessage, loggerFor, translate } from '../../common/index.js';
import { type SettlementExtra, currency } from '../../sdk/index.js';
import { PaymentLog } from '../log/index.js';
import { notifyTrace, RejectedNotifications, type SettlementClaim, type SettlementRefusal } from '../notifications/index.js';
import { OrderHistoryRepository, type OrderHistoryKind, Orders } from '../orders/index.js';

const log = loggerFor('payment');

/** Outcome of a notification. */
export type Verdict =
  | { kind: 'paid'; claim: SettlementClaim }
  | { kind: 'already'; secondPayment: string | null }
  | { kind: 'refused'; reason: SettlementRefusal };

/** A notification as received. */
export interface Notification {
  /** Order number. */
  readonly number: string;
  readonly gateway: string;
  readonly extra: SettlementExtra;
}

/** Records the outcome of notifications: each in the payment log, and those that settled nothing also in the order's history. */
@Injectable()
export class SettlementRecord {
  constructor(
    private readonly paymentLog: PaymentLog,
    private readonly orders: Orders,
    private readonly history: OrderHistoryRepository,
    private readonly rejected: RejectedNotifications,
  ) {}

  /** The levels are those of existing installations. */
  async decided(notification: Notification, verdict: Verdict): Promise<void> {
    const { number, gateway, extra } = notification;
    let level = '处理失败';
    let note = '';
    let line = 'decided';
    if (verdict.kind === 'paid') {
      level = '处理成功';
      if (verdict.claim.amount === null) {
        note = '（接口未提供金额，未核对）';
        line = 'decided_unchecked';
      }
    } else if (verdict.kind === 'already') {
      level = verdict.secondPayment ? '处理警告' : '重复回调';
      if (verdict.secondPayment) {
        note = `（重复付款，交易号 ${verdict.secondPayment}，请核实退款）`;
        line = 'decided_second';
      }
    }
    const message = { key: `payment.settle.${verdict.kind === 'refused' ? verdict.reason : verdict.kind}` };
    const params = { number, gateway, message, trade_no: verdict.kind === 'already' ? (verdict.secondPayment ?? '') : '' };
    const outcome = translate(DEFAULT_LOCALE, message.key);
    await this.paymentLog.write(`${number} ${gateway} ${outcome}${note}`, level, { ...extra }, { key: `payment.log.${line}`, params });
    await this.trace(notification, verdict);
    // A settling payment and a second payment have rows of their own.
    if (verdict.kind === 'refused') await this.keep(notification, 'refused', { reason: verdict.reason });
    if (verdict.kind === 'already' && !verdict.secondPayment) await this.keep(notification, 'repeated', {});
  }

  /** Adds a refusal to the trace of the current notification, or stores it if there is none. */
  private async trace({ number, gateway, extra }: Notification, verdict: Verdict): Promise<void> {
    const trace = notifyTrace();
    if (verdict.kind !== 'refused') {
      if (trace) trace.taken = true;
    } else if (trace) trace.refusals.push({ number, reason: verdict.reason });
    else await this.rejected.ofSettlement(gateway, number, verdict.reason, extra);
  }

  /** Records that the settlement itself failed. */
  async failed({ number, gateway, extra }: Notification, error: unknown): Promise<void> {
    await this.paymentLog.write(`${number} ${gateway} ${errorMessage(error)}`, '回调异常', { ...extra });
  }

  /** Never throws: the notification was already answered. */
  private async keep({ number, gateway, extra }: Notification, what: OrderHistoryKind, params: Record<string, string>): Promise<void> {
    try {
      const order = await this.orders.get(number);
      if (!order) return;
      const { trade_no, money, amount } = extra as Record<string, unknown>;
      const given = {
        trade_no: shortText(trade_no),
        paid: shortText(amount === undefined ? money : Number(amount) / 10 ** currency().decimals),
      };
      await this.history.add(order.id, what, { source: gateway }, { gateway, ...given, ...params });
    } catch (error) {
      log.error({ err: error, order: number }, 'the outcome of a notification could not be stored in the order history');
    }
  }
}

/** Returns a reported value, truncated for storage. */
function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 128) : '';
}
