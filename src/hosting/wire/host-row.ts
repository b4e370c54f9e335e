import { createHash } from 'node:crypto';

import { legacyTime } from '../../common/index.js';
import type { FormValues } from '../../http/index.js';
import { type EnforceableLimit, LIMIT_FIELDS } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';

/** The wire format of "never expires". */
export const NEVER = '0000-00-00';

const BYTES_PER_MB = 1024 * 1024;

/** Properties of an account read by {@link hostRow} and {@link hostForm}. */
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

/** An account as read by lists. */
export interface ListedAccount extends AccountOfRow {
  /** Whether its owner signs in with a second factor. */
  secured: boolean;
}

/**
 * Converts an account to a row of `SVC_zj` on the wire: every value is text, quotas are JSON text, passwords are never included. Source:
 * docs/panel-api.md "Hosts".
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
    // Built as text because lists have sixty of these per page, and plain numbers need no JSON serializer.
    hxa: `{"max":${account.webQuotaMb},"dq":${Math.ceil(account.webUsedBytes / BYTES_PER_MB)}}`,
    hxb: `{"max":${account.databaseQuotaMb},"dq":${Math.ceil(account.databaseUsedBytes / BYTES_PER_MB)}}`,
    hxc: '2',
    sqluser: account.databaseUser ?? '',
    // The panel stores no such ids: it looks both up by site when needed.
    ftpid: '0',
    hxd: '0',
    // Only the server knows the number of database backups.
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

/** Values of the form `zjxgjl`, by field name. */
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

/** Values of the form `zjgq`. */
export const holdForm = ({ holdUntil }: Pick<AccountOfRow, 'holdUntil'>): FormValues => ({ date: holdUntil ?? '' });

/** Returns the value of `svc_keye` in requests: md5 of both halves of a node's key, 32 lower-case hex digits. */
export function callingKey(node: { openKey: string; signatureKey: string }): string {
  return createHash('md5')
    .update(node.openKey + node.signatureKey)
    .digest('hex');
}

/** Form field names of limits, separated by commas. */
export function fieldsOf(limits: readonly EnforceableLimit[]): string {
  return limits.map((limit) => LIMIT_FIELDS[limit]).join(',');
}
