import type { Database } from './database.js';

const WAIT_SECONDS = 60;
const queues = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Runs `work` under a named lock of this database: across processes on MySQL, within this process on SQLite (which only one process
 * serves). For work that does not fit in a transaction, such as schema changes.
 *
 * @throws Error if the lock is not available within a minute
 */
export async function withNamedLock<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  let names = queues.get(database);
  if (!names) queues.set(database, (names = new Map()));
  const before = names.get(name) ?? Promise.resolve();
  const turn = before.then(() => (database.engine === 'sqlite' ? work() : onServer(database, name, work)));
  const settled = turn.catch(() => undefined);
  names.set(name, settled);
  try {
    return await turn;
  } finally {
    if (names.get(name) === settled) names.delete(name);
  }
}

async function onServer<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  const lock = `svc_${String(database.dataSource.driver.database)}_${name}`.slice(0, 64);
  try {
    const [row] = (await runner.query('SELECT GET_LOCK(?, ?) AS held', [lock, WAIT_SECONDS])) as { held: number | null }[];
    if (Number(row?.held) !== 1) throw new Error(`Another process has held the lock "${name}" for more than a minute. Try again later.`);
    return await work();
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [lock]).catch(() => undefined);
    await runner.release();
  }
}
