import type { HostingAccount } from '../entities/index.js';

/** Unit of disk space in plans. */
export const BYTES_PER_MB = 1024 ** 2;
/** Unit of traffic in plans. */
export const BYTES_PER_GB = 1024 ** 3;

/** Usage and limits of an account that decide whether it is over its quota. */
export type AccountUse = Pick<
  HostingAccount,
  'webQuotaMb' | 'databaseQuotaMb' | 'trafficQuotaGb' | 'webUsedBytes' | 'databaseUsedBytes' | 'trafficUsedBytes'
>;

/** Quotas whose usage is measured: a site over one of them is paused. */
export type QuotaKind = 'web' | 'database' | 'traffic';

/** Columns of each quota in the account's row, for every kind of server. */
const QUOTAS: Readonly<Record<QuotaKind, { readonly limit: keyof AccountUse; readonly used: keyof AccountUse; readonly unit: number }>> = {
  web: { limit: 'webQuotaMb', used: 'webUsedBytes', unit: BYTES_PER_MB },
  database: { limit: 'databaseQuotaMb', used: 'databaseUsedBytes', unit: BYTES_PER_MB },
  traffic: { limit: 'trafficQuotaGb', used: 'trafficUsedBytes', unit: BYTES_PER_GB },
};

/** Returns whether an account is over a quota; 0 is unlimited, and using exactly the quota is allowed. */
export function isOverQuota(use: AccountUse): boolean {
  return Object.values(QUOTAS).some(({ limit, used, unit }) => use[limit] > 0 && use[used] > use[limit] * unit);
}

/** Quotas sold by amount. Domains above the limit are rejected, but never cause a pause. */
export type SoldKind = QuotaKind | 'domains';

/** All quotas sold by amount. */
export const SOLD_KINDS: readonly SoldKind[] = ['web', 'database', 'traffic', 'domains'];

/**
 * SQL expressions for statements about `{HostingAccount} account`: the limit as stored, the usage, and the limit in the unit of the usage
 * (bytes or number of domains).
 */
export function soldInSql(kind: SoldKind): { readonly limit: string; readonly used: string; readonly most: string } {
  if (kind === 'domains') {
    const limit = 'account.{HostingAccount.domainQuota}';
    const used = '(SELECT COUNT(*) FROM {SiteDomain} domain WHERE domain.{SiteDomain.accountId} = account.{HostingAccount.id})';
    return { limit, used, most: limit };
  }
  const { limit, used, unit } = QUOTAS[kind];
  const column = `account.{HostingAccount.${limit}}`;
  return { limit: column, used: `account.{HostingAccount.${used}}`, most: `${column} * ${unit}` };
}

/** Percentage of a limit from which the owner is warned. */
export const WARN_PERCENT = 80;

/**
 * Returns `near` from {@link WARN_PERCENT} of a limit on and `over` once the limit is exceeded.
 *
 * @param limit in the unit of `used`; 0 is unlimited
 */
export function fullness(used: number, limit: number): 'near' | 'over' | undefined {
  if (limit === 0) return undefined;
  return used > limit ? 'over' : used * 100 >= limit * WARN_PERCENT ? 'near' : undefined;
}
