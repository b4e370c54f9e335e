import { isRefusedForm, onwards } from '@svc/page-kit';
import type { CallContext, HttpReply, RefusedForm } from '@svc/sdk';

import { PriceChanged, type Placed } from './checkout.js';
import type { PageOptions } from './layout.js';
import { isRefusal } from './refusals.js';

/** Redirects after an order: to the payment, or to the status page. */
export function outcomeOf({ payUrl, statusUrl }: Placed): HttpReply {
  return onwards(payUrl ?? statusUrl);
}

/** Error messages of a rejected form, overall and by field. */
export type Refused = Required<Pick<PageOptions, 'problem' | 'wrong'>>;

/** Names of the panel's fields in the shop's forms. */
const FIELDS: Readonly<Record<string, string>> = { qz: 'prefix', id: 'host', ml: 'folder' };

/** @param field concerned; empty for none */
export const refusedAt = (field: string, problem: string): Refused => ({ problem, wrong: problem && field ? { [field]: problem } : {} });

/** Describes why an order was rejected, for its buyer. @throws any other error */
export function refusedBy(error: unknown, ctx: CallContext): Refused {
  if (error instanceof PriceChanged) return refusedAt('', ctx.t('price_changed'));
  if (isRefusal(error, 'TOO_MANY_UNPAID')) return refusedAt('', ctx.t('too_many_unpaid'));
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('COUPON_')) return refusedAt('yhq', ctx.t('coupon_gone'));
  if (isRefusedForm(error)) return { problem: error.message, wrong: presentOf(error) };
  if (isRefusal(error)) return refusedAt(FIELDS[error.field ?? ''] ?? error.field ?? '', error.message);
  throw error;
}

/** Current values of a form's fields; the host's is an id without meaning to the buyer and is replaced by the message. */
function presentOf({ fields, message }: RefusedForm): Refused['wrong'] {
  return { ...fields, ...(fields.host !== undefined && { host: message }) };
}
