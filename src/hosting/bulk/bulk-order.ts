import type { AppError } from '../../common/index.js';
import { readLegacyDay } from '../../common/index.js';
import { MAX_RENEWAL_DAYS, renewedDay } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';

import { BulkError } from './bulk-errors.js';

/** Actions for several hosts at a time. */
export type HostBulkAction = 'pause' | 'resume' | 'renew' | 'delete';

/** Values of `cz`: English words, and the names of the operations on one host. */
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

/** The operation that does the same with one host: its permission is required, and its name is used in the operation log. */
export const SINGLE_OPERATION: Readonly<Record<HostBulkAction, string>> = { pause: 'zjzt', resume: 'zjjc', renew: 'zjxf', delete: 'zjsc' };

/** How hosts are renewed: by days, or to one last day (null for never). */
export type Renewal = { readonly days: number } | { readonly day: string | null };

/**
 * One host of an order, kept short because 500 of them must fit into the payload of a task. Days are `YYYY-MM-DD`, empty for never, and
 * only present for renewals. The name is empty for a host that does not exist.
 */
export type BulkItem = readonly [id: number, user: string, from?: string, to?: string];

/** Payload of the task. */
export interface BulkOrder {
  readonly deed: HostBulkAction;
  /** Name of the administrator. */
  readonly by: string;
  readonly items: readonly BulkItem[];
  /** The administrator's reason for pausing or resuming. */
  readonly why?: string;
  /** Whether the owners are notified. */
  readonly tells?: boolean;
}

/**
 * Parses `cs` of a renewal: `{"days":30}` or `{"datae":"2027-01-31"}`; an empty part counts as missing.
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
 * Builds the item of a host. Days are added to its last day, or to today if that is over. The resulting day is fixed here, so that a
 * retried task renews nothing twice.
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

/** Reports the error under both field names a form may use: `cs` and `cs[…]`. */
function fieldError(field: string, text: string): AppError {
  return new BulkError('INVALID_FIELDS', {}, { cs: text, [`cs[${field}]`]: text });
}
