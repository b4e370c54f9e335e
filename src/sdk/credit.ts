import type { OrderOwner, OrderSummary } from './orders.js';

/**
 * An entry of the credit ledger: one change of a balance.
 *
 * @example
 * ```ts
 * const { rows } = await svc.credit.entries({ account: 7 }, { page: 1, limit: 20 });
 * rows.forEach((entry: CreditEntryRecord) => svc.log.debug(entry.text, { fen: entry.amount }));
 * ```
 * @since 1.84.0
 */
export interface CreditEntryRecord {
  id: number;
  /** In minor units (fen); negative if credit was deducted. */
  amount: number;
  /** Balance afterwards, in minor units (fen). */
  balance: number;
  /** One of `top_up`, `payment`, `refund`, `taken_back`, `given_again`, `adjustment`, `code` or `joined`. */
  kind: string;
  /** Display text of the kind, in the requested language. */
  text: string;
  /** The reason, if one was given. */
  reason: string;
  /** Number of the order; empty if the entry belongs to no order. */
  order: string;
  /** Date and time in the panel's display format. */
  date: string;
}

/**
 * A request to top up credit.
 *
 * @example
 * ```ts
 * const topUp: TopUpRequestRecord = { owner: { customer: 7 }, amount: 2_000, request: 'a1b2', done_url: '/p/balance' };
 * const order = await svc.credit.topUp(topUp);
 * ```
 * @since 1.84.0
 */
export interface TopUpRequestRecord {
  owner: OrderOwner;
  /** In minor units (fen), 100 to 5,000,000. */
  amount: number;
  /** Idempotency key of the request, at most 64 characters: repeating it returns the same order. */
  request?: string;
  /** IP address of the buyer. */
  ip?: string;
  /** Path on this site where the buyer continues after payment, such as the page of their credit; the page of the order by default. */
  done_url?: string;
}

/**
 * Credit of customers. A hosting account that belongs to a customer shares the customer's credit; a balance is never negative. Needs
 * `credit` in the `permissions` of plugin.json. The class is also the injection token for Nest modules.
 *
 * @example
 * ```ts
 * const owner = { account: 7 };
 * const offer = await svc.credit.offer('20270131-1', owner); // null: somebody else's order
 * if (offer && offer.balance >= offer.amount) await svc.credit.pay('20270131-1', owner);
 * ```
 * @since 1.84.0
 */
