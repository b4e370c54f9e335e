import type { HostingAccount, HostingNode } from '../entities/index.js';

const BYTES_PER_MB = 1024 * 1024;

/**
 * The data of `indexconf`. Passwords are kept as hashes and are empty here; what the account's server does not offer (PHP,
 * databases) is empty too. Source: docs/panel-api.md "Hosts".
 *
 * @param node where the account lives
 * @param notice the owner's notice, cleaned
 * @param history bytes sent in the last months, by month `YYYY-MM`
 */
export function panelData(
  account: HostingAccount,
  node: HostingNode | null,
  notice: string,
  history: Readonly<Record<string, number>>,
): object {
  const mb = (bytes: number): number => Math.ceil(bytes / BYTES_PER_MB);
  return {
    qk: String(account.state === 'active'),
    gg: notice,
    type: '2',
    web: { max: account.webQuotaMb, dq: mb(account.webUsedBytes) },
    sql: { max: account.databaseQuotaMb, dq: mb(account.databaseUsedBytes) },
    lls: { max: account.trafficQuotaGb, dq: account.trafficUsedBytes, statistics: false, history },
    config: {
      url: String(account.domainQuota),
      ftp: { host: node?.ftpAddress || (node?.address ?? ''), user: account.username, pass: '' },
      sql: { user: '', pass: '' },
    },
    php: { dq: '', list: [] },
  };
}
