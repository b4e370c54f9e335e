/**
 * Uploads to a store in a process of its own: thirty concurrent ones of 50 MB, and packages that cause as much work as the limits allow.
 * Measures memory, and how long other requests are delayed. Run: `npm run bench:uploads`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import yazl from 'yazl';

import { printBars, printTable } from './measure.mjs';
import { ask, start } from './servers/process.mjs';

const MB = 1024 * 1024;
const AT_ONCE = 30;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const BOUNDARY = 'bench-boundary';
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-uploads-'));

const repeat = (text, bytes) => Buffer.alloc(bytes, text);
const code =
  "const key = process.env.KEY; fetch('https://a.example.org/' + key); eval(x); require('child_process'); // password: 'abc12345x'\n";
/** Files of each package. */
const PACKAGES = {
  '50 MB of noise': { compress: false, files: () => Array.from({ length: 5 }, () => randomBytes(9.9 * MB)) },
  '200 MB of zeros in 500 files': { files: () => Array.from({ length: 500 }, () => Buffer.alloc(0.4 * MB)) },
  '200 MB of code in 500 files': { files: () => Array.from({ length: 499 }, () => repeat(code, 0.4 * MB)) },
  'a line of 10 MB, 19 times': {
    files: () => Array.from({ length: 19 }, () => repeat('function a(b){return b.c("d:\\/\\/e")||process.env.F};', 10 * MB)),
  },
  'a line of 10 MB of hidden characters': { files: () => Array.from({ length: 4 }, () => repeat('\u202e\u200b', 9.99 * MB)) },
  '10 MB of hosts': { files: () => [repeat(Array.from({ length: 5_000 }, (_, i) => `http://h${i}.example.cn/`).join(''), 10 * MB)] },
  '10 MB of line ends': { files: () => Array.from({ length: 19 }, () => repeat('\n', 10 * MB)) },
  '10 MB of one finding, at the end of a line each': { files: () => Array.from({ length: 19 }, () => repeat('\n\n\n\neval(x)', 10 * MB)) },
  '2,000 entries': { files: () => Array.from({ length: 500 }, () => Buffer.from('x')), folders: 1_499 },
};

async function zipOf(slug, { files, compress = true, folders = 0 }) {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ id: slug, name: slug, version: '1.0.0' })), `${slug}/plugin.json`);
  for (const [i, content] of files().slice(0, 499).entries()) zip.addBuffer(content, `${slug}/${i}.js`, { compress });
  for (let i = 0; i < folders; i += 1) zip.addEmptyDirectory(`${slug}/folder-${i}/`);
  zip.end();
  const chunks = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Uploads a package for a dry run. */
function upload({ url, cookie }, slug, zip) {
  const field = (name, value) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('type', 'plugin')}${field('slug', slug)}--${BOUNDARY}\r\nContent-Disposition: ` +
      'form-data; name="zipfile"; filename="a.zip"\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  return new Promise((resolve, reject) => {
    const headers = {
      cookie,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + zip.length + tail.length,
    };
    const req = request(`${url}/api/developer/validate`, { method: 'POST', headers, agent: false }, async (res) => {
      const chunks = [];
      for await (const chunk of res) chunks.push(chunk);
      const { msg, data } = JSON.parse(Buffer.concat(chunks).toString());
      resolve({ status: res.statusCode, findings: data?.findings.length, retryAfter: res.headers['retry-after'], msg });
    });
    req.on('error', reject);
    req.write(head);
    req.write(zip);
    req.end(tail);
  });
}

/** Registers another account: one account has a limited number of slots. */
async function another({ url }, n) {
  const body = JSON.stringify({ username: `another${n}`, password: 'bench-secret', email: `another${n}@example.org` });
  const response = await fetch(`${url}/api/auth/register`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return { url, cookie: response.headers.getSetCookie()[0].split(';')[0] };
}

const data = join(folder, 'store');
let store;
try {
  store = await start('store.mjs', {
    SERVICES: 'store',
    DATA_DIR: data,
    DATABASE_URL: `sqlite:${join(data, 'store.db')}`,
    PORT: '0',
    RATE_LIMIT: 'off',
    CAPTCHA: 'off',
  });
  const small = await zipOf('bench', { files: () => [Buffer.from('x')] });
  await upload(store, 'bench', small);
  const rows = [];
  const bars = [];
  const note = (name, zip, outcome, took, { before, peak, delay }) => {
    rows.push([
      name,
      `${(zip.length / MB).toFixed(1)} MB`,
      outcome,
      `${(took / 1_000).toFixed(2)} s`,
      `${((peak - before) / MB).toFixed(0)} MB`,
      `${(peak / MB).toFixed(0)} MB`,
      `${delay.p99.toFixed(0)} ms`,
      `${delay.max.toFixed(0)} ms`,
    ]);
  };
  for (const [name, recipe] of Object.entries(PACKAGES)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const zip = await zipOf('bench', recipe);
    const rounds = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      await ask(store.child, 'watch');
      const begun = performance.now();
      const answer = await upload(store, 'bench', zip);
      const took = performance.now() - begun;
      rounds.push({ ...answer, took, seen: await ask(store.child, 'seen') });
    }
    // A long tick in only one round was caused by another process on this machine.
    const { status, findings, msg, took, seen } = rounds.reduce((least, round) =>
      round.seen.delay.max < least.seen.delay.max ? round : least,
    );
    note(name, zip, status === 200 ? `${findings} findings` : `${status} ${msg}`, took, seen);
    bars.push({ claim: `${name}: longest turn of the event loop`, value: seen.delay.max, limit: 50, unit: 'ms' });
  }
  const zip = await zipOf('bench', PACKAGES['50 MB of noise']);
  const people = [store, ...(await Promise.all([1, 2, 3].map((n) => another(store, n))))];
  await ask(store.child, 'watch');
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, i) => upload(people[i % people.length], 'bench', zip).catch((error) => ({ status: error.code }))),
  );
  const seen = await ask(store.child, 'seen');
  const statuses = new Map();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  note(
    `${AT_ONCE} at once of 50 MB`,
    zip,
    [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
    performance.now() - begun,
    seen,
  );
  bars.push({ claim: `${AT_ONCE} at once: the whole process`, value: seen.peak / MB, limit: 400, unit: 'MB' });
  bars.push({ claim: `${AT_ONCE} at once: event loop, p99`, value: seen.delay.p99, limit: 50, unit: 'ms' });
  process.stdout.write(`\nUploads, Node ${process.version}\n\n`);
  printTable(['package', 'ZIP', 'outcome', 'time', 'memory grows by', 'process', 'event loop, p99', 'longest'], rows);
  printBars(bars);
} finally {
  store?.child.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
