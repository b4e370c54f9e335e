/** Creates databases with enough rows to measure. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import mysql from 'mysql2/promise';

import { ormOptions } from '#dist/ormconfig.js';
import { AppConfig } from '#dist/src/config/index.js';
import { createDatabase } from '#dist/src/database/index.js';

/** @import { Database } from '#dist/src/database/index.js' */
/** A database and its configuration. @typedef {Awaited<ReturnType<typeof sqlitePlace>>} Place */

const ROWS_A_STATEMENT = 500;
/** Few enough that the panel's database does not warn about a long transaction. */
const ROWS_A_TRANSACTION = 50_000;
const SERVER = process.env.TEST_DATABASE_SERVER ?? 'mariadb://root@127.0.0.1:3306';

/** @param {AppConfig} config */
async function migrated(config) {
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  await database.dataSource.runMigrations();
  return database;
}

/** Creates a migrated SQLite file in `folder`. */
export async function sqlitePlace(folder, name = 'panel') {
  const config = new AppConfig({ DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}` });
  const database = await migrated(config);
  return { config, database, close: () => database.dataSource.destroy() };
}

/** Creates a migrated database on the MariaDB server of TEST_DATABASE_SERVER; null if the server is unreachable. */
export async function mariadbPlace(folder) {
  const url = SERVER.replace(/^mariadb:/, 'mysql:');
  const server = await mysql.createConnection({ uri: url, connectTimeout: 1_000 }).catch(() => null);
  if (!server) return null;
  const name = `svc_bench_${randomBytes(6).toString('hex')}`;
  await server.query(`CREATE DATABASE \`${name}\``);
  const config = new AppConfig({ DATA_DIR: folder, DATABASE_URL: `${SERVER.replace(/\/$/, '')}/${name}` });
  const database = await migrated(config);
  const drop = async () => {
    await server.query(`DROP DATABASE \`${name}\``);
    await server.end();
  };
  const close = async () => {
    await database.dataSource.destroy();
    await drop();
  };
  return { config, database, close, drop };
}

/** Inserts rows, given as objects by entity property. @param {Database} database */
async function insert(database, entity, count, rowOf) {
  const properties = Object.keys(rowOf(0));
  const head = `INSERT INTO {${entity}} (${properties.map((property) => `{${entity}.${property}}`).join(', ')}) VALUES `;
  const places = `(${properties.map(() => '?').join(', ')})`;
  const part = async (start, end) => {
    for (let at = start; at < end; at += ROWS_A_STATEMENT) {
      const rows = Array.from({ length: Math.min(ROWS_A_STATEMENT, end - at) }, (_, i) => rowOf(at + i));
      await database.run(
        database.resolve(head + rows.map(() => places).join(', ')),
        rows.flatMap((row) => properties.map((property) => row[property])),
      );
    }
  };
  for (let start = 0; start < count; start += ROWS_A_TRANSACTION)
    await database.transaction(() => part(start, Math.min(start + ROWS_A_TRANSACTION, count)));
  if (database.engine === 'mysql') await database.run(database.resolve(`ANALYZE TABLE {${entity}}`));
  else await database.run('ANALYZE');
}

const START = Date.UTC(2026, 0, 1);
/** Sorted like their creation, so that indexes grow at their end. */
const padded = (i) => String(i).padStart(7, '0');
const dayOf = (i) => new Date(START + (i % 700) * 86_400_000).toISOString().slice(0, 10);

/** Creates hosting accounts of one node, some of them paused. @param {Database} database */
export async function seedAccounts(database, count) {
  await insert(database, 'HostingNode', 1, () => ({
    code: 'bench',
    codeKey: 'bench',
    driver: 'fake',
    openKey: 'open',
    signatureKey: 'sign',
    system: 1,
    createdAt: new Date(START),
  }));
  await insert(database, 'HostingAccount', count, (i) => ({
    username: `user${padded(i)}`,
    userKey: `user${padded(i)}`,
    passwordHash: '$2b$10$benchbenchbenchbenchbenchbenchbenchbenchbenchbenchbe',
    nodeCode: 'bench',
    siteName: `user${padded(i)}.localhost`,
    siteId: padded(i),
    expiresOn: i % 5 ? dayOf(i) : null,
    createdAt: new Date(START + i * 60_000),
    state: i % 20 ? 'active' : 'paused',
    pauseReasons: i % 20 ? '[]' : '["expired"]',
    webQuotaMb: 1_024,
    databaseQuotaMb: 512,
  }));
}

/** Creates orders of 500 users, every third of them paid. @param {Database} database */
export async function seedOrders(database, count) {
  await insert(database, 'Order', count, (i) => ({
    number: orderNumber(i),
    user: `user${i % 500}`,
    name: 'Plan S, one month',
    amount: '12.50',
    type: 'epay__alipay',
    scene: 'hosting',
    status: i % 3 ? 'unpaid' : 'paid',
    context: '{"plan":7,"months":1}',
    accessKey: `key${padded(i)}`,
    ip: '127.0.0.1',
    createdAt: new Date(START + i * 60_000),
    paidAt: i % 3 ? null : new Date(START + i * 60_000 + 30_000),
  }));
}

