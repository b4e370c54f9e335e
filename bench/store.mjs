/**
 * Finding items of a store with the product's finder, compared with plain queries on the same rows in the same run. Run: `npm run
 * bench:store`; `SIZES=20000` measures only one size, `ENGINES=sqlite` one engine; `CHARACTERS=4000` sets the length of all descriptions.
 *
 * Plain queries use no index of their own: for a keyword `LOWER(…) LIKE '%…%'` on name, description and slug, for a list `SELECT … ORDER BY
 * … LIMIT … OFFSET`, both with a `COUNT(*)` under the same conditions, and for an update check two queries per item: the item by its slug,
 * then its approved versions.
 *
 * A keyword is "new" if it was not requested lately, so that nothing is cached; the next page and the next order of a keyword are "again".
 * The longest event loop tick is the minimum of three rounds, because other processes on the machine would count otherwise. An idle loop of
 * up to ten seconds measures their effect. For a long tick, the maximum share of the garbage collector is shown.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { FollowedIndex } from '#dist/src/store/catalog/followed-index.js';
import { IndexedRows } from '#dist/src/store/catalog/indexed-rows.js';
import { ItemFinder } from '#dist/src/store/catalog/item-finder.js';
import { StoreItem } from '#dist/src/store/entities/index.js';
import { textOfHtml } from '#dist/src/store/html/index.js';
import { foldText } from '#dist/src/store/search/index.js';
import { UpdateCheck } from '#dist/src/store/updates/update-check.js';

import { printBars, printTable } from './measure.mjs';
import { mariadbPlace, seedStore, sqlitePlace } from './seed.mjs';

/** @import { Place } from './seed.mjs' */

const SIZES = (process.env.SIZES ?? '1000,20000,100000').split(',').map(Number);
const ENGINES = (process.env.ENGINES ?? 'sqlite,mariadb').split(',');
const ASKS = Number(process.env.ASKS ?? 200);
const NEW_ASKS = 30;
const PLAIN_ASKS = 5;
const ROUNDS = 3;
/** More keywords than an index caches. */
const OTHERS = 70;
const CHARACTERS = Number(process.env.CHARACTERS ?? 0);
/** Time limit of a request: a new keyword scans all texts. */
const reachOf = (size) => (size > 20_000 ? 15 : 5);
const TURN_MS = 10;
const READY_SECONDS = 1;
/** Memory of an index, relative to that of its texts. */
const TIMES_TEXTS = 3;
const MB = 1024 * 1024;

const KEYWORDS = {
  '1 Chinese character': '备',
  '2 Chinese characters': '备份',
  '4 Chinese characters': '数据备份',
  'English infix': 'acku',
  'English word in every item': 'plugin',
  'Chinese word in every item': '面板扩展',
  'no hit': '不存在的词',
};

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Returns the duration of each request, in milliseconds. */
async function times(asks, work) {
  const all = [];
  for (let ask = 0; ask < asks; ask += 1) {
    const begun = performance.now();
    await work(ask);
    all.push(performance.now() - begun);
    // Each request runs in its own event loop tick, as over a socket.
    await new Promise(setImmediate);
  }
  return all;
}

/** Returns the results of some requests, run sequentially. */
async function repeat(asks, work) {
  const all = [];
  for (let ask = 0; ask < asks; ask += 1) all.push(await work(ask));
  return all;
}

/** Measures the longest event loop tick while `work` runs, and the longest garbage collection pause, in milliseconds. */
async function longestTurn(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const pauses = [0];
  const observer = new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration)));
  await wait(20);
  observer.observe({ entryTypes: ['gc'] });
  delay.enable();
  const result = await work();
  delay.disable();
  await wait(5);
  observer.disconnect();
  return { result, turn: delay.max / 1e6, pause: Math.max(...pauses) };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Memory in use, in bytes. Objects with a finalizer are freed only by a second collection in another tick. */
