/**
 * Twenty concurrent downloads of a 50 MB package, half of them slow: memory of the store's process, delay of other requests, and
 * throughput, compared with `createReadStream().pipe(res)` sending the same file, and with `get(bucket).pipe(res)` for packages in a
 * bucket, in the same run. Each server is a process of its own; only one has traffic at a time, besides the bucket. Run: `npm run
 * bench:downloads`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import yazl from 'yazl';

import { median, printBars, printTable } from './measure.mjs';
import { ask, start } from './servers/process.mjs';
import { jsonOf } from './typed.mjs';

const MB = 1024 * 1024;
const FAST = 10;
const SLOW = 10;
/** Speed of each slow reader, in bytes per second. */
const SLOW_RATE = 8 * MB;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-downloads-'));

/** Creates an incompressible package just below 50 MB. */
async function makePackage() {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('{"id":"large","name":"Large","version":"1.0.0"}'), 'large/plugin.json');
  zip.addBuffer(Buffer.from('module.exports = () => {};'), 'large/index.js');
  for (let i = 0; i < 5; i += 1)
    zip.addBuffer(Buffer.concat([Buffer.from('GIF89a\0\0'), randomBytes(9.9 * MB)]), `large/${i}.gif`, { compress: false });
  zip.end();
  const chunks = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Starts a store with the package published. */
async function storeWith(zip, name, env = {}) {
  const data = join(folder, name);
  const server = await start('store.mjs', {
    SERVICES: 'store',
    DATA_DIR: data,
    DATABASE_URL: `sqlite:${join(data, 'store.db')}`,
    PORT: '0',
    RATE_LIMIT: 'off',
    ...env,
  });
  const form = new FormData();
  for (const [field, value] of Object.entries({ type: 'plugin', slug: 'large', name: 'Large', version: '1.0.0', description: 'Large' }))
    form.append(field, value);
  form.append('zipfile', new Blob([zip]), 'large.zip');
  const call = async (method, path, body, headers = {}) => {
    const answer = await jsonOf(await fetch(server.url + path, { method, body, headers: { cookie: server.cookie, ...headers } }));
    if (answer.code !== 0) throw new Error(answer.msg);
    return answer.data;
  };
  const { id } = await call('POST', '/api/developer/items', form);
  await call('PUT', `/api/admin/items/${id}/approve`, '{}', { 'content-type': 'application/json' });
  return { ...server, path: `/api/items/${id}/download` };
}

/** Downloads once. @returns {Promise<string>} digest of the content */
function download(url, rate) {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, async (res) => {
      const hash = createHash('sha256');
      let due = performance.now();
      for await (const chunk of res) {
        // Hashing twenty streams would take processor time from the server: only the slow downloads are compared.
        if (rate) hash.update(chunk);
        due += rate ? (chunk.length / rate) * 1_000 : 0;
        const early = due - performance.now();
        if (early > 5) await wait(early);
      }
      resolve(rate ? hash.digest('hex') : '');
    }).on('error', reject);
  });
}

/** Runs all downloads concurrently. */
async function round({ child, url, path }, sha256) {
  await ask(child, 'watch');
  const begun = performance.now();
  const fast = Array.from({ length: FAST }, () => download(url + path, 0));
  const slow = Array.from({ length: SLOW }, () => download(url + path, SLOW_RATE));
  await Promise.all(fast);
  const seconds = (performance.now() - begun) / 1_000;
  for (const digest of await Promise.all(slow)) if (digest !== sha256) throw new Error(`${url} sent something else.`);
  return { ...(await ask(child, 'seen')), seconds };
}

const servers = [];
try {
  const zip = await makePackage();
  const sha256 = createHash('sha256').update(zip).digest('hex');
  const path = join(folder, 'large.zip');
  writeFileSync(path, zip);
  const bucket = await start('bucket.mjs', { DATA_DIR: join(folder, 'bucket') });
  const s3 = { STORE_S3_ENDPOINT: bucket.url, STORE_S3_BUCKET: 'bench', STORE_S3_ACCESS_KEY: 'bench', STORE_S3_SECRET_KEY: 'bench' };
  servers.push(bucket);
  const contestants = {
    'createReadStream().pipe(res)': { ...(await start('file.mjs', { FILE: path })), path: '/' },
    'store, folder': await storeWith(zip, 'folder'),
    'get(bucket).pipe(res)': {
      ...(await start('pipe.mjs', { UPSTREAM: `${bucket.url}/bench/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.zip` })),
      path: '/',
    },
    'store, bucket': await storeWith(zip, 'with-bucket', s3),
  };
  servers.push(...Object.values(contestants));
  // One warm-up download, so that loading and compiling are not measured.
  for (const { url, path } of Object.values(contestants).reverse()) await download(url + path, 0);
  const results = new Map(Object.keys(contestants).map((name) => [name, []]));
  for (let i = 0; i < ROUNDS; i += 1)
    for (const [name, server] of Object.entries(contestants)) results.get(name).push(await round(server, sha256));

  const summary = [...results].map(([name, rounds]) => ({
    name,
    // Relative to the start of the first round: memory left by a round counts in the next.
    grown: (Math.max(...rounds.map(({ peak }) => peak)) - rounds[0].before) / MB,
    p99: Math.max(...rounds.map(({ delay }) => delay.p99)),
    max: Math.max(...rounds.map(({ delay }) => delay.max)),
    rate: median(rounds.map(({ seconds }) => (FAST * zip.length) / MB / seconds)),
  }));
  process.stdout.write(
    `\n${FAST} fast and ${SLOW} slow downloads of ${(zip.length / MB).toFixed(1)} ` +
      `MB at once, ${ROUNDS} rounds, Node ${process.version}\n\n`,
  );
  printTable(
    ['server', 'memory grows by', 'event loop, p99', 'longest', 'fast ones, together'],
    summary.map(({ name, grown, p99, max, rate }) => [
      name,
      `${grown.toFixed(1)} MB`,
      `${p99.toFixed(1)} ms`,
      `${max.toFixed(1)} ms`,
      `${rate.toFixed(0)} MB/s`,
    ]),
  );
  const [file, ours, pipe, oursFromBucket] = summary;
  printBars(
    // A bucket on loopback delivers faster than clients read; the store then slows down in favour of other requests.
    [
      { ...ours, bare: file, limit: 0.8 },
      { ...oursFromBucket, bare: pipe, limit: 0.3 },
    ].flatMap(({ name, grown, p99, rate, bare, limit }) => [
      { claim: `${name}: growth`, value: grown, limit: 64, unit: 'MB' },
      { claim: `${name}: event loop, p99`, value: p99, limit: 50, unit: 'ms' },
      { claim: `${name}: bytes a second against ${bare.name}`, value: rate / bare.rate, limit, atLeast: true, unit: 'x' },
    ]),
  );
} finally {
  for (const { child } of servers) child.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
