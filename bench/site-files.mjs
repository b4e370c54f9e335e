/**
 * Files of hosted sites, and many sites, each compared with a small set-up in the same run: listing a folder with 10,000 files, the memory
 * of a 1 GB upload in pieces, start-up and lookup by name with 10,000 sites and 20,000 domains compared with 10 sites and 20 domains, and
 * the time per site of the nightly job `site-files` compared with a tenth of the sites. Run: `npm run bench:site-files`; for Linux.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { median, printBars, printTable } from './measure.mjs';
import { ask, operate, start } from './servers/process.mjs';

const MB = 1024 * 1024;
const PIECE = 4 * MB;
const UPLOAD = Number(process.env.UPLOAD_MB ?? 1_024) * MB;
const FILES = 10_000;
const SITES = Number(process.env.SITES ?? 10_000);
const FEW = 10;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const ASKS = 40;
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-files-'));

const resident = (pid) => (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024) / MB;

async function panelOf(sites) {
  const data = join(folder, String(sites));
  const env = {
    DATA_DIR: data,
    DATABASE_URL: `sqlite:${join(data, 'panel.db')}`,
    PORT: '0',
    SITES_PORT: '0',
    RATE_LIMIT: 'off',
    SITES: String(sites),
    MANY: String(FILES),
  };
  const began = performance.now();
  const server = await start('many-sites.mjs', env);
  return { ...server, sites, env, took: performance.now() - began, sitesPort: Number(/sites=(\d+)/.exec(server.cookie)[1]) };
}
const end = ({ child }) => new Promise((resolve) => child.once('exit', resolve) && child.kill());

async function list(panel, form) {
  const began = performance.now();
  const { total, rows } = await operate(panel, new URLSearchParams({ gn: 'listfile', id: '1', path: '/many', ...form }));
  if (total !== FILES || rows.length === 0) throw new Error('The list is not whole.');
  return performance.now() - began;
}

/** Requests the front page of a site by one of its names, and returns the duration. */
function visit({ sitesPort }, host) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: sitesPort, path: '/', headers: { host } }, (response) => {
      response
        .resume()
        .on('end', () =>
          response.statusCode === 200 ? resolve(performance.now() - began) : reject(new Error(`${host}: ${response.statusCode}`)),
        );
    })
      .on('error', reject)
      .end();
  });
}
/**
 * Names of equally many different sites in both set-ups, spread over the table: the cost of a site's first visit does not depend on the
 * number of sites.
 */
function nameOf({ sites }, n) {
  const site = (n % FEW) * (sites / FEW);
  return [`site-${site}.localhost`, `a.site-${site}.example.com`, `b.site-${site}.example.com`][n % 3];
}

const bars = [];
try {
  let few = await panelOf(FEW);
  let many = await panelOf(SITES);

  const lists = [];
  for (const [name, form] of [
    ['by name, 100 a page', {}],
    ['by size, 100 a page', { sort: 'size', sortOrder: 'desc' }],
    ['by date, the last page', { sort: 'mtime', page: '100' }],
    ['1,000 a page', { limit: '1000' }],
  ]) {
    const times = [];
    const used = await ask(few.child, 'cpu');
    for (let n = 0; n < ASKS; n += 1) times.push(await list(few, form));
    const processor = ((await ask(few.child, 'cpu')).cpu - used.cpu) / ASKS / 1_000;
    lists.push([name, ...[median(times), Math.max(...times), processor].map((ms) => `${ms.toFixed(1)} ms`)]);
    bars.push({ claim: `list, ${name}`, value: median(times), limit: 100, unit: 'ms' });
  }
  process.stdout.write(`\nA folder of ${FILES} files\n\n`);
  printTable(['list', 'median', 'longest', 'of processor'], lists);

  const before = resident(few.child.pid);
  let most = before;
  const piece = Buffer.alloc(PIECE, 'x');
  const began = performance.now();
  for (let from = 0; from < UPLOAD; from += PIECE) {
    const body = new FormData();
    for (const [name, value] of Object.entries({
      gn: 'fileupload',
      id: '1',
      htl: '/',
      tempfilename: 'large.bin',
      zsize: String(UPLOAD),
      fesw: String(from),
    }))
      body.append(name, value);
    body.append('file', new Blob([piece]), 'blob');
    const { success } = await operate(few, body);
    if (!success) throw new Error('A piece was refused.');
    most = Math.max(most, resident(few.child.pid));
  }
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(
    `An upload of ${UPLOAD / MB} MB in pieces of ${PIECE / MB}: ${seconds.toFixed(1)} s, ` +
      `${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most\n\n`,
  );
  bars.push({ claim: 'memory of the upload', value: most - before, limit: 64, unit: 'MB' });

  for (const panel of [few, many]) for (let n = 0; n < ASKS; n += 1) await visit(panel, nameOf(panel, n));
  const lookups = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, panel] of [few, many].entries()) {
      const times = [];
      for (let n = 0; n < ASKS * 5; n += 1) times.push(await visit(panel, nameOf(panel, n)));
      lookups[at].push(median(times));
    }
  }
  const starts = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all([end(few), end(many)]);
    few = await panelOf(FEW);
    many = await panelOf(SITES);
    starts[0].push(few.took);
    starts[1].push(many.took);
  }
  await Promise.all([end(few), end(many)]);
  const some = await panelOf(SITES / 10);
  many = await panelOf(SITES);
  const cared = [];
  for (const panel of [some, many]) cared.push(await ask(panel.child, 'care'));
  if (cared.some(({ sites }, at) => sites !== [SITES / 10, SITES][at])) throw new Error('Not every site was looked at.');
  await Promise.all([end(some), end(many)]);
  process.stdout.write('The job site-files, which rests as long as it works\n\n');
  printTable(
    ['sites', 'took', 'each', 'most memory'],
    cared.map(({ sites, ms, peak }) => [
      String(sites),
      `${(ms / 1_000).toFixed(1)} s`,
      `${(ms / sites).toFixed(2)} ms`,
      `${(peak / MB).toFixed(0)} MB`,
    ]),
  );
  bars.push({ claim: 'care of each site', value: cared[1].ms / cared[1].sites / (cared[0].ms / cared[0].sites), limit: 1.2, unit: 'x' });
  const ratio = (/** @type {number[][]} */ [a, b]) => median(a.map((value, round) => b[round] / value));
  printTable(
    ['', `${FEW} sites`, `${SITES} sites`, 'ratio'],
    [
      ['start', ...starts.map((all) => `${median(all).toFixed(0)} ms`), ratio(starts).toFixed(2)],
      ['found by name', ...lookups.map((all) => `${median(all).toFixed(2)} ms`), ratio(lookups).toFixed(2)],
    ],
  );
  bars.push(
    { claim: 'start', value: ratio(starts), limit: 1.2, unit: 'x' },
    { claim: 'found by name', value: ratio(lookups), limit: 1.2, unit: 'x' },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printBars(bars);
