/**
 * Cost of the database layer compared with the bare driver running the same statements, and cost of TypeORM's own APIs. SQLite decides;
 * MariaDB runs if TEST_DATABASE_SERVER (default: root on loopback) is reachable. Run: `npm run bench:db`. Settling an order has its own
 * bench: `npm run bench:settlement`.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';

import { Session, SessionService } from '#dist/src/auth/index.js';
import { Clock } from '#dist/src/common/index.js';
import { toSqlTime } from '#dist/src/database/index.js';
import { HostingAccount } from '#dist/src/hosting/index.js';
import { HostList } from '#dist/src/hosting/operations/host-list.js';
import { OperationLog } from '#dist/src/operations/index.js';
import { Order, OrderList } from '#dist/src/payment/index.js';

import { formatTime, measure, printBars, printTable, ratio } from './measure.mjs';
import { mariadbPlace, orderNumber, seedAccounts, seedOrders, sqlitePlace } from './seed.mjs';

/** @import { Place } from './seed.mjs' */

const ROWS = 100_000;
const SESSIONS = 5_000;
const PAGE = { page: 1, limit: 20, sortOrder: /** @type {const} */ ('desc'), search: null };
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const sum = { rows: 0 };

/**
 * The bare driver, with the same interface for both engines: `all`, `get` and `run` of prepared statements, which MariaDB answers later.
 * @typedef {Record<'all' | 'get' | 'run' | 'transaction', (sql: string) => (...params: unknown[]) => any>} Statements
 * @typedef {Statements & { asynchronous: boolean, close: () => void }} Driver
 */

/** @param {Place['config']} config @returns {Driver} */
function sqliteDriver(config) {
  const writer = new Sqlite(config.sqlitePath);
  writer.pragma('journal_mode = WAL');
  writer.pragma('synchronous = FULL');
  writer.pragma('foreign_keys = ON');
  const reader = new Sqlite(config.sqlitePath, { readonly: true });
  return {
    asynchronous: false,
    all: (sql) => reader.prepare(sql).all.bind(reader.prepare(sql)),
    get: (sql) => {
      const statement = reader.prepare(sql);
      return (...params) => statement.get(...params);
    },
    run: (sql) => {
      const statement = writer.prepare(sql);
      return (...params) => statement.run(...params);
    },
    transaction: (sql) => {
      const statement = writer.prepare(sql);
      const work = writer.transaction((...params) => statement.run(...params));
      return (...params) => work.immediate(...params);
    },
    close: () => {
      writer.close();
      reader.close();
    },
  };
}

/** @param {Place['database']} database @returns {Driver} */
function mariadbDriver(database) {
  const { pool } = /** @type {import('typeorm/driver/mysql/MysqlDriver.js').MysqlDriver} */ (database.dataSource.driver);
  const query = (connection, sql, params) =>
    new Promise((resolve, reject) => connection.query(sql, params, (error, result) => (error ? reject(error) : resolve(result))));
  const take = () =>
    new Promise((resolve, reject) => pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))));
  return {
    asynchronous: true,
    all:
      (sql) =>
      (...params) =>
        query(pool, sql, params),
    get:
      (sql) =>
      async (...params) =>
        (await query(pool, sql, params))[0],
    run:
      (sql) =>
      (...params) =>
        query(pool, sql, params),
    transaction:
      (sql) =>
      async (...params) => {
        const connection = await take();
        await query(connection, 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED', []);
        await query(connection, 'START TRANSACTION', []);
        await query(connection, sql, params);
        await query(connection, 'COMMIT', []);
        connection.release();
      },
    close: () => undefined,
  };
}

function found(row) {
  if (!row) throw new Error('A look-up found nothing.');
  sum.rows += 1;
}
/** @param {{ total: number, rows?: unknown[], orders?: unknown[] }} found */
function page({ total, rows, orders }) {
  if (total !== ROWS || (rows ?? orders).length !== PAGE.limit) throw new Error('A page is not what it should be.');
  sum.rows += PAGE.limit;
}

/** Runs one comparison; the first candidate is the bare driver. */
async function compare(title, candidates, options) {
  const results = [...(await measure(candidates, options)).values()];
  printTable(
    [title, 'each', 'x driver'],
    results.map((result) => [result.name, formatTime(result.median), ratio(result, results[0]).toFixed(2)]),
  );
  return { ours: ratio(results[1], results[0]), all: results.slice(1).map((result) => ratio(result, results[0])) };
}

