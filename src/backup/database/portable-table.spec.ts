import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import mysql from 'mysql2/promise';

import { createTestPlace, testEngine, type TestPlace } from '../../../test/support/database.js';
import type { Cell, TableDescription } from '../archive/manifest.js';

import { portableTable, valueCheck } from './portable-table.js';
import { openSnapshot } from './by-engine.js';

let place: TestPlace;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(() => place.dispose());

/** Has the run's own engine do that, and describe the table that is there then. */
async function described(...statements: string[]): Promise<TableDescription> {
  if (testEngine === 'sqlite') {
    const handle = new Sqlite(place.config.sqlitePath!);
    for (const statement of ['DROP TABLE IF EXISTS t', ...statements]) handle.exec(statement);
    handle.close();
  } else {
    const connection = await mysql.createConnection(place.databaseUrl.replace(/^mariadb:/, 'mysql:'));
    for (const statement of ['DROP TABLE IF EXISTS t', ...statements]) await connection.query(statement);
    await connection.end();
  }
  const snapshot = await openSnapshot(place.config);
  try {
    return (await snapshot.schema()).find(({ table }) => table?.name === 't')!.table!;
  } finally {
    await snapshot.close();
  }
}

const other = testEngine === 'sqlite' ? 'mysql' : 'sqlite';
const columnsOf = (table: TableDescription): string[] =>
  portableTable(table, other).columns.map(
    ({ name, type, length, precision, scale, default: value, isNullable, isPrimary, isGenerated }) => {
      const size = [length, precision, scale].filter((part) => part !== undefined && part !== '').join();
      return [
        name,
        size === '' ? type : `${type}(${size})`,
        ...(isNullable ? ['null'] : []),
        ...(value === undefined ? [] : [String(value)]),
      ]
        .concat(isPrimary ? ['key'] : [], isGenerated ? ['counted'] : [])
        .join(' ');
    },
  );

describe.runIf(testEngine === 'sqlite')('a table of SQLite', () => {
  it('has on a server the columns that hold as much', async () => {
    const table = await described(
      `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a VARCHAR(40) NOT NULL DEFAULT 'it''s', b TEXT, c BOOLEAN NOT NULL DEFAULT 1,
        d DECIMAL(10,2),
       e DATETIME DEFAULT CURRENT_TIMESTAMP, f DATE, g BLOB, h DOUBLE, i NUMERIC, j varchar, k BIGINT DEFAULT -1, UNIQUE (a))`,
      'CREATE INDEX by_c ON t (c, d)',
    );
    expect(columnsOf(table)).toEqual([
      'id bigint key counted',
      "a varchar(40) 'it''s'",
      'b longtext null',
      'c tinyint 1',
      'd decimal(10,2) null',
      'e datetime(3) null CURRENT_TIMESTAMP(3)',
      'f date null',
      'g longblob null',
      'h double null',
      'i double null',
      'j longtext null',
      'k bigint null -1',
    ]);
    const indexes = portableTable(table, other).indices.map(({ columnNames, isUnique }) => [columnNames.join(), isUnique]);
    expect(indexes.sort()).toEqual([
      ['a', true],
      ['c,d', false],
    ]);
  });

  it.each([
    ['the trigger x', 'CREATE TABLE t (id INTEGER)', 'CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END'],
    ['the computed column c', 'CREATE TABLE t (a INTEGER, c INTEGER AS (a + 1) VIRTUAL)'],
    ['the index i', 'CREATE TABLE t (a INTEGER)', 'CREATE INDEX i ON t (a) WHERE a > 1'],
    ['the index i', 'CREATE TABLE t (a INTEGER)', 'CREATE INDEX i ON t (a + 1)'],
    ['a CHECK', 'CREATE TABLE t (a INTEGER CHECK (a > 0))'],
    ['a foreign key', 'CREATE TABLE t (a INTEGER REFERENCES t (a))'],
    ['the type none', 'CREATE TABLE t (a)'],
    ['the type GEOMETRY', 'CREATE TABLE t (a GEOMETRY)'],
    ['the default', "CREATE TABLE t (a TEXT DEFAULT (lower('A')))"],
  ])('that has what no server has is refused: %s', async (problem, ...statements) => {
    const table = await described(...statements);
    expect(() => portableTable(table, other)).toThrow(new RegExp(`The table t has .*${problem}`));
  });
});

