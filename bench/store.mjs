/**
 * Finding items of a store, through the finder of the product, beside the LIKE query (rows and count) on the same rows in the
 * same run. Run: `npm run bench:store`; `SIZES=20000` measures one size only, `ENGINES=sqlite` one engine.
 */
import '../dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { FollowedIndex } from '../dist/src/store/finding/followed-index.js';
import { IndexedRows } from '../dist/src/store/finding/indexed-rows.js';
import { ItemFinder } from '../dist/src/store/finding/item-finder.js';
import { UpdateCheck } from '../dist/src/store/finding/update-check.js';

import { printBars, printTable } from './measure.mjs';
import { mariadbPlace, seedStore, sqlitePlace } from './seed.mjs';

const SIZES = (process.env.SIZES ?? '1000,20000,100000').split(',').map(Number);
const ENGINES = (process.env.ENGINES ?? 'sqlite,mariadb').split(',');
const ASKS = Number(process.env.ASKS ?? 100);
const PLAIN_ASKS = 5;
const REACH_MS = 10;
const MB = 1024 * 1024;

const KEYWORDS = {
  '1 Chinese character': '备',
  '2 Chinese characters': '备份',
  '4 Chinese characters': '数据备份',
  'English infix': 'acku',
  'in every item': 'plugin',
  'no hit': '不存在的词',
};

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];

async function times(asks, work) {
  const all = [];
  for (let ask = 0; ask < asks; ask += 1) {
    const begun = performance.now();
    await work(ask);
    all.push(performance.now() - begun);
    // Each request is a turn of its own, as over a socket.
    await new Promise(setImmediate);
  }
  return all;
}

/** Longest turn of the event loop while `work` runs, in milliseconds. */
async function longestTurn(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await wait(20);
  delay.enable();
  const result = await work();
  delay.disable();
  return { result, block: delay.max / 1e6 };
}

async function measureOn(engine, size, { database }) {
  await seedStore(database, size);
  const index = new FollowedIndex(new IndexedRows(database), database, { storeSearchMb: 1_024 });
  const plain = new ItemFinder(database, { current: async () => null });
  const finder = new ItemFinder(database, index);
  const begun = performance.now();
  const { block: buildBlock } = await longestTurn(() => index.start());
  const built = performance.now() - begun;
  const megabytes = (await index.current()).bytes / MB;
  const rows = [];
  const row = (name, ours, theirs) => rows.push({ name, ours, theirs });
  // Beforehand: on SQLite the LIKE query itself holds the event loop up.
  const totals = new Map();
  for (const keyword of Object.values(KEYWORDS)) totals.set(keyword, (await plain.find({ keyword, sort: 'newest', offset: 0, limit: 1 })).total);
  const { block } = await longestTurn(async () => {
    for (const [name, keyword] of Object.entries(KEYWORDS)) {
      const query = (ask) => ({ keyword, sort: ['newest', 'downloads', 'price', 'relevance'][ask % 4], offset: (ask % 3) * 12, limit: 12 });
      const total = totals.get(keyword);
      row(`${name} (${total})`, await times(ASKS, async (ask) => {
        const found = await finder.find(query(ask));
        if (found.total !== total) throw new Error(`${name}: ${found.total} is not ${total}`);
      }));
    }
    row('list, any sort and filter', await times(ASKS, (ask) => finder.find({ sort: ['newest', 'downloads', 'price'][ask % 3], type: ask % 2 ? 'plugin' : undefined, offset: (ask % 5) * 12, limit: 12 })));
    const checks = new UpdateCheck(database);
    row('update check of 100', await times(ASKS, () => checks.check('1.84.0', Array.from({ length: 100 }, (_, i) => ({ type: 'plugin', slug: `item-${i * 2}`, version: '0.9' })))));
  });
  for (const [at, keyword] of Object.values(KEYWORDS).entries()) rows[at].theirs = await times(PLAIN_ASKS, () => plain.find({ keyword, sort: 'newest', offset: 0, limit: 12 }));
  await index.onApplicationShutdown();
  process.stdout.write(`\n${engine}, ${size.toLocaleString('en')} items: index of ${megabytes.toFixed(0)} MB built in ${(built / 1_000).toFixed(2)} s; longest turn of the event loop ${buildBlock.toFixed(1)} ms building, ${block.toFixed(1)} ms answering\n\n`);
  const ms = (value) => `${value.toFixed(2)} ms`;
  printTable(['', 'median', 'p99', 'LIKE, median'], rows.map(({ name, ours, theirs }) => [name, ms(quantile(ours, 0.5)), ms(quantile(ours, 0.99)), theirs ? ms(quantile(theirs, 0.5)) : '']));
  const searches = rows.slice(0, Object.keys(KEYWORDS).length);
  return { engine, size, buildBlock, block, p99: Math.max(...searches.map(({ ours }) => quantile(ours, 0.99))), work: rows.reduce((sum, { ours }) => sum + quantile(ours, 0.5), 0) };
}

/** Measures every size on both engines; MariaDB only where a server is reached. */
export async function store() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const bars = [];
  try {
    for (const [engine, open] of [['SQLite', sqlitePlace], ['MariaDB', mariadbPlace]]) {
      if (!ENGINES.includes(engine.toLowerCase())) continue;
      const results = [];
      for (const size of SIZES) {
        const place = await open(folder, `store-${size}`);
        if (!place) break;
        try {
          results.push(await measureOn(engine, size, place));
        } finally {
          await place.close();
        }
      }
      for (const { size, p99, block, buildBlock } of results) {
        bars.push({ claim: `${engine}, ${size.toLocaleString('en')} items: any keyword, p99`, value: p99, limit: REACH_MS, unit: 'ms' });
        bars.push({ claim: `${engine}, ${size.toLocaleString('en')} items: longest turn of the event loop`, value: Math.max(block, buildBlock), limit: REACH_MS, unit: 'ms' });
      }
      const [middle, large] = [20_000, 100_000].map((size) => results.find((result) => result.size === size));
      if (middle && large) bars.push({ claim: `${engine}: 5 times the items, all requests together`, value: large.work / middle.work, limit: 2, unit: 'times' });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return bars;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) printBars(await store());
