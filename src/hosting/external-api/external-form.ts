import { readLegacyDay } from '../../common/index.js';
import type { HostQuota } from '../../sdk/index.js';

/** The fields of one call, under our names. */
export type ExternalFields = Readonly<Record<string, string | undefined>>;

/** A field that is not as it must be: the text key of the answer. */
export class InvalidFieldError extends Error {
  constructor(readonly text: 'hosting.api_date' | 'hosting.api_quota' | 'hosting.field_monitors' | 'hosting.api_request_id') {
    super(text);
  }
}

/** The expiry of `dqtime`/`setdate`: null for ever. @param zone see {@link readLegacyDay} @throws BadField */
export function expiryOf(text: string | undefined, zone: string): string | null {
  const day = readLegacyDay(text, zone);
  if (day === undefined) throw new InvalidFieldError('hosting.api_date');
  return day;
}

/** A quota with a field of its own name in each operation. */
type NamedQuota = Exclude<keyof HostQuota, 'monitors'>;

/** In `jk_max`: as many as the settings of the installation say. */
const AS_INSTALLED = 'default';

/** The given ones of the quota fields; one that is missing or empty is left out. @throws BadField */
export function quotaOfFields(fields: ExternalFields, names: Readonly<Record<NamedQuota, string>>): HostQuota {
  const quota: HostQuota = {};
  for (const [key, name] of Object.entries(names) as [NamedQuota, string][]) {
    const value = (fields[name] ?? '').trim();
    if (value === '') continue;
    if (!/^\d{1,9}$/.test(value)) throw new InvalidFieldError('hosting.api_quota');
    quota[key] = Number(value);
  }
  const monitors = (fields.jk_max ?? '').trim().toLowerCase();
  if (monitors === '') return quota;
  if (monitors !== AS_INSTALLED && !/^\d{1,9}$/.test(monitors)) throw new InvalidFieldError('hosting.field_monitors');
  return { ...quota, monitors: monitors === AS_INSTALLED ? null : Number(monitors) };
}
