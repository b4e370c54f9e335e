import type { HostingAccount } from '../entities/index.js';

/** Of space, as plans sell it. */
export const BYTES_PER_MB = 1024 ** 2;
/** Of traffic, as plans sell it. */
export const BYTES_PER_GB = 1024 ** 3;

/** Usage and limits of an account that decide whether it is over its quota. */
export type AccountUse = Pick<
  HostingAccount,
  'webQuotaMb' | 'databaseQuotaMb' | 'trafficQuotaGb' | 'webUsedBytes' | 'databaseUsedBytes' | 'trafficUsedBytes'
>;

/** Quotas that are measured: a site that uses more is paused. */
export type QuotaKind = 'web' | 'database' | 'traffic';

/** Where each of them stands in the row of an account, on any kind of server. */
const QUOTAS: Readonly<Record<QuotaKind, { readonly limit: keyof AccountUse; readonly used: keyof AccountUse; readonly unit: number }>> = {
  web: { limit: 'webQuotaMb', used: 'webUsedBytes', unit: BYTES_PER_MB },
  database: { limit: 'databaseQuotaMb', used: 'databaseUsedBytes', unit: BYTES_PER_MB },
  traffic: { limit: 'trafficQuotaGb', used: 'trafficUsedBytes', unit: BYTES_PER_GB },
};

/** Tells whether an account is over a quota; 0 is unlimited, and using exactly the quota is allowed. */
export function isOverQuota(use: AccountUse): boolean {
  return Object.values(QUOTAS).some(({ limit, used, unit }) => use[limit] > 0 && use[used] > use[limit] * unit);
}

/** Quotas that are sold by amount; domains above their limit are refused, and nothing is paused for them. */
export type SoldKind = QuotaKind | 'domains';

/** Everything that is sold by amount. */
export const SOLD_KINDS: readonly SoldKind[] = ['web', 'database', 'traffic', 'domains'];

/**
 * The same in statements about `{HostingAccount} account`: its limit, and what is used of it, in the unit of the limit's bytes or pieces.
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

/** Percent of what was bought from which its owner is told. */
export const WARN_PERCENT = 80;

/**
 * How full what was bought is: `near` where its owner is told, `over` once the limit is passed.
 *
 * @param limit in the unit of `used`; 0 is unlimited
 */
export function fullness(used: number, limit: number): 'near' | 'over' | undefined {
  if (limit === 0) return undefined;
  return used > limit ? 'over' : used * 100 >= limit * WARN_PERCENT ? 'near' : undefined;
}
