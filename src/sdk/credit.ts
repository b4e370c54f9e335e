import type { OrderOwner, OrderSummary } from './orders.js';

/**
 * Something that moved credit.
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
  /** Fen; negative where credit was taken. */
  amount: number;
  /** Fen there were afterwards. */
  balance: number;
  /** `top_up`, `payment`, `refund`, `taken_back`, `given_again`, `adjustment`, `code` or `joined`. */
  kind: string;
  /** The kind in words, in the language that was asked for. */
  text: string;
  /** Why, where somebody said so. */
  reason: string;
  /** Number of the order; empty where it was none. */
  order: string;
  /** As the panel shows times. */
  date: string;
}

/**
 * A top-up of credit that is wanted.
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
  /** Fen, 100 to 5,000,000. */
  amount: number;
  /** Id of the request, at most 64 characters: the same again answers the same order. */
  request?: string;
  /** Address of the buyer. */
  ip?: string;
  /** Path of this site where he goes on from the payment, such as the page of his credit; the page of the order where it is left out. */
  done_url?: string;
}

/**
 * Credit of customers. A hosting account that belongs to a customer shares the customer's; a balance is never below zero. Needs `credit`
 * among the `permissions` of plugin.json. The class is also the token a Nest module injects it by.
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
   * Fen somebody has.
   *
   * @throws Error with `code` `NO_HOLDER` where there is no such account or customer
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
   * What moved somebody's credit, the newest first; at most 100 a page.
   *
   * @throws Error with `code` `NO_HOLDER`
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
   * What an order costs and what its owner has, both in fen; null for an order that is not the payer's, or not to be paid from credit.
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
   * Pays an order from its owner's credit: what is taken and what is settled are one step, done once however often it is called. The plugin
   * is the gateway: the order must have been sent to it.
   *
   * @returns whether this call paid it; false where it was paid from credit before
   * @throws Error with `code` `ORDER_NOT_FOUND` (also for somebody else's), `NOT_ENOUGH`, `NOT_PAYABLE`,
   * `TOP_UP_BY_CREDIT` or `PAYMENT_REFUSED`
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
   * Makes an order that tops up credit; it is there once that is paid.
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
   * Redeems a code the reseller gave out, once, whoever else tries it. Ten that do not count in ten minutes, of one address or of one
   * customer, and nobody there may try any.
   *
   * @param code as it was typed
   * @param ip of who typed it
   * @returns what it brought and what there is now, in fen
   * @throws Error with `code` `CODE_UNKNOWN`, `CODE_USED`, `CODE_YOURS` (he has redeemed it himself), `CODE_REVOKED`,
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
   * Gives a refund of this gateway back to the credit that had paid, once.
   *
   * @param refund number of the refund, as `refund` of the gateway got it
   * @returns false where no such refund of this gateway waits
   * @example
   * ```ts
   * const refund: PaymentRecord['refund'] = async (_order, { id }) =>
   *   (await svc.credit.giveBack(id)) ? { state: 'done' } : { state: 'refused', msg: 'There is no such refund.' };
   * ```
   * @since 1.84.0
   */
  abstract giveBack(refund: string): Promise<boolean>;
}
