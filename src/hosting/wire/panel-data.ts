import type { HostingAccount } from '../entities/index.js';

const BYTES_PER_MB = 1024 * 1024;

/** Facts about a site from its server; empty if the server has none or does not answer. */
export interface ServedSite {
  /** Host and user for FTP clients; without an FTP address the name of the host. */
  readonly files: { readonly host: string; readonly user: string };
  /** User of the database. */
  readonly databaseUser: string;
  /** The PHP version of the site, such as `82`, and the available ones. */
  readonly php: { readonly current: string; readonly versions: readonly string[] };
}

/**
 * The data of `indexconf`, without passwords. Source: docs/panel-api.md "Hosts".
 *
 * @param notice notice to the owner, sanitized
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