async function memory() {
  collectGarbage();
  await new Promise(setImmediate);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Builds the index of a new process, and measures that. @param {Place['database']} database */
async function build(database) {
  const index = new FollowedIndex(new IndexedRows(database), database);
  const begun = performance.now();
  const { turn, pause } = await longestTurn(() => index.sync());
  return { index, turn, pause, milliseconds: performance.now() - begun };
}

/** Measures building an index, and the memory freed with it, in bytes. @param {Place['database']} database */
async function measureBuild(database) {
  const took = await build(database);
  // The driver's memory of its last results is not part of the index, and is freed by the next query.
  await database.query('SELECT 1');
  await wait(50);
  const full = await memory();
  await took.index.beforeApplicationShutdown();
  took.index = null;
  return { ...took, bytes: full - (await memory()) };
}

/** Returns every text as it is searched, to verify answers. @param {Place['database']} database */
async function textsOf(database) {
  /** @type {{ name: string, slug: string, description: string }[]} */
  const rows = await database.query(
    database.resolve('SELECT {StoreItem.name} AS name, {StoreItem.slug} AS slug, {StoreItem.description} AS description FROM {StoreItem}'),
  );
  return rows.map(({ name, slug, description }) => [foldText(name), foldText(slug), foldText(textOfHtml(description))].join('\n'));
}

/** Returns distinct substrings of the texts, of 1 to 12 characters, as search terms. */
function partsOf(texts, count) {
  const parts = new Set();
  for (let at = 1; parts.size < count && at < 50 * count; at += 1) {
    const text = texts[(at * 7_919) % texts.length];
    const start = (at * 104_729) % text.length;
    const part = text.slice(start, start + 1 + (at % 12));
    if (part === foldText(part) && part !== '' && !part.includes('\n')) parts.add(part);
  }
  return [...parts];
}

/** @typedef {Pick<import('#dist/src/store/search/index.js').ItemQuery, 'sort' | 'type' | 'category'>} Listing */

/** The plain queries. @param {Place['database']} database */
function plainQueries(database) {
  const columns = database.entityRows(database.dataSource.entityMetadatas.find(({ name }) => name === 'StoreItem').target).columns;
  const resolve = (sql) => database.resolve(sql);
  const page = async (where, params, order) => {
    await database.query(resolve(`SELECT ${columns} FROM {StoreItem} WHERE ${where} ORDER BY ${order} LIMIT 12 OFFSET 24`), params);
    await database.first(resolve(`SELECT COUNT(*) AS total FROM {StoreItem} WHERE ${where}`), params);
  };
  const item = resolve(
    'SELECT {StoreItem.id} AS id, {StoreItem.slug} AS slug, {StoreItem.status} AS status FROM {StoreItem} ' +
      'WHERE {StoreItem.type} = ? AND {StoreItem.slugKey} = ?',
  );
  const versions = resolve(`SELECT {StoreVersion.version} AS version, {StoreVersion.changelog} AS changelog, {StoreVersion.sha256} AS sha256
      FROM {StoreVersion}
    WHERE {StoreVersion.itemId} = ? AND {StoreVersion.status} = 'approved'`);
  return {
    keyword: (keyword, type) =>
      page(
        `{StoreItem.status} = 'approved'
          AND ${type ? '{StoreItem.type} = ? AND ' : ''}(LOWER({StoreItem.name}) LIKE ?
          OR LOWER({StoreItem.description}) LIKE ? OR LOWER({StoreItem.slug}) LIKE ?)`,
        [type, ...Array(3).fill(`%${keyword}%`)].filter(Boolean),
        '{StoreItem.createdAt} DESC, {StoreItem.id} DESC',
      ),
    list: (/** @type {Listing} */ { type, category, sort }) =>
      page(
        [
          "{StoreItem.status} = 'approved'",
          ...(type ? ['{StoreItem.type} = ?'] : []),
          ...(category ? ['{StoreItem.category} = ?'] : []),
        ].join(' AND '),
        [type, category].filter(Boolean),
        {
          newest: '{StoreItem.createdAt} DESC, {StoreItem.id} DESC',
          downloads: '{StoreItem.downloads} DESC, {StoreItem.id} DESC',
          price: '{StoreItem.price}, {StoreItem.id}',
        }[sort],
      ),
    check: async (installed) => {
      for (const { type, slug } of installed) {
        /** @type {{ id: number }} */
        const found = await database.first(item, [type, slug]);
        if (found) await database.query(versions, [found.id]);
      }
    },
  };
}

const SORTS = /** @type {const} */ (['newest', 'downloads', 'price', 'relevance']);
/** @type {Record<string, Listing>} */
const LISTS = {
  'list, newest': { sort: 'newest' },
  'list, by downloads, one type': { sort: 'downloads', type: 'plugin' },
  'list, by price, one type and category': { sort: 'price', type: 'plugin', category: 'c4' },
};
/** @type {import('#dist/src/store/updates/update-check.js').InstalledItem[]} */
const INSTALLED = Array.from({ length: 100 }, (_, i) => ({ type: 'plugin', slug: `item-${i * 2}`, version: '0.9' }));

/** @param {string} engine @param {number} size @param {Place} place */
async function measureOn(engine, size, { database }) {
  await seedStore(database, size, CHARACTERS);
  const texts = await textsOf(database);
  const builds = await repeat(ROUNDS, () => measureBuild(database));
  const { index } = await build(database);
  const textBytes = 2 * sum(texts.map(({ length }) => length));
  const finder = new ItemFinder(database, index);
  const plain = plainQueries(database);
  const checks = new UpdateCheck(database);
  const download = database.resolve('UPDATE {StoreItem} SET {StoreItem.downloads} = {StoreItem.downloads} + 1 WHERE {StoreItem.id} = ?');

  const rowsById = database.resolve(
    `SELECT ${database.entityRows(StoreItem).columns} FROM {StoreItem} WHERE {StoreItem.id} IN (${Array(12).fill('?').join(', ')})`,
  );
  const idsFrom = (at) => Array.from({ length: 12 }, (_, i) => 1 + ((at * 7_919 + i * 1_009) % size));

  let others = 0;
  const forget = async () => {
    await times(OTHERS, () => finder.find({ keyword: `nobody asks for ${(others += 1)}`, sort: 'newest', offset: 0, limit: 1 }));
  };
  const ask = (keyword, at = 0, type = undefined) => finder.find({ keyword, type, sort: SORTS[at % 4], offset: (at % 3) * 12, limit: 12 });
  const totals = new Map();
  const askRightly = async (keyword, at) => {
    const { total } = await ask(keyword, at);
    if (!totals.has(keyword))
      totals.set(
        keyword,
        texts.reduce((found, text) => found + (text.includes(keyword) ? 1 : 0), 0),
      );
    if (total !== totals.get(keyword)) throw new Error(`"${keyword}": ${total} is not ${totals.get(keyword)}`);
  };
  // Outside the measurement: the verification itself reads every text.
  const parts = partsOf(texts, 200);
  for (const keyword of [...Object.values(KEYWORDS), ...parts.slice(0, 40)]) await askRightly(keyword, 0);
  await forget();

  const timed = async (work) => (await times(1, work))[0];
  const keywordKind = (name, keyword, type) => ({
    name,
    new: async () => {
      await forget();
      return timed(() => ask(keyword, 0, type));
    },
    again: (at) => timed(() => ask(keyword, at, type)),
  });
  const kinds = [
    ...Object.entries(KEYWORDS).map(([name, keyword]) => keywordKind(`${name} (${totals.get(keyword)})`, keyword)),
    keywordKind('2 Chinese characters, themes', '备份', 'theme'),
    { name: `${parts.length} parts of texts, one each`, new: (at) => timed(() => ask(parts[at], at)), asks: parts.length },
    {
      name: 'a keyword after a download',
      again: async (at) => {
        await database.run(download, [1 + at]);
        return timed(() => ask('备份', at));
      },
    },
    ...Object.entries(LISTS).map(([name, query]) => ({
      name,
      again: (at) => timed(() => finder.find({ ...query, offset: (at % 5) * 12, limit: 12 })),
    })),
    { name: 'update check of 100', again: () => timed(() => checks.check('1.84.0', INSTALLED)) },
    // Every page of items ends with this query, so it is a lower bound on this machine.
    { name: 'its 12 rows alone, by their ids', again: (at) => timed(() => database.query(rowsById, idsFrom(at))), isPart: true },
  ];
  const rows = kinds.map(({ name, isPart = false }) => ({ name, isPart, news: [], again: [], plain: [] }));
  const turns = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const { turn, pause } = await longestTurn(async () => {
      for (const [at, kind] of kinds.entries()) {
        await forget();
        if (kind.new) rows[at].news.push(...(await repeat(kind.asks ?? NEW_ASKS / ROUNDS, kind.new)));
        if (kind.again) rows[at].again.push(...(await repeat(ASKS / ROUNDS, kind.again)));
      }
      // Many concurrent requests, which do not share a tick.
      await forget();
      await Promise.all(parts.slice(0, 50).map((part) => ask(part)));
    });
    turns.push({ turn, pause, idle: (await longestTurn(() => wait(Math.min(10_000, performance.now() - begun)))).turn });
  }

  const plainWork = [
    ...Object.values(KEYWORDS).map((keyword) => () => plain.keyword(keyword)),
    () => plain.keyword('备份', 'theme'),
    (at) => plain.keyword(parts[at]),
    () => plain.keyword('备份'),
    ...Object.values(LISTS).map((query) => () => plain.list(query)),
    () => plain.check(INSTALLED),
  ];
  for (const [at, work] of plainWork.entries()) rows[at].plain = await times(PLAIN_ASKS, work);
  return { engine, size, textBytes, builds, turns, rows, close: () => index.beforeApplicationShutdown() };
}

