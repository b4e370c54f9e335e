import { randomBytes } from 'node:crypto';

import { legacyDay } from '../../common/index.js';
import { type AccountState, HostingAccount, PAUSE_REASON } from '../../hosting/index.js';

import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows, idOf } from './rows.js';

const MB = 1024 ** 2;
/** Product type without a site: a CDN entry. */
const CDN = '1';
/** A value that is a password hash; the other panel stored plain passwords. */
const HASH = /^\$(?:2[abxy]?|argon2\w*)\$/;

/** Imports hosting accounts with their ids, names and passwords. */
export const accounts: ImportPart = {
  table: 'zj',
  needs: ['user', 'pass', 'ssbt', 'datae'],
  what: 'hosting accounts',
  nameOf: (row) => row.text('user'),
  async take(rows, context) {
    const { database, report } = context;
    const made = convertRows(accounts, rows, context, (row) => {
      const account = accountOf(row, context);
      context.accounts.set(account.userKey, account);
      return { account, password: row.text('pass') };
    });
    const withHashes = await Promise.all(
      made.map(async ({ account, password }) => ({ ...account, passwordHash: await hashOf(password, account.username, context) })),
    );
    await database.repository(HostingAccount).insert(withHashes);
    report.add('hosting accounts', withHashes.length);
  },
};

function accountOf(row: LegacyRow, { servers, accounts: taken, zone, now }: ImportContext) {
  const username = row.short('user', 64);
  const userKey = username.toLowerCase();
  if (username.trim() === '') throw new SkippedRow('it has no name');
  if (taken.has(userKey)) throw new SkippedRow('its name occurs twice');
  if (row.text('hxc') === CDN) throw new SkippedRow('it is a CDN entry');
  const nodeCode = servers.get(row.text('ssbt').trim().toLowerCase());
  if (nodeCode === undefined) throw new SkippedRow('its server was not imported');
  const id = idOf(row);
  const expiresOn = row.day('datae', zone);
  const isPaused = row.text('qk') === 'false';
  const isOver = expiresOn !== null && expiresOn < legacyDay(now, zone);
  const [web, sql, traffic] = [row.limit('hxa'), row.limit('hxb'), row.limit('llmax')];
  return {
    id,
    username,
    userKey,
    nodeCode,
    siteName: row.short('sqldz', 128),
    siteId: row.short('btid', 64),
    expiresOn,
    createdAt: row.moment('data', zone, now),
    state: (isPaused ? 'paused' : 'active') as AccountState,
    // A renewal ends an expiry pause; shop or administrator end the other.
    pauseReasons: isPaused ? [isOver ? PAUSE_REASON.expiry : PAUSE_REASON.api] : [],
    webQuotaMb: web.limit,
    databaseQuotaMb: sql.limit,
    trafficQuotaGb: traffic.limit,
    domainQuota: row.integer('ymbds'),
    monitorQuota: null,
    backupQuota: null,
    webUsedBytes: web.used * MB,
    databaseUsedBytes: sql.used * MB,
    databaseUser: row.short('sqluser', 64) || null,
    trafficUsedBytes: traffic.used,
    usageDueAt: now,
    email: row.short('mailuser', 254) || null,
  };
}

/** Hashes the password; an unusable one is replaced with a random one and reported. */
async function hashOf(password: string, username: string, { hasher, report }: ImportContext): Promise<string> {
  const isUsable = password !== '' && !HASH.test(password) && !password.includes('\uFFFD');
  if (!isUsable) report.addNote('accounts whose password could not be imported: set a new one (Hosts)', username);
  if (!hasher) return '';
  return hasher.hash(isUsable ? password : randomBytes(24).toString('base64url'));
}
