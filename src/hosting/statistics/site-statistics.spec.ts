import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Logger } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { PanelClient } from '../../../test/support/panel-client.js';
import { TestPanel } from '../../../test/support/panel.js';
import { jobRan } from '../../../test/support/job-witness.js';
import { runJob } from '../../../test/support/run-job.js';
import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { JobRegistry } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { SiteLogMaintenance, SiteLogFiles, SiteLogWriter } from '../embedded/index.js';
import { SiteLogCursor, SiteStatistic } from '../entities/index.js';
import { HostingAccount, HostingNode, HostingService, SitesServer } from '../index.js';

import { TrafficMeter } from '../traffic/index.js';

import { StatisticCollector } from './statistic-collector.js';

let panel: TestPanel;
let owner: string;
let account: HostingAccount;
let other: HostingAccount;
const TODAY = '2026-11-23';
const START = new Date('2026-11-23T08:05:00Z');
let now = START;

beforeAll(async () => {
  panel = await TestPanel.start();
  vi.spyOn(Clock.prototype, 'now').mockImplementation(() => now);
  owner = await panel.signInUser();
  const accounts = panel.get(Database).repository(HostingAccount);
  account = await accounts.findOneByOrFail({ username: 'owner01' });
  await panel.admin('addzj', { user: 'other01', pass: 'secret-pass-1', btdh: 'local' });
  other = await accounts.findOneByOrFail({ username: 'other01' });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await panel.close();
});
beforeEach(async () => {
  await panel.get(SiteLogWriter).write();
  rmSync(root(), { recursive: true, force: true });
  for (const entity of [SiteStatistic, SiteLogCursor]) await panel.get(Database).repository(entity).createQueryBuilder().delete().execute();
});

const root = () => join(panel.dataDir, 'site-logs');
const logOf = ({ siteName }: HostingAccount, day = TODAY) => join(root(), day, `${siteName}.log`);

function visit(path: string, headers: Record<string, string> = {}, method = 'GET', host = 'owner01.localhost'): Promise<number> {
  return new Promise((resolve, reject) => {
    const ask = {
      host: '127.0.0.1',
      port: panel.get(SitesServer).port,
      path,
      method,
      agent: false as const,
      headers: { host, ...headers },
    };
    request(ask, (response) => {
      response.resume().once('close', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end();
  });
}

async function logged(count: number, of = account): Promise<string[]> {
  let lines: string[] = [];
  await expect
    .poll(async () => {
      await panel.get(SiteLogWriter).write();
      lines = existsSync(logOf(of)) ? readFileSync(logOf(of), 'latin1').trimEnd().split('\n') : [];
      return lines.length;
    })
    .toBe(count);
  return lines;
}
/** What is said in the log from now on. */
const saidBy = (logs: SiteLogWriter) => {
  const { log } = logs as unknown as { log: Logger };
  return { warn: vi.spyOn(log, 'warn'), error: vi.spyOn(log, 'error'), info: vi.spyOn(log, 'info') };
};
const collect = () => panel.get(StatisticCollector).run();

async function user(gn: string, fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn, ...fields }),
    headers: { Cookie: owner },
  });
  return (await response.json()) as Record<string, unknown>;
}
const page = async (address: string, cookie = owner) => {
  const response = await panel.fetch(address, { headers: { Cookie: cookie, 'Accept-Language': 'en' } });
  return { status: response.status, text: await response.text() };
};
const line = (path: string, more: { address?: string; time?: string; status?: number; agent?: string } = {}) =>
  `${more.address ?? '192.0.2.1'} - - [${more.time ?? '23/Nov/2026:16:00:00 +0800'}] "GET ${path} ` +
  `HTTP/1.1" ${more.status ?? 200} 100 "-" "${more.agent ?? 'Firefox/1'}"\n`;
const put = (text: string, of = account, day = TODAY) => {
  mkdirSync(join(root(), day), { recursive: true });
  appendFileSync(logOf(of, day), text);
};

