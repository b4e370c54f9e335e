import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Column, type EntityMetadata, Entity, type ObjectLiteral, PrimaryGeneratedColumn, type QueryRunner } from 'typeorm';

import { entities, ormOptions } from '../../ormconfig.js';
import { newRecoveryKeys } from '../../src/backup/index.js';
import { writeBackup } from '../../src/backup/write-backup.js';
import { openSnapshot } from '../../src/backup/database/by-engine.js';
import { createDatabase, type Database, refuseHalfRestored } from '../../src/database/index.js';
import { TableSchema } from '../../src/plugin-registry/tables/table-schema.js';
import { createTestPlace, type TestPlace, testServer } from '../support/database.js';
import { svc, type SvcAnswer } from '../support/svc.js';

const ODD = 'line\nline\r\u2028"quoted" \'it\' \\ \\n %_ 空间 😀';
const MADE_AT = new Date('2026-11-23T01:02:03.045Z');

/** Drivers return 64-bit numbers differently; their texts are compared as well. */
const ROUNDED = { to: (value: unknown) => value, from: (value: unknown) => Number(value) };

/** A table of a plugin with each type of its schema. */
@Entity('SVC_plg_odd_thing')
class Thing {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) whole!: number;
  @Column({ type: 'bigint', transformer: ROUNDED }) big!: string;
  @Column({ type: 'varchar' }) name!: string;
  @Column({ type: 'text', nullable: true }) words!: string | null;
  @Column({ type: 'boolean' }) on!: boolean;
  @Column({ type: 'datetime', precision: 3, nullable: true }) at!: Date | null;
  @Column({ type: 'bigint', transformer: ROUNDED }) price!: string;
}

async function open(place: TestPlace): Promise<Database> {
  const options = ormOptions(place.config);
  const database = createDatabase({ ...options, entities: [...entities, Thing] } as typeof options);
  await database.dataSource.initialize();
  return database;
}

/** A value for each column: long, odd, empty, null, zero, maximum. */
function rowOf({ columns, primaryColumns }: EntityMetadata, nth: number): ObjectLiteral {
  const row: ObjectLiteral = {};
  for (const column of columns) {
    const isKey = primaryColumns.includes(column) || column.propertyName === 'key';
    const length = Number(column.length) || 1_000;
    const value = (): unknown => {
      if (column.isNullable && nth === 0 && !isKey) return null;
      switch (column.type) {
        case 'boolean':
          return nth % 2 === 1;
        case 'int':
        case Number:
          return isKey ? nth + 7 : [0, -1, 2_147_483_647][nth];
        case 'bigint':
          return [0, -5, Number.MAX_SAFE_INTEGER][nth];
        case 'double':
          return [0, -0.1, 1.7976931348623157e308][nth];
        case 'decimal':
          return [0, -1, 123_456_789_012][nth];
        case 'datetime':
          return new Date(MADE_AT.getTime() + nth);
        case 'date':
          return ['0000-00-00', '2026-12-31', '1970-01-01'][nth];
        default:
          if (column.transformer) return [0, [1, '', null], { text: ODD, on: true }][nth];
          if (isKey || length < 4) return `${nth}`;
          // No two equal values: some columns are unique.
          return nth === 0 ? '' : `${nth}${ODD}`.slice(0, length).replace(/[\ud800-\udbff]$/, '');
      }
    };
    row[column.propertyName] = value();
  }
  return row;
}

