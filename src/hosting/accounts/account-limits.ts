import type { HostingAccount } from '../entities/index.js';

/** Of space, as plans sell it. */
export const BYTES_PER_MB = 1024 ** 2;
/** Of traffic, as plans sell it. */
export const BYTES_PER_GB = 1024 ** 3;

/** What decides whether an account uses more than it may. */
export type AccountUse = Pick<
  HostingAccount,
  'webQuotaMb' | 'databaseQuotaMb' | 'trafficQuotaGb' | 'webUsedBytes' | 'databaseUsedBytes' | 'trafficUsedBytes'
>;

/** Whether any limit is passed; 0 is unlimited, and using exactly what was bought is fine. */
export function isOverQuota(use: AccountUse): boolean {
  const passed = (used: number, limit: number, unit: number): boolean => limit > 0 && used > limit * unit;
  return (
    passed(use.webUsedBytes, use.webQuotaMb, BYTES_PER_MB) ||
    passed(use.databaseUsedBytes, use.databaseQuotaMb, BYTES_PER_MB) ||
    passed(use.trafficUsedBytes, use.trafficQuotaGb, BYTES_PER_GB)
  );
}
