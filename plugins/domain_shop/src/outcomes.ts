import type { CallContext, HttpReply } from '@svc/sdk';

import { PriceChanged, type Placed } from './checkout.js';
import { isRefusal, isRefusedForm } from './refusals.js';

/** Where somebody goes on who has ordered: to the payment, or to see what came of it. */
export function outcomeOf({ payUrl, statusUrl }: Placed): HttpReply {
  return { status: 303, headers: { Location: payUrl ?? statusUrl }, body: '' };
}

/** Why an order was refused, for its buyer. @throws what is no refusal */
export function refusedText(error: unknown, ctx: CallContext): string {
  if (error instanceof PriceChanged) return ctx.t('price_changed');
  if (isRefusal(error, 'TOO_MANY_UNPAID')) return ctx.t('too_many_unpaid');
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('COUPON_')) return ctx.t('coupon_gone');
  if (isRefusal(error) || isRefusedForm(error)) return error.message;
  throw error;
}
