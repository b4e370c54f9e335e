import { toFen } from '../../common/index.js';
import { currency as currencyNow, type SettlementExtra } from '../../sdk/index.js';

const MAX_TRADE_NUMBER_LENGTH = 128;

/** Why a payment is refused; the last part of its text key. */
export type SettlementRefusal =
  | 'order_unknown'
  | 'other_gateway'
  | 'other_currency'
  | 'amount_unreadable'
  | 'amount_differs'
  | 'trade_unreadable'
  | 'trade_used'
  | 'refunded';

/** A parsed payment report of a gateway. */
export interface SettlementClaim {
  /** Fen; null if the gateway reported no amount. */
  readonly amount: number | null;
  /** Null if the gateway reported none. */
  readonly tradeNumber: string | null;
}

/** Parses a gateway's report; an invalid value is a refusal, never a guess. */
export function readClaim(extra: SettlementExtra): SettlementClaim | SettlementRefusal {
  const { currency, trade_no, money, amount } = extra as Record<keyof SettlementExtra, unknown>;
  if (isGiven(currency) && !(typeof currency === 'string' && currency.trim().toUpperCase() === currencyNow().code)) return 'other_currency';
  let fen: number | null = null;
  if (isGiven(amount)) {
    if (!Number.isSafeInteger(amount) || (amount as number) < 0) return 'amount_unreadable';
    fen = amount as number;
  } else if (isGiven(money)) {
    fen = typeof money === 'string' || typeof money === 'number' ? toFen(money) : null;
    if (fen === null) return 'amount_unreadable';
  }
  let tradeNumber: string | null = null;
  if (isGiven(trade_no) && trade_no !== '') {
    if (typeof trade_no !== 'string' && !Number.isSafeInteger(trade_no)) return 'trade_unreadable';
    // MySQL's unique keys ignore trailing blanks, SQLite's do not.
    tradeNumber = String(trade_no).trim();
    if (tradeNumber === '' || tradeNumber.length > MAX_TRADE_NUMBER_LENGTH) return 'trade_unreadable';
  }
  return { amount: fen, tradeNumber };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
