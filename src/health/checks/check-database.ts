import { notInBackups } from '../../backup/index.js';
import { DAY_MS, errorMessage, unpackWords } from '../../common/index.js';
import { migrationName, migrations, quotedName } from '../../database/index.js';

import { broken, fine, type HealthFinding, warning } from './finding.js';
import type { ReadOnlyDatabase } from './read-only-database.js';

/** Queryable database of a check, in `svc doctor` or in the running panel. */
export type Readable = Pick<ReadOnlyDatabase, 'engine' | 'query'>;

/** Clock difference in seconds from which a warning is shown, and from which leases and signatures fail. */
const SKEW = { warn: 2, broken: 60 };

/** Names of migrations as stored in the database. */
const KNOWN: readonly string[] = migrations.map(migrationName);

/** Returns pending migrations and those unknown to this version. */
export async function migrationState(
  database: Pick<Readable, 'query'>,
): Promise<{ pending: readonly string[]; unknown: readonly string[] }> {
  const done = (await database.query<{ name: string }>('SELECT name FROM SVC_migration ORDER BY id')).map(({ name }) => name);
  return { pending: KNOWN.filter((name) => !done.includes(name)), unknown: done.filter((name) => !KNOWN.includes(name)) };
}

/** Checks whether the schema matches this version. */
export async function checkVersion(database: Readable): Promise<HealthFinding> {
  const state = await migrationState(database).catch(() => null);
  if (!state) return warning('database', 'unused', {}, 'unused_advice');
  const { pending, unknown } = state;
  if (unknown.length) return broken('database', 'newer', { name: unknown.at(-1)! }, 'newer_advice');
  if (pending.length) return warning('database', 'pending', { count: pending.length }, 'pending_advice');
  return fine('database', 'current', { engine: database.engine === 'sqlite' ? 'SQLite' : 'MySQL' });
}

/** Checks the integrity of the database. Takes time proportional to its size and blocks the process on SQLite. */
export async function checkIntegrity(database: Readable): Promise<HealthFinding> {
  const wrong = database.engine === 'sqlite' ? await damageOfFile(database) : await damageOfTables(database);
  return wrong.length === 0
    ? fine('integrity', 'whole')
    : broken('integrity', 'damaged', { problems: wrong.slice(0, 3).join('; ') }, 'damaged_advice');
}

async function damageOfFile(database: Readable): Promise<string[]> {
  try {
    const rows = await database.query<{ quick_check: string }>('PRAGMA quick_check(5)');
    return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  } catch (error) {
    return [errorMessage(error)];
  }
}

async function damageOfTables(database: Readable): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ' +
      "AND table_type = 'BASE TABLE' ORDER BY table_name",
  );
  const wrong: string[] = [];
  for (const { name } of tables) {
    const answers = await database.query<{ Msg_type: string; Msg_text: string }>(`CHECK TABLE ${quotedName(name)} QUICK`);
    wrong.push(...answers.filter((answer) => answer.Msg_type.toLowerCase() === 'error').map((answer) => `${name}: ${answer.Msg_text}`));
  }
  return wrong;
}

/** Returns the text that verifies the secret key; null before the first start or if the table is unreadable. */
export async function sealedCheck(database: Readable): Promise<string | null> {
  const rows = await database
    .query<{ sealed: string | null }>('SELECT secret_check AS sealed FROM SVC_config WHERE id = 1')
    .catch(() => []);
  return rows[0]?.sealed ?? null;
}

/** Checks for enabled plugins in quarantine. */
export async function checkPlugins(database: Readable): Promise<HealthFinding[]> {
  const rows = await database
    .query<{ slug: string; since: string | null; reason: string }>(
      'SELECT slug, quarantined_at AS since, quarantine_reason AS reason FROM SVC_plugin WHERE enabled = 1 ORDER BY slug',
    )
    .catch(() => null);
  if (!rows) return [];
  const failed = rows.filter(({ since }) => since !== null);
  if (failed.length === 0)
    return [rows.length === 0 ? fine('plugins', 'plugins_none') : fine('plugins', 'plugins_on', { count: rows.length })];
  return failed.map(({ slug, reason }) =>
    warning('plugins', 'quarantined', { slug, reason: unpackWords(reason) }, 'quarantined_advice', { slug }),
  );
}

