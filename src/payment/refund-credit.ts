import type { Order, Refund, SecondPayment } from './entities/index.js';

/**
 * What refunds have to do with the credit of customers. Everything but {@link takes} and {@link takesSecond} is part of
 * the transaction it is called in.
 */
export interface RefundCredit {
  /** Whether the order's owner is there to get credit, for what was paid twice. */
  takesSecond(order: Order): Promise<boolean>;
  /** Gives what was paid twice to the credit of the order's owner, once. */
  giveSecond(order: Order, payment: SecondPayment, actor: string): Promise<void>;
  /** Whether an order can be given back to its owner's credit. */
  takes(order: Order): Promise<boolean>;
  /** Gives a refund to the credit of the order's owner, once. */
  give(order: Order, refund: Refund): Promise<void>;
  /** A refund was reserved: what the order had put into somebody's credit is taken out of it. False where that is not there any more. */
  reserved(order: Order, refund: Refund): Promise<boolean>;
  /** A refund was not made: what was taken for it goes back. */
  refused(order: Order, refund: Refund): Promise<void>;
}

/** Token of {@link RefundCredit}; where nothing provides it, nobody has credit. */
export const REFUND_CREDIT = Symbol('REFUND_CREDIT');