export abstract class CreditService {
  /**
   * Returns the owner's balance in minor units (fen).
   *
   * @throws Error with `code` `NO_HOLDER` if the account or customer does not exist
   * @example
   * ```ts
   * svc.svc_register_widget('user', 'main', async (ctx) => {
   *   const fen = await svc.credit.balance({ account: ctx.user!.id });
   *   return { title: ctx.t('credit'), html: String(html`<p>${moneyText(fen)}</p>`), width: 4 };
   * });
   * ```
   * @since 1.84.0
   */
  abstract balance(owner: OrderOwner): Promise<number>;
  /**
   * Returns the entries of the owner's credit, newest first; at most 100 per page.
   *
   * @throws Error with `code` `NO_HOLDER` if the account or customer does not exist
   * @example
   * ```ts
   * const { total, rows } = await svc.credit.entries({ customer: 7 }, { page: 1, limit: 20, locale: 'en' });
   * for (const { date, text, amount } of rows) svc.log.debug(text, { date, amount: amountText(amount), of: total });
   * ```
   * @since 1.84.0
   */
  abstract entries(
    owner: OrderOwner,
    page: { page: number; limit: number; locale?: string },
  ): Promise<{ total: number; rows: CreditEntryRecord[] }>;
  /**
   * Returns what an order costs and what its owner has, both in minor units (fen); null for an order that does not belong to the payer, or
   * that cannot be paid from credit.
   *
   * @example
   * ```ts
   * svc.svc_register_route('GET', '/pay/balance/confirm', async (_params, ctx) => {
   *   const offer = await svc.credit.offer(ctx.query.no ?? '', { account: ctx.user!.id });
   *   if (!offer) return { status: 404, body: '' }; // somebody else's, or not to be paid so
   *   return { amount: moneyText(offer.amount), balance: moneyText(offer.balance), isEnough: offer.balance >= offer.amount };
   * }, 10, 'user');
   * ```
   * @since 1.84.0
   */
  abstract offer(order: string, payer: OrderOwner): Promise<{ amount: number; balance: number } | null>;
  /**
   * Pays an order from its owner's credit. Deducting the credit and settling the order happen in one transaction, and only once however
   * often this is called. The calling plugin is the gateway: the order must have been sent to it.
   *
   * @returns true if this call paid the order; false if it was already paid from credit
   * @throws Error with `code` `ORDER_NOT_FOUND` (also for an order of another owner), `NOT_ENOUGH`, `NOT_PAYABLE`, `TOP_UP_BY_CREDIT` or
   * `PAYMENT_REFUSED`
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/pay/balance/confirm', async (_params, ctx) => {
   *   try {
   *     await svc.credit.pay(ctx.body.no ?? '', { account: ctx.user!.id });
   *     return { code: 'ok' };
   *   } catch (error) {
   *     return { code: ctx.t((error as { code?: string }).code === 'NOT_ENOUGH' ? 'not_enough' : 'not_paid') };
   *   }
   * }, 10, 'user');
   * ```
   * @since 1.84.0
   */
  abstract pay(order: string, payer: OrderOwner): Promise<boolean>;
  /**
   * Creates an order that tops up credit; the credit is added once the order is paid.
   *
   * @throws Error with `code` `TOP_UP_AMOUNT`, `NO_HOLDER` or `REQUEST_DIFFERS`
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/balance/recharge', async (_params, ctx) => {
   *   const owner = { account: ctx.user!.id };
   *   const { pay_url } = await svc.credit.topUp({ owner, amount: 2_000, ip: ctx.ip, request: ctx.body.request_id });
   *   return { status: 303, headers: { Location: pay_url }, body: '' };
   * }, 10, 'user', { rate: 'order' });
   * ```
   * @since 1.84.0
   */
  abstract topUp(request: TopUpRequestRecord): Promise<OrderSummary>;
  /**
   * Redeems a code issued by the reseller; each code works once, even under concurrent attempts. After ten failed attempts within ten
   * minutes from one IP address or by one customer, further attempts from there are rejected.
   *
   * @param code the code as typed
   * @param ip IP address of the person who typed it
   * @returns the amount added and the new balance, in minor units (fen)
   * @throws Error with `code` `CODE_UNKNOWN`, `CODE_USED`, `CODE_YOURS` (the same owner has already redeemed it), `CODE_REVOKED`,
   * `CODE_OVER`, `CODE_TRIES` or `TOO_MUCH`
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/balance/redeem', async (_params, ctx) => {
   *   try {
   *     const { amount, balance } = await svc.credit.redeem({ account: ctx.user!.id }, ctx.body.code ?? '', ctx.ip);
   *     return { code: ctx.t('redeemed', { amount: moneyText(amount), balance: moneyText(balance) }) };
   *   } catch (error) {
   *     return { code: ctx.t((error as { code?: string }).code === 'CODE_TRIES' ? 'too_often' : 'no_such_code') };
   *   }
   * }, 10, 'user', { rate: 'order' });
   * ```
   * @since 1.84.0
   */
  abstract redeem(owner: OrderOwner, code: string, ip: string): Promise<{ amount: number; balance: number }>;
  /**
   * Pays a refund of this gateway back into the credit that paid the order, once.
   *
   * @param refund number of the refund, as passed to the gateway's `refund`
   * @returns false if this gateway has no such pending refund
   * @example
   * ```ts
   * const refund: PaymentRecord['refund'] = async (_order, { id }) =>
   *   (await svc.credit.giveBack(id)) ? { state: 'done' } : { state: 'refused', msg: 'There is no such refund.' };
   * ```
   * @since 1.84.0
   */
  abstract giveBack(refund: string): Promise<boolean>;
}