/** Compares the clock with that of the database server, or with the latest stored time. */
export async function checkClock(database: Readable, now: Date): Promise<HealthFinding> {
  if (database.engine === 'mysql') {
    const [row] = await database.query<{ now: string }>('SELECT UTC_TIMESTAMP(3) AS now');
    const seconds = Math.abs(new Date(`${row!.now.replace(' ', 'T')}Z`).getTime() - now.getTime()) / 1_000;
    const apart = { seconds: seconds.toFixed(1) };
    if (seconds > SKEW.broken) return broken('clock', 'apart', apart, 'clock_advice');
    return seconds > SKEW.warn ? warning('clock', 'apart', apart, 'clock_advice') : fine('clock', 'apart', apart);
  }
  const [row] = await database.query<{ last: string | null }>('SELECT MAX(started_at) AS last FROM SVC_job_run').catch(() => []);
  const ahead = row?.last ? (Date.parse(`${row.last.replace(' ', 'T')}Z`) - now.getTime()) / 1_000 : 0;
  if (ahead > SKEW.warn) return warning('clock', 'set_back', { seconds: ahead.toFixed(0) }, 'clock_advice');
  return fine('clock', 'clock', { now: `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC` });
}

/** Reports the certificates monitored by the installation; nothing if there are none. */
export async function checkCertificates(database: Readable): Promise<HealthFinding[]> {
  const rows = await database
    .query<{ name: string; url: string; status: string | null; days: number | null }>(
      `SELECT name, url, last_status AS status, last_code AS days FROM SVC_monitor_task
       WHERE task_type = 'cert' AND enabled = 1 AND user = '' ORDER BY last_code, id`,
    )
    .catch(() => []);
  if (rows.length === 0) return [];
  const wrong = rows.filter(({ status }) => status === 'fail');
  const known = rows.filter(({ status, days }) => status === 'ok' && days !== null);
  if (wrong.length > 0) {
    const names = wrong.slice(0, 5).map(({ name, url }) => name || url);
    return [warning('certificates', 'certificates_wrong', { count: wrong.length, names: names.join(', ') }, 'certificates_advice')];
  }
  return [
    known.length > 0
      ? fine('certificates', 'certificates', { count: rows.length, days: Number(known[0]!.days) })
      : fine('certificates', 'certificates_new', { count: rows.length }),
  ];
}

/** Checks the age of the last complete backup. */
export async function checkBackup(database: Readable, now: Date): Promise<HealthFinding[]> {
  const rows = await database
    .query<{ name: string; started: string }>(
      "SELECT name, started_at AS started FROM SVC_backup WHERE state = 'done' ORDER BY id DESC LIMIT 1",
    )
    .catch(() => null);
  if (!rows) return [];
  const [last] = rows;
  if (!last) return [warning('backup', 'no_backup', {}, 'backup_advice')];
  const days = (now.getTime() - Date.parse(`${last.started.replace(' ', 'T')}Z`)) / DAY_MS;
  const [text, params] = [days < 1 ? 'fresh_backup' : 'old_backup', { name: last.name, days: Math.floor(days) }];
  return [days > 2 ? warning('backup', text, params, 'backup_advice') : fine('backup', text, params)];
}

/** Reports data that backups leave out; nothing if there is none. */
export async function checkLeftOut({ engine, query }: Readable): Promise<HealthFinding[]> {
  const names = await notInBackups(engine, query).catch(() => []);
  return names.length > 0 ? [warning('backup', 'left_out', { names: names.join(', ') }, 'left_out_advice')] : [];
}

/** Reports a restored installation that waits for review; nothing otherwise. */
export async function checkRestored(database: Readable): Promise<HealthFinding[]> {
  const rows = await database
    .query<{ restored: string }>('SELECT restored_at AS restored FROM SVC_restored WHERE released_at IS NULL ORDER BY id DESC LIMIT 1')
    .catch(() => []);
  return rows.map(({ restored }) => warning('restored', 'held', { day: restored.slice(0, 10) }, 'held_advice'));
}
