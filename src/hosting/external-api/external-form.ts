import { readLegacyDay } from '../../common/index.js';
import type { HostQuota } from '../../sdk/index.js';

/** The fields of one call, under their current names. */
export type ExternalFields = Readonly<Record<string, string | undefined>>;

/** An invalid field, with the text key of the response. */
export class InvalidFieldError extends Error {
  constructor(
    readonly text: 'hosting.api_date' | 'hosting.api_quota' | 'hosting.field_monitors' | 'hosting.field_backups' | 'hosting.api_request_id',
  ) {
    super(text);
  }
}

/** Parses the expiry in `dqtime`/`setdate`; null: never expires. @param zone see {@link readLegacyDay} @throws InvalidFieldError */
export function expiryOf(text: string | undefined, zone: string): string | null {
  const day = readLegacyDay(text, zone);
  if (day === undefined) throw new InvalidFieldError('hosting.api_date');
  return day;
}

/** Quotas whose field name differs by operation. */
type NamedQuota = Exclude<keyof HostQuota, 'monitors' | 'backups'>;

/** Value of `jk_max` and `bf_max` for the default of the installation's settings. */
const AS_INSTALLED = 'default';

/** Parses the quota fields; missing or empty ones are left out. @throws InvalidFieldError */
export function quotaOfFields(fields: ExternalFields, names: Readonly<Record<NamedQuota, string>>): HostQuota {
  const quota: HostQuota = {};
  for (const [key, name] of Object.entries(names) as [NamedQuota, string][]) {
    const value = (fields[name] ?? '').trim();
    if (value === '') continue;
    if (!/^\d{1,9}$/.test(value)) throw new InvalidFieldError('hosting.api_quota');
    quota[key] = Number(value);
  }
  const monitors = countOf(fields.jk_max, 'hosting.field_monitors');
  const backups = countOf(fields.bf_max, 'hosting.field_backups');
  return { ...quota, ...(monitors === undefined ? {} : { monitors }), ...(backups === undefined ? {} : { backups }) };
}

/** Parses a number; null for {@link AS_INSTALLED}, undefined if omitted. */
function countOf(text: string | undefined, wrong: InvalidFieldError['text']): number | null | undefined {
  const value = (text ?? '').trim().toLowerCase();
  if (value === '') return undefined;
  if (value !== AS_INSTALLED && !/^\d{1,9}$/.test(value)) throw new InvalidFieldError(wrong);
  return value === AS_INSTALLED ? null : Number(value);
}