async function fill(database: Database): Promise<void> {
  const runner = database.dataSource.createQueryRunner();
  await runner.query(database.engine === 'sqlite' ? 'PRAGMA foreign_keys = OFF' : 'SET SESSION foreign_key_checks = 0');
  await runner.query(database.engine === 'sqlite' ? 'SELECT 1' : "SET SESSION sql_mode = ''");
  await new TableSchema('odd', runner).createTable({
    name: 'thing',
    columns: [
      { name: 'whole', type: 'integer', default: 5 },
      { name: 'big', type: 'bigint' },
      { name: 'name', type: 'string', length: 64, default: "it's" },
      { name: 'words', type: 'text', nullable: true },
      { name: 'on', type: 'boolean', default: true },
      { name: 'at', type: 'datetime', nullable: true },
      { name: 'price', type: 'money' },
    ],
    indexes: [{ columns: ['name'], unique: true }, { columns: ['at', 'whole'] }],
  });
  const things = runner.manager.getRepository(Thing);
  await things.insert([
    { whole: 1, big: '9223372036854775807', name: ODD, words: null, on: true, at: MADE_AT, price: '-9223372036854775808' },
    { whole: -1, big: '9007199254740993', name: '', words: '', on: false, at: null, price: '990' },
  ]);
  await things.insert({ id: 41, whole: 0, big: '0', name: 'gone', words: ODD.repeat(900), on: true, at: null, price: '0' });
  await things.delete({ id: 41 });
  for (const metadata of database.dataSource.entityMetadatas) {
    if (metadata.target === Thing) continue;
    const repository = runner.manager.getRepository(metadata.target);
    for (let nth = 0; nth < 3; nth += 1) {
      const row = rowOf(metadata, nth);
      // Two rows may not be equal when their columns allow few values.
      await repository.insert(row).catch((error: Error) => {
        if (!/unique|duplicate/i.test(error.message)) throw new Error(`${metadata.tableName}: ${error.message}`, { cause: error });
      });
    }
  }
  await raw(
    runner,
    'CREATE TABLE SVC_plg_odd_raw (id INTEGER PRIMARY KEY, bytes BLOB, amount DECIMAL(10,2) NOT NULL DEFAULT 1.50, day DATE)',
  );
  await raw(
    runner,
    `INSERT INTO SVC_plg_odd_raw VALUES (1, X'00FF80270A', 12.34, '0000-00-00'), (2, NULL, -0.10, NULL), (3, X'', 99999999.99,
      '2026-02-28')`,
  );
  await runner.release();
}

const raw = (runner: QueryRunner, sql: string): Promise<unknown> => runner.query(sql);

/** Everything stored, through entities, and the raw table as texts. */
async function contentOf(database: Database): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const { target, tableName, primaryColumns } of database.dataSource.entityMetadatas) {
    if (tableName === 'SVC_restored') continue;
    const order = Object.fromEntries(primaryColumns.map(({ propertyName }) => [propertyName, 'ASC' as const]));
    const select = Object.fromEntries(database.dataSource.getMetadata(target).columns.map(({ propertyName }) => [propertyName, true]));
    content[tableName] = await database.repository(target).find({ order, select });
  }
  // More digits than a JavaScript number has.
  const text = database.engine === 'sqlite' ? 'TEXT' : 'CHAR';
  content.big = await database.query(
    `SELECT CAST(big AS ${text}) AS big, CAST(price AS ${text}) AS price FROM SVC_plg_odd_thing ORDER BY id`,
  );
  content.raw = (
    await database.query<Record<string, unknown>>(
      `SELECT id, HEX(bytes) AS bytes, amount * 100 AS cents, CAST(day AS ${text}) AS day, bytes IS NULL AS none FROM SVC_plg_odd_raw
        ORDER BY id`,
    )
  ).map(({ bytes, cents, ...rest }) => ({ ...rest, bytes: bytes ?? '', cents: Math.round(Number(cents)) }));
  return content;
}