/** Creates lines of the operation log by a hundred administrators and users. @param {Database} database */
export async function seedLog(database, count) {
  await insert(database, 'OperationLog', count, (i) => ({
    actor: `user${i % 100}`,
    createdAt: new Date(START + i * 1_000),
    category: i % 3 ? 'setwj' : 'zjxf',
    summary: `Saved the file /page-${i}.html`,
    ip: '127.0.0.1',
    side: i % 2 ? 'user' : 'admin',
    accountId: (i % 100) + 1,
  }));
}

/** Number of the i-th order of {@link seedOrders}. */
export const orderNumber = (i) => `20260101${String(i).padStart(12, '0')}`;

/** Creates agents of one hosting node, each with its own secrets. @param {Database} database */
export async function seedAgents(database, count) {
  await insert(database, 'HostingNode', 1, () => ({
    code: 'agents',
    codeKey: 'agents',
    driver: 'fake',
    openKey: 'open',
    signatureKey: 'sign',
    system: 1,
    createdAt: new Date(START),
  }));
  const { id: hostingNodeId } = await database.first(
    database.resolve("SELECT {HostingNode.id} AS id FROM {HostingNode} WHERE {HostingNode.code} = 'agents'"),
  );
  await insert(database, 'AgentNode', count, (i) => ({
    nodeId: agentNode(i).nodeId,
    secret: agentNode(i).secret,
    platformSecret: agentNode(i).platformSecret,
    name: `Node ${i}`,
    hostingNodeId,
    enabled: true,
    capabilities: '[]',
    createdAt: new Date(START),
    updatedAt: new Date(START),
  }));
}

/** The i-th agent of {@link seedAgents}. */
export const agentNode = (i) => ({
  nodeId: `node_${String(i).padStart(24, '0')}`,
  secret: `secret-${i}`.padEnd(64, '0'),
  platformSecret: `platform-${i}`.padEnd(48, '0'),
});

const WORDS = [
  '数据',
  '备份',
  '支付',
  '通知',
  '安全',
  '监控',
  '主题',
  '防火墙',
  '证书',
  '邮件',
  'Backup',
  'Payment',
  'Firewall',
  'Mail',
  'Theme',
  'Monitor',
];

/**
 * Creates published items of one author, each with one approved version.
 * @param {Database} database
 * @param {number} count
 * @param {number} characters minimum length of a description
 */
export async function seedStore(database, count, characters = 0) {
  const moment = new Date(START);
  const word = (i, step) => WORDS[(i * step + (i >> 4)) % WORDS.length];
  const more = (i) => {
    let text = '';
    for (let at = 0; text.length < characters; at += 1)
      text += `<p>${word(i + at, 3)}与${word(i * 7 + at, 5)}：在站点 ${(at * i) % 977} 中使用 the ${word(at, 7)} of it。</p>`;
    return text;
  };
  await insert(database, 'StoreUser', 1, () => ({
    username: 'bench',
    usernameKey: 'bench',
    passwordHash: 'x',
    email: 'b',
    emailKey: 'b',
    role: 'developer',
    createdAt: moment,
    updatedAt: moment,
  }));
  const { id: authorId } = await database.first(database.resolve('SELECT {StoreUser.id} AS id FROM {StoreUser}'));
  await insert(database, 'StoreItem', count, (i) => ({
    id: i + 1,
    type: i % 4 === 3 ? 'theme' : 'plugin',
    slug: `item-${i}`,
    slugKey: `item-${i}`,
    name: i % 50 ? `${word(i, 3)}${word(i, 7)} ${i}` : `数据备份 Backup ${i}`,
    version: '1.0',
    authorId,
    authorName: 'bench',
    price: (i % 40).toFixed(2),
    description:
      `<p>A plugin for ${word(i, 5)}${word(i, 11)}: ` +
      `<strong>${word(i, 13)}</strong></p><p>面板扩展 ` +
      `${i % 1_000}，适用于${word(i, 9)}管理。</p>${more(i)}`,
    screenshots: '[]',
    sha256: '0'.repeat(64),
    zipSize: 1,
    downloads: (i * 7_919) % 10_007,
    status: 'approved',
    category: `c${i % 9}`,
    tags: '[]',
    createdAt: new Date(START + i * 60_000),
    updatedAt: new Date(START + i * 60_000),
  }));
  await insert(database, 'StoreVersion', count, (i) => ({
    itemId: i + 1,
    version: '1.0',
    versionKey: '1.0',
    sha256: '0'.repeat(64),
    zipSize: 1,
    changelog: 'First version.',
    status: 'approved',
    createdAt: moment,
  }));
}