const least = (values) => Math.min(...values);
/** Returns the minimum of some rounds, and the longest garbage collection pause in that round. */
const leastTurn = (rounds) => {
  const { turn, pause } = rounds.find((round) => round.turn === least(rounds.map((one) => one.turn)));
  return `${turn.toFixed(1)} ms (garbage collector ${pause.toFixed(1)} ms)`;
};
const ms = (values, part) => (values.length ? `${quantile(values, part).toFixed(2)} ms` : '');

function print({ engine, size, textBytes, builds, turns, rows }) {
  process.stdout.write(
    `\n${engine}, ${size.toLocaleString('en')} items: index of ` +
      `${(least(builds.map(({ bytes }) => bytes)) / MB).toFixed(0)} MB for ${(textBytes / MB).toFixed(0)} MB of ` +
      `texts, built in ${(least(builds.map(({ milliseconds }) => milliseconds)) / 1_000).toFixed(2)} s; longest ` +
      'turn of the event loop ' +
      `${leastTurn(builds)} building, ` +
      `${leastTurn(turns)} answering, ` +
      `${least(turns.map(({ idle }) => idle)).toFixed(1)} ms idle\n\n`,
  );
  printTable(
    ['', 'new, median', 'p99', 'again, median', 'p99', 'plain, median'],
    rows.map(({ name, news, again, plain }) => [name, ms(news, 0.5), ms(news, 0.99), ms(again, 0.5), ms(again, 0.99), ms(plain, 0.5)]),
  );
}