describe.runIf(testServer)('a backup of another engine', () => {
  const places: TestPlace[] = [];
  const place = async (engine: 'sqlite' | 'mysql'): Promise<TestPlace> => {
    const made = await createTestPlace({}, engine);
    places.push(made);
    return made;
  };
  let key: string;
  let recipient: string;
  beforeAll(async () => ({ recoveryKey: key, recipient } = await newRecoveryKeys()));
  afterAll(() => Promise.all(places.map((one) => one.dispose())));

  async function backUp({ config, dataDir }: TestPlace): Promise<string> {
    const path = join(dataDir, 'backups', 'one.age');
    mkdirSync(join(dataDir, 'backups'), { recursive: true });
    writeFileSync(join(dataDir, 'secret.key'), 'a'.repeat(64));
    const snapshot = await openSnapshot(config);
    try {
      const folder = join(dataDir, 'backups');
      const job = {
        config,
        path,
        folder,
        recipient,
        now: MADE_AT,
        signal: new AbortController().signal,
        progress: () => Promise.resolve(),
      };
      await writeBackup(snapshot, job);
    } finally {
      await snapshot.close();
    }
    return path;
  }
  const restore = (at: TestPlace, file: string, ...more: string[]): Promise<SvcAnswer> =>
    svc(at, ['restore', file, ...more], { input: key });

  /** An installation of `from` with this change, its backup, and the result of restoring that to the other engine. */
  async function carry(from: 'sqlite' | 'mysql', statements: readonly string[]): Promise<SvcAnswer & { readonly at: TestPlace }> {
    const [source, at] = [await place(from), await place(from === 'sqlite' ? 'mysql' : 'sqlite')];
    const database = await open(source);
    await database.dataSource.runMigrations();
    for (const statement of statements) await database.dataSource.query(statement);
    await database.dataSource.destroy();
    return { ...(await restore(at, await backUp(source))), at };
  }

  it.each([
    ['sqlite', 'mysql'],
    ['mysql', 'sqlite'],
  ] as const)('of %s is restored on %s, row for row', async (from, to) => {
    const [source, at] = [await place(from), await place(to)];
    const database = await open(source);
    await database.dataSource.runMigrations();
    await fill(database);
    const wanted = await contentOf(database);
    await database.dataSource.destroy();
    const answer = await restore(at, await backUp(source));
    expect([answer.code, answer.text]).toEqual([0, expect.stringContaining('Restored the backup')]);
    const restored = await open(at);
    expect(await restored.dataSource.runMigrations()).toEqual([]);
    await refuseHalfRestored(restored);
    const content = await contentOf(restored);
    for (const [table, rows] of Object.entries(wanted)) expect([table, content[table]]).toEqual([table, rows]);
    expect(Object.keys(wanted).length).toBeGreaterThan(60);
    // Numbering continues after a deleted row; defaults and unique keys exist.
    await restored.dataSource.query(`INSERT INTO SVC_plg_odd_thing (big, name, price) VALUES (1, 'next', 2)`);
    expect(await restored.repository(Thing).findOneByOrFail({ name: 'next' })).toMatchObject({ id: 42, whole: 5, on: true, words: null });
    const again = restored.dataSource.query(`INSERT INTO SVC_plg_odd_thing (big, name, price) VALUES (1, 'next', 2)`);
    await expect(again).rejects.toThrow(/unique|duplicate/i);
    await restored.dataSource.destroy();
  });

  it('with data the other one does not support is refused by name, and leaves nothing of it', async () => {
    const statements = ['CREATE TABLE SVC_plg_a_b (a INTEGER)', "INSERT INTO SVC_plg_a_b VALUES (1), ('abc')"];
    const { code, text, at } = await carry('sqlite', statements);
    expect([code, text]).toEqual([1, expect.stringMatching(/SVC_plg_a_b contains rows that .*'abc' for column/)]);
    const untouched = await open(at);
    expect(await untouched.query('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()')).toEqual([]);
    await untouched.dataSource.destroy();
    const source = await place('sqlite');
    const database = await open(source);
    await database.dataSource.runMigrations();
    await database.dataSource.destroy();
    const file = await backUp(source);
    expect(await restore(at, file)).toEqual({ code: 0, text: expect.stringContaining('Restored the backup') as string });
    expect(await restore(at, file)).toMatchObject({ code: 1, text: expect.stringContaining('--overwrite') });
  });

  it('made by a newer panel is refused', async () => {
    const { code, text } = await carry('mysql', ["INSERT INTO SVC_migration (timestamp, name) VALUES (1, 'Tomorrow1')"]);
    expect([code, text]).toEqual([1, expect.stringContaining('newer panel (Tomorrow1)')]);
  });
});
