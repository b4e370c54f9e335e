import { tradeNumberOf } from '@svc/gateway-kit';
import type { GatewayPayment } from '@svc/sdk';

const STATES: Readonly<Record<string, GatewayPayment['state']>> = {
  SUCCESS: 'paid',
  REFUND: 'refunded',
  NOTPAY: 'unpaid',
  USERPAYING: 'unpaid',
  PAYERROR: 'unpaid',
  CLOSED: 'closed',
  REVOKED: 'closed',
};

/** Reads the payment of a transaction from a notification or answer; null if invalid. */
export function paymentOf(transaction: Readonly<Record<string, unknown>>): GatewayPayment | null {
  const state = STATES[String(transaction.trade_state)];
  if (state !== 'paid') return state ? { state } : null;
  const { total, currency = 'CNY' } = (transaction.amount ?? {}) as Record<string, unknown>;
  const trade_no = tradeNumberOf(String(transaction.transaction_id ?? ''));
  if (!Number.isSafeInteger(total) || (total as number) < 1 || trade_no === '' || typeof currency !== 'string') return null;
  return { state, trade_no, amount: total as number, currency };
}