function barsOf({ engine, size, textBytes, builds, turns, rows }) {
  const where = `${engine}, ${size.toLocaleString('en')} items`;
  const keywords = rows.filter(({ news }) => news.length > 0);
  return [
    {
      claim: `${where}: a new keyword, p99`,
      value: quantile(
        keywords.flatMap(({ news }) => news),
        0.99,
      ),
      limit: reachOf(size),
      unit: 'ms',
    },
    {
      claim: `${where}: any other request, p99`,
      value: quantile(
        rows.flatMap(({ again, isPart }) => (isPart ? [] : again)),
        0.99,
      ),
      limit: reachOf(size),
      unit: 'ms',
    },
    {
      claim: `${where}: longest turn of the event loop`,
      value: Math.max(least(builds.map(({ turn }) => turn)), least(turns.map(({ turn }) => turn))),
      limit: TURN_MS,
      unit: 'ms',
    },
    {
      claim: `${where}: memory, in that of the texts`,
      value: least(builds.map(({ bytes }) => bytes)) / textBytes,
      limit: TIMES_TEXTS,
      unit: 'times',
    },
    ...(size <= 20_000
      ? [
          {
            claim: `${where}: ready`,
            value: least(builds.map(({ milliseconds }) => milliseconds)) / 1_000,
            limit: READY_SECONDS,
            unit: 's',
          },
        ]
      : []),
  ];
}

/** Measures every size on both engines; MariaDB only if a server is reachable. */
export async function store() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const bars = [];
  try {
    for (const [engine, open] of Object.entries({ SQLite: sqlitePlace, MariaDB: mariadbPlace })) {
      if (!ENGINES.includes(engine.toLowerCase())) continue;
      const results = [];
      const places = [];
      try {
        for (const size of SIZES) {
          const place = await open(folder, `store-${size}`);
          if (!place) break;
          places.push(place);
          results.push(await measureOn(engine, size, place));
          print(results.at(-1));
        }
        bars.push(...results.flatMap(barsOf));
      } finally {
        for (const result of results) await result.close();
        for (const place of places) await place.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return bars;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) printBars(await store());
