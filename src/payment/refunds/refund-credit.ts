import type { Order, Refund, SecondPayment } from '../entities/index.js';

/**
 * Port: refunds to and from customers' credit. All methods except {@link takes} and {@link takesSecond} are part of
 * the caller's transaction.
 */
export interface RefundCredit {
  /** Returns whether the order's owner can receive credit for a second payment. */
  takesSecond(order: Order): Promise<boolean>;
  /** Adds a second payment to the credit of the order's owner, once. */
  giveSecond(order: Order, payment: SecondPayment, actor: string): Promise<void>;
  /** Returns whether an order can be refunded to its owner's credit. */
  takes(order: Order): Promise<boolean>;
  /** Adds a refund to the credit of the order's owner, once. */
  give(order: Order, refund: Refund): Promise<void>;
  /** Called when a refund of a top-up is reserved: deducts it from the credit. Returns false if it was already spent. */
  reserved(order: Order, refund: Refund): Promise<boolean>;
  /** Called when a refund was refused: returns what was deducted for it. */
  refused(order: Order, refund: Refund): Promise<void>;
}

/** Token of {@link RefundCredit}; without a provider, there is no credit. */
export const REFUND_CREDIT = Symbol('REFUND_CREDIT');
