import { createHash } from 'node:crypto';

import { legacyTime } from '../../common/index.js';
import type { FormValues } from '../../http/index.js';
import { type EnforceableLimit, LIMIT_FIELDS } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';

/** Expiry as the wire has it for "never". */
export const NEVER = '0000-00-00';

const BYTES_PER_MB = 1024 * 1024;

/** What {@link hostRow} and {@link hostForm} read of an account. */
export const HOST_ROW_PROPERTIES = [
  'id',
  'username',
  'nodeCode',
  'siteId',
  'siteName',
  'createdAt',
  'expiresOn',
  'graceDays',
  'holdUntil',
  'state',
  'pauseReasons',
  'siteStopped',
  'webQuotaMb',
  'webUsedBytes',
  'databaseQuotaMb',
  'databaseUsedBytes',
  'databaseUser',
  'trafficQuotaGb',
  'trafficUsedBytes',
  'domainQuota',
  'monitorQuota',
  'backupQuota',
  'email',
  'ownerId',
  'passwordHash',
] as const satisfies readonly (keyof HostingAccount)[];

type AccountOfRow = Pick<HostingAccount, (typeof HOST_ROW_PROPERTIES)[number]>;

/** An account as lists read it. */
export interface ListedAccount extends AccountOfRow {
  /** Whether its owner signs in with a second factor. */
  secured: boolean;
}

/**
 * An account as rows of `SVC_zj` look on the wire: every value text, quotas as JSON text, never a password.
 * Source: docs/panel-api.md "Hosts".
 */
export function hostRow(account: AccountOfRow, url: string, timezone: string): Record<string, string> {
  return {
    id: String(account.id),
    user: account.username,
    ssbt: account.nodeCode,
    btid: account.siteId,
    sqldz: account.siteName,
    data: legacyTime(account.createdAt, timezone),
    datae: account.expiresOn ?? NEVER,
    gq: account.holdUntil ?? '',
    qk: String(account.state === 'active'),
    zjzt: account.state,
    ztyy: account.pauseReasons.join(','),
    wzqk: String(!account.siteStopped),
    // Written out: lists have sixty of these a page, and numbers alone need no writer of JSON.
    hxa: `{"max":${account.webQuotaMb},"dq":${Math.ceil(account.webUsedBytes / BYTES_PER_MB)}}`,
    hxb: `{"max":${account.databaseQuotaMb},"dq":${Math.ceil(account.databaseUsedBytes / BYTES_PER_MB)}}`,
    hxc: '2',
    sqluser: account.databaseUser ?? '',
    // The panel keeps no such ids: it finds both by the site whenever it needs them.
    ftpid: '0',
    hxd: '0',
    // How many backups of the database there are, its server alone knows.
    backup: `{"max":"${account.backupQuota ?? ''}","dq":null}`,
    llmax: `{"max":${account.trafficQuotaGb},"dq":${account.trafficUsedBytes},"statistics":false,"history":{}}`,
    ymbds: String(account.domainQuota),
    jk_max: String(account.monitorQuota ?? ''),
    bf_max: String(account.backupQuota ?? ''),
    mailuser: account.email ?? '',
    yh_id: String(account.ownerId ?? ''),
    url,
  };
}

/** What `zjxgjl` sets, by the names of its fields, as the dialog shows it. */
export const hostForm = (account: AccountOfRow) =>
  ({
    datar: account.expiresOn ?? NEVER,
    webkj: account.webQuotaMb,
    sqlkj: account.databaseQuotaMb,
    llmax: account.trafficQuotaGb,
    ymbds: account.domainQuota,
    jk_max: account.monitorQuota,
    bf_max: account.backupQuota,
    mailuser: account.email ?? '',
    pass: { secret: account.passwordHash },
  }) satisfies FormValues;

/** What `zjgq` sets, as its dialog shows it. */
export const holdForm = ({ holdUntil }: Pick<AccountOfRow, 'holdUntil'>): FormValues => ({ date: holdUntil ?? '' });

/** What callers send as `svc_keye`: md5 of both halves of a node's key, 32 lower-case hex digits. */
export function callingKey(node: { openKey: string; signatureKey: string }): string {
  return createHash('md5')
    .update(node.openKey + node.signatureKey)
    .digest('hex');
}

/** Limits as the forms name them, with commas. */
export function fieldsOf(limits: readonly EnforceableLimit[]): string {
  return limits.map((limit) => LIMIT_FIELDS[limit]).join(',');
}