describe.runIf(testEngine === 'mysql')('a table of a server', () => {
  it('has on SQLite the columns that hold as much', async () => {
    const table = await described(
      `CREATE TABLE t (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, a VARCHAR(40) NOT NULL DEFAULT 'it''s', b MEDIUMTEXT,
        c TINYINT(1) NOT NULL DEFAULT 1,
       d DECIMAL(10,2), e DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), f DATE, g VARBINARY(9), h FLOAT, i ENUM('x','y'), j JSON,
       k BIGINT UNSIGNED, UNIQUE (a), KEY by_c (c, b(9)))`,
    );
    expect(columnsOf(table)).toEqual([
      'id integer key counted',
      expect.stringMatching(/^a varchar\(40\) 'it(''|\\')s'$/),
      'b text null NULL',
      'c integer 1',
      'd decimal(10,2) null NULL',
      'e datetime(3) null CURRENT_TIMESTAMP',
      'f date null NULL',
      'g blob null NULL',
      'h double null NULL',
      'i text null NULL',
      'j text null NULL',
      'k integer null NULL',
    ]);
    const indexes = portableTable(table, other).indices.map(({ columnNames, isUnique }) => [columnNames.join(), isUnique]);
    expect(indexes.sort()).toEqual([
      ['a', true],
      ['c,b', false],
    ]);
  });

  it.each([
    ['the trigger x', 'CREATE TABLE t (a INT)', 'CREATE TRIGGER x AFTER INSERT ON t FOR EACH ROW SET @one = 1'],
    ['the computed column c', 'CREATE TABLE t (a INT, c INT AS (a + 1) VIRTUAL)'],
    ['the index i', 'CREATE TABLE t (a TEXT, UNIQUE i (a(5)))'],
    ['a CHECK', 'CREATE TABLE t (a INT CHECK (a > 0))'],
    ['a foreign key', 'CREATE TABLE t (a INT, KEY (a), FOREIGN KEY (a) REFERENCES t (a))'],
    ['the type point', 'CREATE TABLE t (a POINT)'],
    ['which has ON UPDATE', 'CREATE TABLE t (a TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)'],
    ['the default', 'CREATE TABLE t (a VARCHAR(40) DEFAULT (UUID()))'],
  ])('that has what SQLite has not is refused: %s', async (problem, ...statements) => {
    const table = await described(...statements);
    expect(() => portableTable(table, other)).toThrow(new RegExp(`The table t has .*${problem}`));
  });
});

it('does not let a value go over that would be another one there', () => {
  const table: TableDescription = {
    name: 't',
    columns: [
      ['whole', 'bigint unsigned'],
      ['amount', 'decimal(30,2)'],
      ['at', 'datetime'],
      ['words', 'text'],
      ['bytes', 'blob'],
    ].map(([name, type]) => ({ name: name!, type: type!, isNullable: true, default: null, isPrimary: false, isCounted: false })),
    indexes: [],
    peculiar: [],
  };
  const check = (to: 'sqlite' | 'mysql', column: string, cell: Cell): void => valueCheck(table, [column], to)([cell]);
  const fine: ['sqlite' | 'mysql', string, Cell][] = [
    ['sqlite', 'whole', '9223372036854775807'],
    ['sqlite', 'amount', '-1234567890123.45'],
    ['mysql', 'amount', 0.1 + 0.2],
    ['mysql', 'amount', 12.34],
    ['mysql', 'at', '2026-11-23 01:02:03.045000'],
    ['mysql', 'at', null],
    ['mysql', 'bytes', { base64: '/w==' }],
    ['mysql', 'words', '0.00001'],
  ];
  for (const [to, column, cell] of fine) expect([column, cell, check(to, column, cell)]).toEqual([column, cell, undefined]);
  expect(() => check('sqlite', 'whole', '9223372036854775808')).toThrow('The table t contains, in the column whole, 9223372036854775808');
  expect(() => check('sqlite', 'amount', '12345678901234.56')).toThrow('more than 15 digits');
  expect(() => check('mysql', 'amount', 1.239)).toThrow('more digits than its column');
  expect(() => check('mysql', 'at', '2026-11-23 01:02:03.0456')).toThrow('more precise than milliseconds');
  expect(() => check('mysql', 'words', { base64: '/w==' })).toThrow('bytes that are not text');
});
