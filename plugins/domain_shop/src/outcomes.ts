import { isRefusedForm, onwards } from '@svc/page-kit';
import type { CallContext, HttpReply, RefusedForm } from '@svc/sdk';

import { PriceChanged, type Placed } from './checkout.js';
import type { PageOptions } from './layout.js';
import { isRefusal } from './refusals.js';

/** Where somebody goes on who has ordered: to the payment, or to see what came of it. */
export function outcomeOf({ payUrl, statusUrl }: Placed): HttpReply {
  return onwards(payUrl ?? statusUrl);
}

/** What a page says of something that was refused: of the form that was sent, and of which fields of it. */
export type Refused = Required<Pick<PageOptions, 'problem' | 'wrong'>>;

/** Fields of the panel as forms of the shop have them. */
const FIELDS: Readonly<Record<string, string>> = { qz: 'prefix', id: 'host', ml: 'folder' };

/** @param field it is about; empty: none */
export const refusedAt = (field: string, problem: string): Refused => ({ problem, wrong: problem && field ? { [field]: problem } : {} });

/** Why an order was refused, for its buyer. @throws what is no refusal */
export function refusedBy(error: unknown, ctx: CallContext): Refused {
  if (error instanceof PriceChanged) return refusedAt('', ctx.t('price_changed'));
  if (isRefusal(error, 'TOO_MANY_UNPAID')) return refusedAt('', ctx.t('too_many_unpaid'));
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('COUPON_')) return refusedAt('yhq', ctx.t('coupon_gone'));
  if (isRefusedForm(error)) return { problem: error.message, wrong: presentOf(error) };
  if (isRefusal(error)) return refusedAt(FIELDS[error.field ?? ''] ?? error.field ?? '', error.message);
  throw error;
}

/** What the fields of a form are now; a host is a number there, which says nothing. */
function presentOf({ fields, message }: RefusedForm): Refused['wrong'] {
  return { ...fields, ...(fields.host !== undefined && { host: message }) };
}