/** @param {Place} place @param {Driver} driver */
async function bench({ config, database }, driver) {
  await seedAccounts(database, ROWS);
  await seedOrders(database, ROWS);
  const sessions = new SessionService(database, new Clock(), config);
  const tokens = [];
  await database.transaction(async () => {
    for (let i = 0; i < SESSIONS; i += 1)
      tokens.push(await sessions.open('user', 1 + ((i * 37) % ROWS), { ip: '127.0.0.1', userAgent: 'bench' }));
  });
  // Only accounts that may sign in have a session.
  await database.run(database.resolve("UPDATE {HostingAccount} SET {HostingAccount.state} = 'active', {HostingAccount.expiresOn} = NULL"));
  const hashes = (await database.query(database.resolve('SELECT {Session.tokenHash} AS hash FROM {Session}'))).map(({ hash }) =>
    String(hash),
  );
  const now = () => toSqlTime(new Date());

  process.stdout.write(
    `\n${database.engine === 'sqlite' ? 'SQLite (WAL, synchronous=FULL)' : 'MariaDB over loopback TCP'}, ` +
      `${ROWS.toLocaleString('en')} rows a table, Node ${process.version}\n\n`,
  );

  const sessionText = `SELECT s.{Session.id} AS id, s.{Session.subjectId} AS subjectId, s.{Session.seenAt} AS seenAt,
    h.{HostingAccount.username} AS username
    FROM {Session} s JOIN {HostingAccount} h ON h.{HostingAccount.id} = s.{Session.subjectId} AND h.{HostingAccount.state} = 'active'
    WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'user' AND s.{Session.expiresAt} > ?`;
  const sessionSql = database.resolve(sessionText);
  const rawSession = driver.get(sessionSql);
  const ownSession = database.statement(sessionText);
  const session = await compare('session by token', [
    {
      name: 'driver, prepared once',
      run: driver.asynchronous
        ? async (i) => found(await rawSession(hashes[i % SESSIONS], now()))
        : (i) => found(rawSession(hashes[i % SESSIONS], now())),
      asynchronous: driver.asynchronous,
    },
    { name: 'Database.statement', run: async (i) => found(await ownSession.get(hashes[i % SESSIONS], now())), asynchronous: true },
    {
      name: 'SessionService.resolve (hashes the token too)',
      run: async (i) => found(await sessions.resolve('user', tokens[i % SESSIONS])),
      asynchronous: true,
    },
    {
      name: 'dataSource.query',
      run: async (i) => found((await database.dataSource.query(sessionSql, [hashes[i % SESSIONS], now()]))[0]),
      asynchronous: true,
    },
    {
      name: 'repository.findOneBy, without the account',
      run: async (i) => found(await database.repository(Session).findOneBy({ tokenHash: hashes[i % SESSIONS], scope: 'user' })),
      asynchronous: true,
    },
  ]);

  const orderText = 'SELECT {Order.id} AS id, {Order.status} AS status, {Order.amount} AS amount FROM {Order} WHERE {Order.number} = ?';
  const rawOrder = driver.get(database.resolve(orderText));
  const ownOrder = database.statement(orderText);
  const number = (i) => orderNumber((i * 7_919) % ROWS);
  const order = await compare('order by number', [
    {
      name: 'driver, prepared once',
      run: driver.asynchronous ? async (i) => found(await rawOrder(number(i))) : (i) => found(rawOrder(number(i))),
      asynchronous: driver.asynchronous,
    },
    { name: 'Database.statement', run: async (i) => found(await ownOrder.get(number(i))), asynchronous: true },
    {
      name: 'dataSource.query',
      run: async (i) => found((await database.dataSource.query(database.resolve(orderText), [number(i)]))[0]),
      asynchronous: true,
    },
    {
      name: 'repository.findOneBy (all columns)',
      run: async (i) => found(await database.repository(Order).findOneBy({ number: number(i) })),
      asynchronous: true,
    },
  ]);

  const lists = {};
  for (const { name, target, list } of [
    { name: 'orders', target: Order, list: new OrderList(database) },
    { name: 'accounts', target: HostingAccount, list: new HostList(database) },
  ]) {
    const entity = target.name;
    const { columns } = database.entityRows(target);
    for (const offset of [0, 90_000]) {
      const all = driver.all(database.resolve(`SELECT ${columns} FROM {${entity}} ORDER BY {${entity}.id} DESC LIMIT ? OFFSET ?`));
      const count = driver.get(database.resolve(`SELECT COUNT(*) AS total FROM {${entity}}`));
      const query = { ...PAGE, page: 1 + offset / PAGE.limit };
      const result = await compare(
        `list of ${name}, ${offset === 0 ? 'first page' : `from row ${offset.toLocaleString('en')}`}, with the total`,
        [
          {
            name: 'driver: SELECT … LIMIT … OFFSET, COUNT(*)',
            run: driver.asynchronous
              ? async () => {
                  const [rows, { total }] = await Promise.all([all(PAGE.limit, offset), count()]);
                  page({ rows, total });
                }
              : () => page({ rows: all(PAGE.limit, offset), total: count().total }),
            asynchronous: driver.asynchronous,
          },
          {
            name: `${list.constructor.name}.page`,
            run: async () => page(await list.page(query)),
            asynchronous: true,
          },
          {
            name: 'repository.findAndCount',
            run: async () => {
              const [rows, total] = await database
                .repository(target)
                .findAndCount({ order: { id: 'DESC' }, skip: offset, take: PAGE.limit });
              page({ rows, total });
            },
            asynchronous: true,
          },
        ],
        { rounds: 9 },
      );
      if (offset === 0) lists[name] = result.ours;
    }
    const known = async (sort) => {
      // The row positions are computed in the background after the first request: a server has idle ticks for that, a benchmark loop has
      // none.
      await list.page({ ...PAGE, sort, page: 4_000 });
      await wait(300);
    };
    await known();
    await known('user');
    const at = (offset, sort) => ({
      name: `${sort ?? 'id'}, from row ${offset.toLocaleString('en')}`,
      run: async () => page(await list.page({ ...PAGE, sort, page: 1 + offset / PAGE.limit })),
      asynchronous: true,
    });
    const depths = await compare(`pages of ${name} at any depth (x first page of the same order)`, [at(0), at(50_000), at(90_000)]);
    const sorted = await compare(`pages of ${name} by user at any depth (x first page of the same order)`, [
      at(0, 'user'),
      at(50_000, 'user'),
      at(90_000, 'user'),
    ]);
    lists[`${name}Depth`] = Math.max(...depths.all, ...sorted.all);
  }

  const insertText = `INSERT INTO {OperationLog} ({OperationLog.actor}, {OperationLog.createdAt}, {OperationLog.category},
    {OperationLog.summary}, {OperationLog.ip}, {OperationLog.outcome}) VALUES (?, ?, ?, ?, ?, ?)`;
  const rawInsert = driver.run(database.resolve(insertText));
  const ownInsert = database.statement(insertText);
  const line = () => ['admin', now(), 'bench', 'a line', '127.0.0.1', 'ok'];
  const insert = await compare('insert of a log line', [
    { name: 'driver, prepared once', run: () => rawInsert(...line()), asynchronous: driver.asynchronous },
    { name: 'Database.statement', run: () => ownInsert.run(...line()), asynchronous: true },
    {
      name: 'repository.insert',
      run: () =>
        database
          .repository(OperationLog)
          .insert({ actor: 'admin', createdAt: new Date(), category: 'bench', summary: 'a line', ip: '127.0.0.1', outcome: 'ok' }),
      asynchronous: true,
    },
  ]);

  // A different value each time, because SQLite writes nothing for an unchanged row.
  let changes = 0;
  const updateText = 'UPDATE {Order} SET {Order.ip} = ? WHERE {Order.number} = ?';
  const rawUpdate = driver.transaction(database.resolve(updateText));
  const ownUpdate = database.statement(updateText);
  const transaction = await compare('transaction with one update', [
    { name: 'driver: BEGIN, UPDATE, COMMIT', run: (i) => rawUpdate(String(changes++), number(i)), asynchronous: driver.asynchronous },
    {
      name: 'Database.transaction',
      run: (i) => database.transaction(() => ownUpdate.run(String(changes++), number(i))),
      asynchronous: true,
    },
    {
      name: 'dataSource.transaction, EntityManager',
      run: (i) => database.dataSource.transaction((manager) => manager.update(Order, { number: number(i) }, { ip: String(changes++) })),
      asynchronous: true,
    },
  ]);
  driver.close();
  return { session: session.ours, order: order.ours, ...lists, insert: insert.ours, transaction: transaction.ours };
}

const bars = (engine, measured) => [
  { claim: `${engine}: session by token`, value: measured.session, limit: 1.5, unit: 'x' },
  { claim: `${engine}: order by number`, value: measured.order, limit: 1.5, unit: 'x' },
  { claim: `${engine}: first page of orders`, value: measured.orders, limit: 1.2, unit: 'x' },
  { claim: `${engine}: first page of accounts`, value: measured.accounts, limit: 1.2, unit: 'x' },
  { claim: `${engine}: deepest page of orders, of the first`, value: measured.ordersDepth, limit: 2, unit: 'x' },
  { claim: `${engine}: deepest page of accounts, of the first`, value: measured.accountsDepth, limit: 2, unit: 'x' },
];

const reached = [];
try {
  const sqlite = await sqlitePlace(folder);
  reached.push(...bars('SQLite', await bench(sqlite, sqliteDriver(sqlite.config))));
  await sqlite.close();
  const mariadb = await mariadbPlace(folder);
  if (mariadb) {
    try {
      reached.push(...bars('MariaDB', await bench(mariadb, mariadbDriver(mariadb.database))));
    } finally {
      await mariadb.close();
    }
  } else {
    process.stdout.write('No MariaDB server is reached: only SQLite was measured.\n');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printBars(reached);
