/**
 * The panel with SITES hosted sites and twice as many domains on the built-in server, MANY files in the first one; the cookie is a real
 * administrator session. On the message `care` it runs the job `site-files` and reports its duration in milliseconds, the number of sites,
 * and the peak memory.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SessionService } from '#dist/src/auth/index.js';
import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig } from '#dist/src/config/index.js';
import { Database } from '#dist/src/database/index.js';
import { FileMaintenance } from '#dist/src/hosting/files/index.js';
import { HostingAccount, HostingService, SiteDomain, SitesServer } from '#dist/src/hosting/index.js';

import { JobRun } from '#dist/src/jobs/index.js';

import { ready } from './report.mjs';

const { DATA_DIR, SITES, MANY } = process.env;
const BATCH = 500;
const { app, url } = await startPanel(new AppConfig());
const database = app.get(Database);
const accounts = database.repository(HostingAccount);
if ((await accounts.count()) === 0) await seed();
const token = await app.get(SessionService).open('admin', 1, { ip: '127.0.0.1', userAgent: 'bench' });
ready({ port: Number(new URL(url).port), cookie: `admin_token=${token}; sites=${app.get(SitesServer, { strict: false }).port}` });

process.on('message', async (message) => {
  if (message !== 'care') return;
  // The job requires a run of its own on the previous day.
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  const times = { dueAt: yesterday, startedAt: yesterday, endedAt: yesterday, leaseUntil: yesterday };
  await database.repository(JobRun).insert({ job: 'core:site-files', holder: 'bench', running: null, ...times });
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const began = performance.now();
  const sites = await app.get(FileMaintenance, { strict: false }).run({ signal: new AbortController().signal });
  clearInterval(timer);
  process.send({ ms: performance.now() - began, sites, peak });
});

/** Creates one site through the panel; the others are copies of its row and folder. */
async function seed() {
  const { id } = await app
    .get(HostingService)
    .provision({ node: 'local', user: 'site-0', password: 'secret-pass-1', expiresOn: null }, 'admin');
  const first = await accounts.findOneByOrFail({ id });
  const sites = join(DATA_DIR, 'sites');
  const many = join(sites, first.siteName, 'public', 'many');
  mkdirSync(many);
  const folder = (siteName, n) => {
    mkdirSync(join(sites, siteName, 'public'), { recursive: true });
    writeFileSync(join(sites, siteName, 'public', 'index.html'), `site ${n}`);
  };
  for (let from = 1; from < Number(SITES); from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, Number(SITES) - from) }, (_, at) => {
      const n = from + at;
      const { id: _id, ...row } = first;
      return { ...row, username: `site-${n}`, userKey: `site-${n}`, siteName: `site.${n}`, siteId: String(n), requestId: null };
    });
    for (const { siteName, siteId } of rows) folder(siteName, siteId);
    await accounts.insert(rows);
  }
  const all = await accounts.find({ select: { id: true, username: true, siteName: true } });
  const record = JSON.parse(readFileSync(join(sites, first.siteName, 'site.json'), 'utf8'));
  // Each site must carry the mark of its account; others are skipped.
  for (const { id: own, username, siteName } of all)
    writeFileSync(join(sites, siteName, 'site.json'), JSON.stringify({ ...record, ownerMark: `host:${own}:${siteName}`, username }));
  const domains = all.flatMap(({ id: accountId, username }) =>
    ['a', 'b'].map((part) => {
      const name = `${part}.${username}.example.com`;
      return { accountId, name, reversed: name.split('.').reverse().join('.'), folder: '', isMain: false, createdAt: new Date() };
    }),
  );
  for (let from = 0; from < domains.length; from += BATCH) await database.repository(SiteDomain).insert(domains.slice(from, from + BATCH));
  for (let n = 0; n < Number(MANY); n += 1) writeFileSync(join(many, `file-${n}.txt`), String(n));
}
