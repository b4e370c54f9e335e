import type { CallContext } from '@svc/sdk';

import { UNITS, type Amounts, type Resource } from './amounts.js';

type Reader = Pick<CallContext, 't'>;

/** Formats an amount, such as `512 MB`. */
export function amountText({ t }: Reader, amount: number, resource: Resource): string {
  return Number.isFinite(amount) ? `${amount} ${UNITS[resource]}` : t('endless');
}

/** Formats the usage of a quota, such as `512 / 1024 MB`. */
export function useText({ t }: Reader, quota: Amounts, used: Amounts, resource: Resource): string {
  if (quota[resource] === 0 && !Number.isFinite(used[resource])) return t('endless');
  const limit = quota[resource] === 0 ? t('endless') : `${quota[resource]} ${UNITS[resource]}`;
  return `${Number.isFinite(used[resource]) ? used[resource] : t('endless')} / ${limit}`;
}

/** Formats a host's limit, such as `512 MB`. */
export const limitText = (reader: Reader, limit: number, resource: Resource): string =>
  amountText(reader, limit === 0 ? Infinity : limit, resource);

/** Hint of a limit's field. */
export const quotaHint = ({ t }: Reader, quota: Amounts, resource: Resource): string =>
  quota[resource] === 0 ? t('zero_endless') : t('of_quota', { quota: quota[resource], unit: UNITS[resource] });
