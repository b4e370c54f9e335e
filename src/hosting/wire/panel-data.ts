import type { HostingAccount } from '../entities/index.js';

const BYTES_PER_MB = 1024 * 1024;

/** Facts of a site from its server; empty where the server has none, or does not answer. */
export interface ServedSite {
  /** Where a program for files goes, and as whom; without an address the name of the host. */
  readonly files: { readonly host: string; readonly user: string };
  /** Account of the database. */
  readonly databaseUser: string;
  /** The version the site runs, such as `82`, and those it can choose. */
  readonly php: { readonly current: string; readonly versions: readonly string[] };
}

/**
 * The data of `indexconf`. No password is told. Source: docs/panel-api.md "Hosts".
 *
 * @param notice the owner's notice, cleaned
 * @param history bytes sent in the last months, by month `YYYY-MM`
 */
export function panelData(
  account: HostingAccount,
  { files, databaseUser, php }: ServedSite,
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
      ftp: { ...files, pass: '' },
      sql: { user: databaseUser, pass: '' },
    },
    php: { dq: php.current, list: php.versions },
  };
}
