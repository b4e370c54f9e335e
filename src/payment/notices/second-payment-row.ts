import type { SecondPayment } from '../entities/index.js';

/** A payment for an order that was already paid. */
export interface SecondPaymentRow {
  readonly id: number;
  /** Number of the order. */
  readonly number: string;
  readonly gateway: string;
  readonly tradeNumber: string;
  /** Fen. */
  readonly amount: number;
  readonly createdAt: Date;
  readonly refundedAt: Date | null;
  readonly state: SecondPayment['state'];
}
