import { statSync } from 'node:fs';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { createTestPlace, type TestPlace } from '../../test/support/database.js';

import { createDatabase, type Database } from './index.js';

/** Pages after which SQLite puts its log back into the database, by its own default, in bytes; and some for what came meanwhile. */
const LOG_BYTES = 1_000 * 4_120 * 2;

let place: TestPlace;
let database: Database;
let second: Database;
/** As another process has it. */
let foreign: Sqlite.Database;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const write = (on: Database, value: number): Promise<unknown> => on.run('UPDATE numbers SET value = ?', [value]);
const read = async (on: Database): Promise<number> => (await on.first<{ value: number }>('SELECT value FROM numbers'))!.value;

beforeAll(async () => {
  place = await createTestPlace({}, 'sqlite');
  [database, second] = [createDatabase(ormOptions(place.config)), createDatabase(ormOptions(place.config))];
  for (const one of [database, second]) await one.dataSource.initialize();
  await database.run('CREATE TABLE numbers (value INTEGER NOT NULL, filler TEXT)');
  await database.run('INSERT INTO numbers VALUES (0, NULL)');
  foreign = new Sqlite(join(place.dataDir, 'panel.db'));
});
afterAll(async () => {
  foreign.close();
  for (const one of [database, second]) await one.dataSource.destroy();
  await place.dispose();
});

describe('reads of one event loop tick', () => {
  it('see what this process wrote meanwhile, on any connection', async () => {
    for (const [value, writer] of [database, second, database].entries()) {
      await read(database);
      await read(second);
      await write(writer, value + 1);
      expect([await read(database), await read(second)]).toEqual([value + 1, value + 1]);
    }
  });

  it('see the writes of a transaction after its commit, and never before', async () => {
    await write(database, 0);
    const during = await database.transaction(async () => {
      await write(database, 7);
      return read(second);
    });
    expect([during, await read(database), await read(second)]).toEqual([0, 7, 7]);
  });

  it('see one state while another process writes, and the new one in the next tick', async () => {
    await write(database, 1);
    const first = await read(database);
    foreign.exec('UPDATE numbers SET value = 2');
    const same = await read(database);
    await turn();
    expect([first, same, await read(database)]).toEqual([1, 1, 2]);
  });

  it('continue after one of them failed', async () => {
    await expect(database.query('SELECT missing FROM numbers')).rejects.toThrow('missing');
    await write(database, 3);
    expect(await read(database)).toBe(3);
  });

  it('do not prevent the WAL from being checkpointed: it stays short', async () => {
    for (let round = 0; round < 300; round += 1) {
      await read(database);
      await database.run('UPDATE numbers SET value = ?, filler = ?', [round, 'x'.repeat(100_000)]);
      await read(second);
    }
    expect(statSync(join(place.dataDir, 'panel.db-wal')).size).toBeLessThan(LOG_BYTES);
  });
});

it('leave nothing open when closing in the tick of a read', async () => {
  const other = createDatabase(ormOptions(place.config));
  await other.dataSource.initialize();
  await read(other);
  await other.dataSource.destroy();
  await turn();
  expect(() => foreign.pragma('wal_checkpoint(TRUNCATE)')).not.toThrow();
});