describe('statistics of a site', () => {
  it('count what its visitors did within a minute, only once', async () => {
    expect(await visit('/')).toBe(200);
    expect(await visit('/missing?secret=1', { referer: 'https://www.example.net/from' })).toBe(404);
    expect(await visit('/', {}, 'HEAD')).toBe(200);
    expect(await visit('/', {}, 'POST')).toBe(405);
    expect(await visit('/', { range: 'bytes=0-3' })).toBe(206);
    expect(await visit('/', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBe(304);
    await logged(6);
    for (let time = 0; time < 3; time += 1) await Promise.all([collect(), collect()]);
    expect(await user('site_stats', { range: '24h' })).toMatchObject({
      success: true,
      _site: 'owner01',
      requests: 6,
      pv: 3,
      uv: 1,
      succeeded: 3,
      redirected: 1,
      refused: 2,
    });
    expect(await user('site_stats', { act: 'errors' })).toMatchObject({
      list: expect.arrayContaining([{ name: '404 /missing', count: 1, percent: 50 }]),
    });
    expect(await user('site_stats', { type: 'referrer' })).toMatchObject({
      list: [{ name: 'www.example.net/from', count: 1, percent: 100 }],
    });
    expect(await user('site_stats', { type: 'recent', page_size: '2' })).toMatchObject({
      total: 6,
      list: [{ method: 'GET', status: 304 }, { status: 206 }],
    });
    const trend = (await user('site_stats', { type: 'trend', range: '24h' })).list as { time: string; requests: number }[];
    expect([trend.length, trend.at(-1)]).toMatchObject([24, { time: '2026-11-23T16', requests: 6 }]);
    for (const [range, length] of [
      ['today', 24],
      ['yesterday', 24],
      ['7d', 7],
      ['30d', 30],
      ['1y', 12],
    ] as const)
      expect((await user('site_stats', { type: 'trend', range })).list).toHaveLength(length);
  });

  it('match the counted traffic, including heads, ranges and responses without a body', async () => {
    const sent = async () => (await panel.get(Database).repository(HostingAccount).findOneByOrFail({ id: account.id })).trafficUsedBytes;
    await panel.get(TrafficMeter).write();
    const before = await sent();
    for (const method of ['GET', 'HEAD']) await visit('/', {}, method);
    await visit('/', { range: 'bytes=0-3' });
    await visit('/', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' });
    const bytes = (await logged(4)).map((text) => Number(/" \d{3} (\d+) "/.exec(text)![1]));
    await panel.get(TrafficMeter).write();
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBe((await sent()) - before);
    expect(bytes[1]).toBeLessThan(bytes[0]!);
  });

  it('are counted once despite crashes and several processes', async () => {
    put(Array.from({ length: 9_000 }, (_, n) => line(`/${n % 7}`, { address: `192.0.2.${n % 200}` })).join(''));
    // A process that dies in the transaction leaves neither numbers nor a new position.
    const database = panel.get(Database);
    const transaction = vi.spyOn(database, 'transaction').mockImplementationOnce((work) => {
      transaction.mockRestore();
      return database.transaction(async () => {
        await work();
        throw new Error('killed');
      });
    });
    await collect();
    expect(await database.repository(SiteStatistic).count()).toBe(0);
    await Promise.all([collect(), collect(), collect()]);
    put(line('/more'));
    await collect();
    expect(await user('site_stats', { range: 'today' })).toMatchObject({ requests: 9_001, uv: 200 });
    expect((await user('site_stats', { type: 'uri_rank', range: 'today' })).list).toContainEqual({
      name: '/0',
      count: 1_286,
      percent: 14.3,
    });
  });

  it('continue over midnight, wait for an incomplete line, and skip invalid ones', async () => {
    put(`${line('/yesterday', { time: '22/Nov/2026:23:59:59 +0800' })}garbage\n\u0000\n"""\n`, account, '2026-11-22');
    put(`${line('/today')}192.0.2.1 - - [23/Nov`);
    await collect();
    put('/2026:16:00:01 +0800] "GET /late HTTP/1.1" 200 1 "-" "-"\n');
    await collect();
    const trend = (await user('site_stats', { type: 'trend', range: '7d' })).list as { time: string; requests: number }[];
    expect(trend.slice(-2)).toMatchObject([
      { time: '2026-11-22', requests: 1 },
      { time: TODAY, requests: 2 },
    ]);
    expect(await user('site_stats', { range: 'yesterday' })).toMatchObject({ requests: 1 });
  });

  it('are not readable for other accounts', async () => {
    put(line('/secret-of-other'), other);
    put(line('/mine'));
    await collect();
    const mine = JSON.stringify(await user('site_stats', { type: 'uri_rank', id: String(other.id) }));
    expect(mine).toContain('/mine');
    expect(mine).not.toContain('/secret-of-other');
    expect(await user('rzxz', { day: '2026-11-01' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('site_stats', { id: '999999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('site_stats', { id: String(other.id), type: 'uri_rank' })).toMatchObject({
      list: [{ name: '/secret-of-other' }],
    });
    for (const fields of [{ type: 'x' }, { range: "1'; DROP" }, { page: '-1' }, { page_size: '201' }] as Record<string, string>[])
      expect(await user('site_stats', fields)).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

it('administrators of other servers see no statistics, logs, files, backups, certificates or domains of a site on any page', async () => {
  put(line('/hidden-from-them'));
  await collect();
  const nodes = panel.get(Database).repository(HostingNode);
  const local = await nodes.findOneByOrFail({ code: 'local' });
  await nodes.insert({ ...local, id: undefined, code: 'elsewhere', codeKey: 'elsewhere', enabled: false });
  const elsewhere = await nodes.findOneByOrFail({ code: 'elsewhere' });
  const qx = 'listzj,zjsj,site_stats,rzlb,rzxz,listfile,hqwj,filetrash,urllb,cdxlb,pass_list,cache_list,sitebackup_list,getssl';
  const { data } = await panel.admin('jsbc', { name: 'Elsewhere', qx, xz: 'true', nodes: String(elsewhere.id) });
  await panel.admin('addadmin', { user: 'elsewhere', pass: 'helper-pass-1', js_id: String(data.id) });
  const client = await new PanelClient(panel.url).login('admin', 'elsewhere', 'helper-pass-1');
  const id = String(account.id);
  for (const fields of [{ gn: 'site_stats' }, { gn: 'rzxz', day: TODAY }] as Record<string, string>[])
    expect((await client.ajax('admin', { id, ...fields })).json).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  for (const path of [
    'host-statistics',
    'host-domains',
    'host-settings',
    'host-certificate',
    'site-backups',
    'files',
    'files-trash',
    'file-edit',
  ]) {
    const shown = await client.send(`/admin/${path}?id=${id}&path=/index.html`, { headers: { Accept: 'text/html' } });
    expect([path, [302, 404].includes(shown.status), shown.text.includes('owner01')]).toEqual([path, true, false]);
  }
  expect((await panel.adminFetch(`/admin/host-statistics?id=${id}`)).status).toBe(200);
});

it('downloads by the owner count as traffic of the month, those by administrators do not; neither is blocked', async () => {
  const sent = async () => {
    await panel.get(TrafficMeter).write();
    return (await panel.get(Database).repository(HostingAccount).findOneByOrFail({ id: account.id })).trafficUsedBytes;
  };
  const size = 300_000;
  writeFileSync(join(panel.dataDir, 'sites', account.siteName, 'public', 'take.bin'), Buffer.alloc(size, 1));
  const take = async (url: string, cookie: string) => {
    const { pathname, search } = new URL(url, panel.url);
    return (await (await panel.fetch(`${pathname}${search}`, { headers: { Cookie: cookie } })).arrayBuffer()).byteLength;
  };
  const before = await sent();
  const own = (await user('wjxz', { path: '/take.bin' })) as { url: string };
  expect(await take(own.url, owner)).toBe(size);
  await expect.poll(sent).toBeGreaterThanOrEqual(before + size);
  const after = await sent();
  expect(after).toBeLessThan(before + size + 5_000);
  const theirs = (await panel.admin('wjxz', { id: String(account.id), path: '/take.bin' })) as unknown as { url: string };
  expect(await take(theirs.url, panel.adminCookie)).toBe(size);
  expect(await sent()).toBe(after);
});

describe('untrusted input', () => {
  it('is plain text on every page, without tags, formulas or line breaks', async () => {
    const evil = '<script>alert(1)</script>';
    for (const agent of [evil, "=cmd|' /C calc'!A0", 'x\\"y'])
      await visit(`/${encodeURIComponent(agent)}`, { 'user-agent': agent, referer: `http://evil.example.net/${evil}` });
    put(line(`/${evil}`));
    await logged(4);
    await collect();
    for (const { status, text } of [
      await page('/user/statistics'),
      await page(`/admin/host-statistics?id=${account.id}`, panel.adminCookie),
    ]) {
      expect(status).toBe(200);
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).not.toContain(evil);
    }
  });

  it('is limited in length, and contains neither cookies nor passwords', async () => {
    expect(await visit(`/${'a'.repeat(12_000)}`)).toBe(404);
    expect(await visit(`/${'a'.repeat(100_000)}`).catch(() => 431)).toBe(431);
    await visit('/', { cookie: 'session=top-secret', authorization: 'Basic dG9wOnNlY3JldA==' });
    const lines = await logged(2);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4_000);
    expect(lines.join('\n')).not.toMatch(/top-secret|dG9wOnNlY3JldA/);
  });

  it('contains only networks if so configured', async () => {
    await panel.get(SiteSettings).change({ logsNetworksOnly: true });
    await visit('/');
    const [first] = await logged(1);
    await panel.get(SiteSettings).change({ logsNetworksOnly: false });
    expect(first).toMatch(/^127\.0\.0\.0 - - /);
  });
});

describe('raw logs', () => {
  it('are downloaded once by the requester, and never displayed as a page', async () => {
    put(line('/raw'));
    const { url } = (await user('rzxz', { day: TODAY })) as { url: string };
    const path = new URL(url, panel.url);
    const stranger = await panel.fetch(`${path.pathname}${path.search}`, { headers: { Cookie: panel.adminCookie } });
    expect([stranger.headers.get('content-disposition'), (await stranger.text()).includes('/raw')]).toEqual([null, false]);
    const response = await panel.fetch(`${path.pathname}${path.search}`, { headers: { Cookie: owner } });
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="owner01-${TODAY}.log"`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(await response.text()).toBe(line('/raw'));
    expect((await panel.fetch(`${path.pathname}${path.search}`, { headers: { Cookie: owner }, redirect: 'manual' })).status).toBe(302);
    expect(await user('rzlb')).toMatchObject({ total: 1, rows: [{ day: TODAY, state: 'whole' }] });
    for (const day of ['../../etc', '2026-11-23/..', ''])
      expect(await user('rzxz', { day })).toMatchObject({ success: false, err: 'E_ARGS' });
    // A link to a log opens no file, and one to a file no log.
    const log = (await user('rzxz', { day: TODAY })) as { url: string };
    const asFile = new URL(log.url, panel.url).search;
    expect((await panel.fetch(`/user/wjxz.php${asFile}`, { headers: { Cookie: owner }, redirect: 'manual' })).status).toBe(302);
    const file = (await user('wjxz', { path: '/index.html' })) as { url: string };
    const asLog = new URL(file.url, panel.url).search;
    expect((await panel.fetch(`/user/rzxz.php${asLog}`, { headers: { Cookie: owner }, redirect: 'manual' })).status).toBe(302);
  });

  it('are compressed after days and removed when expired or without a site, even after interruptions', async () => {
    put(line('/old'), account, '2026-09-01');
    put(line('/packed'), account, '2026-11-10');
    writeFileSync(`${logOf(account, '2026-11-10')}.gz.part`, 'half');
    put(line('/new'));
    mkdirSync(join(root(), '2026-11-20'), { recursive: true });
    writeFileSync(join(root(), '2026-11-20', 'svc.gone.log'), line('/gone'));
    await panel.get(SiteLogMaintenance).run();
    // The clock has not been seen to stand so for a day: nothing is removed for its age.
    expect(readdirSync(root())).toEqual(['2026-09-01', '2026-11-10', '2026-11-20', TODAY]);
    await jobRan(panel.get(Database), 'site-logs', new Date(now.getTime() - 24 * 3_600_000));
    for (let time = 0; time < 2; time += 1) await panel.get(SiteLogMaintenance).run();
    expect(readdirSync(root())).toEqual(['2026-11-10', '2026-11-20', TODAY]);
    expect(readdirSync(join(root(), '2026-11-10'))).toEqual([`${account.siteName}.log.gz`]);
    expect(readdirSync(join(root(), '2026-11-20'))).toEqual([]);
    const { url } = (await user('rzxz', { day: '2026-11-10' })) as { url: string };
    const response = await panel.fetch(new URL(url, panel.url).pathname + new URL(url, panel.url).search, { headers: { Cookie: owner } });
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(line('/packed'));
  });

  it('are written for a site paused or deleted meanwhile, and serving continues on a full disk', async () => {
    const service = panel.get(HostingService);
    await service.pause(other.id, 'admin', 'admin');
    expect(await visit('/', {}, 'GET', 'other01.localhost')).toBe(503);
    expect((await logged(1, other))[0]).toContain('" 503 ');
    await service.unpause(other.id, 'admin', 'admin');

    const append = vi.spyOn(panel.get(SiteLogFiles), 'append').mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    const { error, info } = saidBy(panel.get(SiteLogWriter));
    for (let time = 0; time < 3; time += 1) {
      expect(await visit('/')).toBe(200);
      await expect
        .poll(() =>
          panel
            .get(SiteLogWriter)
            .write()
            .then(() => append.mock.calls.length),
        )
        .toBeGreaterThan(time);
    }
    append.mockRestore();
    await visit('/back');
    expect((await logged(2)).at(-1)).toContain('/back');
    // Told once until it works again, and then told that it does.
    expect([error.mock.calls, info.mock.calls.length]).toEqual([
      [[{ reason: 'no space' }, expect.stringContaining('cannot be written')]],
      1,
    ]);

    const pending = visit('/', {}, 'GET', 'other01.localhost');
    await pending;
    await service.terminate(other.id, 'admin');
    await panel.get(SiteLogWriter).write();
    await expect(collect()).resolves.toBeGreaterThanOrEqual(0);
    await panel.admin('addzj', { user: 'other01', pass: 'secret-pass-1', btdh: 'local' });
    other = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'other01' });
  });

  it('are cut at the daily maximum, which is reported', async () => {
    put(line('/big'));
    writeFileSync(`${logOf(account)}.cut`, '');
    expect(await user('rzlb')).toMatchObject({ rows: [{ state: 'cut' }] });
    expect((await page('/user/statistics')).text).toContain('Truncated');
  });

  it('are cut at the maximum, which is logged once, and the site is still served', async () => {
    const files = panel.get(SiteLogFiles);
    const { warn } = saidBy(panel.get(SiteLogWriter));
    await visit('/first');
    const [first] = await logged(1);
    const before = files.largest;
    files.largest = first!.length * 3;
    try {
      for (let time = 0; time < 6; time += 1) {
        expect(await visit('/?more')).toBe(200);
        await panel.get(SiteLogWriter).write();
      }
      // Another one is asked for, so that all before it were written.
      await expect
        .poll(() =>
          panel
            .get(SiteLogWriter)
            .write()
            .then(() => existsSync(`${logOf(account)}.cut`)),
        )
        .toBe(true);
      const kept = readFileSync(logOf(account), 'latin1');
      expect([kept.length <= files.largest, kept.endsWith('\n'), kept.includes('/?more')]).toEqual([true, true, true]);
      expect(warn.mock.calls).toEqual([
        [{ site: account.siteName, day: TODAY, bytes: files.largest }, expect.stringContaining('has reached its maximum')],
      ]);
      expect(await user('rzlb')).toMatchObject({ rows: [{ state: 'cut' }] });
      // The next day has room again.
      now = new Date(START.getTime() + 24 * 3_600_000);
      await visit('/next-day');
      await expect
        .poll(() =>
          panel
            .get(SiteLogWriter)
            .write()
            .then(() => existsSync(logOf(account, '2026-11-24'))),
        )
        .toBe(true);
      expect(readFileSync(logOf(account, '2026-11-24'), 'latin1')).toContain('/next-day');
    } finally {
      files.largest = before;
      now = START;
    }
  });
});

describe('retention', () => {
  it('is set by administrators and enforced', async () => {
    expect(await panel.admin('tjsz', { rzts: '0' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('tjsz', { rzts: '30', tjys: '2' })).toMatchObject({ success: true });
    for (const [day, time] of [
      ['2026-11-20', '20/Aug/2026:10:00:00 +0800'],
      ['2026-11-21', '18/Nov/2026:10:00:00 +0800'],
    ] as const)
      put(line('/x', { time }), account, day);
    put(line('/x'));
    await collect();
    await runJob(panel.get(JobRegistry), 'statistics-purge');
    expect(await panel.get(Database).repository(SiteStatistic).countBy({ unit: 'd' })).toBe(3);
    await jobRan(panel.get(Database), 'statistics-purge', new Date(now.getTime() - 24 * 3_600_000));
    await runJob(panel.get(JobRegistry), 'statistics-purge');
    const rows = await panel
      .get(Database)
      .repository(SiteStatistic)
      .find({ order: { unit: 'ASC', at: 'ASC' } });
    expect(rows.map(({ unit, at }) => `${unit} ${at}`)).toEqual(['d 2026-11-18', 'd 2026-11-23', 'h 2026-11-23T16', 'm 2026-11']);
    now = new Date('2026-11-25T10:00:00Z');
    await jobRan(panel.get(Database), 'statistics-purge', new Date('2026-11-24T10:00:00Z'));
    await runJob(panel.get(JobRegistry), 'statistics-purge');
    const hour = await panel.get(Database).repository(SiteStatistic).findOneByOrFail({ unit: 'h' });
    expect([hour.detail, hour.requests]).toEqual(['', 1]);
    now = START;
  });
});

it('shows a message while there is no data yet', async () => {
  const { status, text } = await page('/user/statistics');
  expect(status).toBe(200);
  expect(text).toContain('No visits in this period');
});
