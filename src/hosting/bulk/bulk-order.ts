import type { AppError } from '../../common/index.js';
import { readLegacyDay } from '../../common/index.js';
import { MAX_RENEWAL_DAYS, renewedDay } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';

import { BulkError } from './bulk-errors.js';

/** Actions on several hosts at once. */
export type HostBulkAction = 'pause' | 'resume' | 'renew' | 'delete';

/** Values of `cz`: in words, and as the operations on one host are called. */
export const HOST_BULK_ACTIONS: Readonly<Record<string, HostBulkAction>> = {
  pause: 'pause',
  resume: 'resume',
  renew: 'renew',
  delete: 'delete',
  zjzt: 'pause',
  zjjc: 'resume',
  zjxf: 'renew',
  zjsc: 'delete',
};

/** The operation that does the same with one host: who may not run it may not do it with many, and its lines are those of the log. */
export const SINGLE_OPERATION: Readonly<Record<HostBulkAction, string>> = { pause: 'zjzt', resume: 'zjjc', renew: 'zjxf', delete: 'zjsc' };

/** How hosts are renewed: by days, or to one last day (null: for ever). */
export type Renewal = { readonly days: number } | { readonly day: string | null };

/**
 * One host of an order, as short as it can be: 500 of them fit into the payload of a task. Days are `YYYY-MM-DD`, empty for ever; they are
 * there for renewals alone. A name that is empty is of a host there was not.
 */
export type BulkItem = readonly [id: number, user: string, from?: string, to?: string];

/** Payload of the task. */
export interface BulkOrder {
  readonly deed: HostBulkAction;
  /** Name of the administrator. */
  readonly by: string;
  readonly items: readonly BulkItem[];
  /** Why, in the administrator's words, of a pause and its end. */
  readonly why?: string;
  /** Whether the owners are told. */
  readonly tells?: boolean;
}

/**
 * Reads `cs` of a renewal: `{"days":30}`, or `{"datae":"2027-01-31"}`; a part that is empty counts as not sent.
 *
 * @param zone see {@link readLegacyDay}
 * @throws BulkError INVALID_FIELDS naming the field
 */
export function readRenewal(text: string | undefined, zone: string): Renewal {
  const { days, datae } = partsOf(text);
  if ((days === '') === (datae === '')) throw fieldError('days', 'hosting.bulk_one_of_both');
  if (days !== '') {
    if (!/^\d{1,4}$/.test(days) || Number(days) < 1 || Number(days) > MAX_RENEWAL_DAYS) throw fieldError('days', 'hosting.bulk_days');
    return { days: Number(days) };
  }
  const day = readLegacyDay(datae, zone);
  if (day === undefined) throw fieldError('datae', 'hosting.field_date');
  return { day };
}

/**
 * A host of an order. By days it is renewed from its last day on, from today where that is over; the day is decided here, once, so that a
 * task that runs again renews nothing twice.
 *
 * @param today `YYYY-MM-DD`
 */
export function itemOf(account: Pick<HostingAccount, 'id' | 'username' | 'expiresOn'>, renewal: Renewal | null, today: string): BulkItem {
  const { id, username, expiresOn } = account;
  if (renewal === null) return [id, username];
  const to = 'day' in renewal ? renewal.day : expiresOn && renewedDay(expiresOn, renewal.days, today);
  return [id, username, expiresOn ?? '', to ?? ''];
}

function partsOf(text: string | undefined): { days: string; datae: string } {
  let given: unknown = null;
  try {
    given = JSON.parse(text || 'null');
  } catch {
    throw fieldError('cs', 'hosting.bulk_one_of_both');
  }
  const { days, datae } = (given ?? {}) as Record<string, unknown>;
  const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');
  return { days: textOf(days), datae: textOf(datae) };
}

/** Under both names a form may have for it: a part of `cs`, and as `cs[…]`. */
function fieldError(field: string, text: string): AppError {
  return new BulkError('INVALID_FIELDS', {}, { cs: text, [`cs[${field}]`]: text });
}
