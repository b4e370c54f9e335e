import { errorMessage, sayWords, unpackWords } from '../../common/index.js';
import { migrations } from '../../database/migrations/index.js';

import { broken, fine, type Finding, warning } from './finding.js';
import type { ReadOnlyDatabase } from './read-only-database.js';

const DAY_MS = 86_400_000;
/** Seconds two clocks may differ before it is told, and before leases and signatures suffer. */
const SKEW = { warn: 2, broken: 60 };

/** Names of migrations, as the database keeps them. */
const KNOWN: readonly string[] = migrations.map((Migration) => new Migration().name ?? Migration.name);

/** Migrations that still have to run, and those this version does not know. */
export async function migrationState(
  database: Pick<ReadOnlyDatabase, 'query'>,
): Promise<{ pending: readonly string[]; unknown: readonly string[] }> {
  const done = (await database.query<{ name: string }>('SELECT name FROM SVC_migration ORDER BY id')).map(({ name }) => name);
  return { pending: KNOWN.filter((name) => !done.includes(name)), unknown: done.filter((name) => !KNOWN.includes(name)) };
}

/** Whether the database was made by this version, and is whole. */
export async function checkDatabase(database: ReadOnlyDatabase): Promise<Finding[]> {
  const state = await migrationState(database).catch(() => null);
  if (!state)
    return [
      warning('database', 'it answers, and no panel has used it yet', 'The first start of the panel, or svc migrate, makes its tables.'),
    ];
  const { pending, unknown } = state;
  const version = unknown.length
    ? broken(
        'database',
        `it was changed by a newer version (${unknown.at(-1)})`,
        'Start the newer version again: this one does not know its columns.',
      )
    : pending.length
      ? warning(
          'database',
          `${pending.length} migrations have not run yet`,
          'The next start runs them, or svc migrate. Make a backup first.',
        )
      : fine('database', `${database.engine === 'sqlite' ? 'SQLite' : 'MySQL'}, up to date`);
  return [version, await integrity(database)];
}

async function integrity(database: ReadOnlyDatabase): Promise<Finding> {
  const advice =
    'Stop the panel, keep a copy of the database, and go back to the last backup (svc restore), or repair it with the tools of the engine.';
  const wrong = database.engine === 'sqlite' ? await damageOfFile(database) : await damageOfTables(database);
  return wrong.length === 0 ? fine('integrity', 'a quick check found nothing') : broken('integrity', wrong.slice(0, 3).join('; '), advice);
}

async function damageOfFile(database: ReadOnlyDatabase): Promise<string[]> {
  try {
    const rows = await database.query<{ quick_check: string }>('PRAGMA quick_check(5)');
    return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
  } catch (error) {
    return [errorMessage(error)];
  }
}

async function damageOfTables(database: ReadOnlyDatabase): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name",
  );
  const wrong: string[] = [];
  for (const { name } of tables) {
    const answers = await database.query<{ Msg_type: string; Msg_text: string }>(`CHECK TABLE \`${name.replaceAll('`', '``')}\` QUICK`);
    wrong.push(...answers.filter((answer) => answer.Msg_type.toLowerCase() === 'error').map((answer) => `${name}: ${answer.Msg_text}`));
  }
  return wrong;
}

/** The text that tells whether a key is the database's; null before the first start, and where the table cannot be read. */
export async function sealedCheck(database: ReadOnlyDatabase): Promise<string | null> {
  const rows = await database
    .query<{ sealed: string | null }>('SELECT secret_check AS sealed FROM SVC_config WHERE id = 1')
    .catch(() => []);
  return rows[0]?.sealed ?? null;
}

/** Enabled plugins that are kept from running. */
export async function checkPlugins(database: ReadOnlyDatabase): Promise<Finding[]> {
  const rows = await database
    .query<{ slug: string; since: string | null; reason: string }>(
      'SELECT slug, quarantined_at AS since, quarantine_reason AS reason FROM SVC_plugin WHERE enabled = 1 ORDER BY slug',
    )
    .catch(() => null);
  if (!rows) return [];
  const failed = rows.filter(({ since }) => since !== null);
  if (failed.length === 0) return [fine('plugins', rows.length === 0 ? 'none is on' : `${rows.length} on, none in quarantine`)];
  return failed.map(({ slug, reason }) =>
    warning(
      'plugins',
      `${slug} is in quarantine: ${sayWords('en', unpackWords(reason))}`,
      'Look at it on the Plugins page, or switch it off: svc plugin disable ' + slug,
    ),
  );
}

/** The clock of this machine against the server's, or against what was written down last. */
export async function checkClock(database: ReadOnlyDatabase, now: Date): Promise<Finding> {
  const advice =
    'Let both machines follow a time server (timedatectl set-ntp true): due times, sessions and signatures of agents go by the clock.';
  if (database.engine === 'mysql') {
    const [row] = await database.query<{ now: string }>('SELECT UTC_TIMESTAMP(3) AS now');
    const seconds = Math.abs(new Date(`${row!.now.replace(' ', 'T')}Z`).getTime() - now.getTime()) / 1_000;
    const text = `${seconds.toFixed(1)} s apart from the clock of the database`;
    if (seconds > SKEW.broken) return broken('clock', text, advice);
    return seconds > SKEW.warn ? warning('clock', text, advice) : fine('clock', text);
  }
  const [row] = await database.query<{ last: string | null }>('SELECT MAX(started_at) AS last FROM SVC_job_run').catch(() => []);
  const ahead = row?.last ? (Date.parse(`${row.last.replace(' ', 'T')}Z`) - now.getTime()) / 1_000 : 0;
  if (ahead > SKEW.warn) return warning('clock', `jobs ran ${ahead.toFixed(0)} s after now: the clock was set back`, advice);
  return fine('clock', now.toISOString());
}

/** When the last whole backup was made. */
export async function checkBackup(database: ReadOnlyDatabase, now: Date): Promise<Finding[]> {
  const rows = await database
    .query<{ name: string; started: string }>(
      "SELECT name, started_at AS started FROM SVC_backup WHERE state = 'done' ORDER BY id DESC LIMIT 1",
    )
    .catch(() => null);
  if (!rows) return [];
  const advice = 'Activity → Backups makes them by itself every day, or now: svc backup';
  const [last] = rows;
  if (!last) return [warning('backup', 'none was made yet', advice)];
  const days = (now.getTime() - Date.parse(`${last.started.replace(' ', 'T')}Z`)) / DAY_MS;
  const text = `${last.name}, ${days < 1 ? 'less than a day' : `${Math.floor(days)} days`} old`;
  return [days > 2 ? warning('backup', text, advice) : fine('backup', text)];
}
