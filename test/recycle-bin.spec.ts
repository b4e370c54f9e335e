/** The recycle bin: deleted sites are kept, restored as new accounts, or destroyed, and jobs cannot empty an installation. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import {
  BinnedSite,
  BinPurge,
  DeletionCap,
  DeletionDay,
  DriverRegistry,
  HostingAccount,
  HostingNode,
  HostingService,
  IdleRepository,
  IdleHost,
  IdleHosts,
  NodeSystem,
} from '../src/hosting/index.js';
import { DueIdleActions, IdleNotices } from '../src/hosting/idle/index.js';
import { KeptSites, LifeCycleService } from '../src/hosting/accounts/index.js';
import { BackgroundQueue, JobRun } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { SiteSettings } from '../src/site/index.js';

import { FakeDriver } from './support/fake-driver.js';
import { jobRan } from './support/job-witness.js';
import { ManualClock } from './support/manual-clock.js';
import { TestPanel } from './support/panel.js';

const DAY_MS = 86_400_000;
const PASS = 'secret-pass-1';

let panel: TestPanel;
let database: Database;
let hosting: HostingService;
let purge: BinPurge;
const clock = new ManualClock();

beforeAll(async () => {
  panel = await TestPanel.start();
  // Days pass only for the bin and what fills it; sessions and the job clock stay on the current day.
  for (const part of [KeptSites, DeletionCap, IdleHosts, DueIdleActions, IdleNotices, IdleRepository])
    Object.assign(panel.get<object>(part), { clock });
  database = panel.get(Database);
  hosting = panel.get(HostingService);
  purge = panel.get(BinPurge);
});
afterAll(() => panel?.close());
beforeEach(async () => {
  clock.set(new Date());
  for (const { id } of await accounts().find()) await hosting.terminate(id, 'admin');
  for (const entity of [BinnedSite, DeletionDay, DurableEvent, IdleHost, JobRun, Notice])
    await database.repository<object>(entity).createQueryBuilder().delete().execute();
  await panel.get(SiteSettings).change({ binDays: 30, idleFilesActs: false, mailHost: 'smtp.example.com' });
});

const accounts = () => database.repository(HostingAccount);
const bin = () => database.repository(BinnedSite);
const open = async (user: string, more: { expiresOn?: string | null; node?: string } = {}): Promise<HostingAccount> => {
  const request = { node: 'local', user, password: PASS, expiresOn: null, webMb: 500, trafficGb: 3, domains: 4, monitors: 2, ...more };
  const { id } = await hosting.provision(request, 'api');
  await accounts().update({ id }, { email: `${user}@example.com` });
  return accounts().findOneByOrFail({ id });
};
const place = (folder: 'sites' | 'recycle', siteName: string, ...path: string[]) => join(panel.dataDir, folder, siteName, ...path);
const upload = ({ siteName }: HostingAccount, file = 'shop.html', text = 'mine') =>
  writeFileSync(place('sites', siteName, 'public', file), text);
const events = async () =>
  (await database.repository(DurableEvent).find({ order: { id: 'ASC' } })).map(({ hook, args, source }) => [hook, args[0], source]);
const list = async (fields: Record<string, string> = {}) =>
  ((await panel.admin('lisths', { limit: '100', ...fields })) as unknown as { total: number; rows: Record<string, string>[] }).rows;
const remove = (id: number, fields: Record<string, string> = {}) => panel.admin('zjsc', { id: String(id), ...fields });

describe('a deleted host', () => {
  it('is in the bin with its data, its name is free, and it was reported once', async () => {
    const host = await open('alice001', { expiresOn: '2031-05-06' });
    upload(host);
    expect(await remove(host.id, { qr: 'somebody' })).toMatchObject({
      success: false,
      err: 'E_ARGS',
      fields: { qr: expect.any(String) as string },
    });
    expect(await remove(host.id, { ms: 'burn' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await remove(host.id, { qr: 'alice001', ms: 'hs' })).toMatchObject({ success: true });
    expect(await bin().find()).toMatchObject([
      {
        hostId: host.id,
        username: 'alice001',
        siteName: host.siteName,
        expiresOn: '2031-05-06',
        webQuotaMb: 500,
        trafficQuotaGb: 3,
        domainQuota: 4,
        monitorQuota: 2,
        email: 'alice001@example.com',
        openedBy: 'api',
        deletedBy: 'admin',
        deletedName: 'admin',
        state: 'kept',
      },
    ]);
    const [row] = await list();
    expect(row).toMatchObject({
      user: 'alice001',
      free_user: 'alice001',
      server: 'local',
      state: 'kept',
      days_left: '30',
      deleted_by: 'admin',
    });
    expect([await list({ ss: 'LICE0' }), await list({ ss: 'bob' })]).toMatchObject([[{ user: 'alice001' }], []]);
    expect(await events()).toEqual([
      ['host.created', 'alice001', 'api'],
      ['host.deleted', 'alice001', 'admin'],
    ]);
    expect(readFileSync(place('recycle', host.siteName, 'public', 'shop.html'), 'utf8')).toBe('mine');
    await open('ALICE001');
    expect(await list()).toMatchObject([{ user: 'alice001', free_user: '' }]);
  });

  it('is deleted permanently on request, and when its server keeps nothing', async () => {
    const host = await open('alice001');
    upload(host);
    expect(await remove(host.id, { ms: 'cd' })).toMatchObject({ success: true });
    expect([await bin().count(), existsSync(place('recycle', host.siteName))]).toEqual([0, false]);
    const undo = panel.get(DriverRegistry).register(new FakeDriver());
    try {
      const keys = { openKey: 'k', signatureKey: 'q', system: NodeSystem.Linux, createdAt: new Date() };
      await database.repository(HostingNode).insert({ code: 'far1', codeKey: 'far1', driver: 'fake', ...keys });
      const far = await open('bob00001', { node: 'far1' });
      const html = await (await panel.adminFetch('/admin/hosts', { headers: { 'Accept-Language': 'en' } })).text();
      // A row's menu is created when it is opened: the question is in the page once, with a placeholder for the name.
      expect(html).toContain('Delete {user} with its site and all its files? This cannot be undone.');
      await remove(far.id);
      expect([await bin().count(), await accounts().count()]).toEqual([0, 0]);
    } finally {
      undo();
      await database.repository(HostingNode).delete({ code: 'far1' });
    }
  });

  it('has no entry when its site was already gone', async () => {
    const host = await open('alice001');
    rmSync(place('sites', host.siteName), { recursive: true });
    await remove(host.id);
    expect([await bin().count(), await accounts().count()]).toEqual([0, 0]);
  });

  it('keeps its server: a server with kept sites is not removed', async () => {
    const keys = { openKey: 'k', signatureKey: 'q', system: NodeSystem.Linux, createdAt: new Date() };
    const { id } = await database.repository(HostingNode).save({ code: 'near1', codeKey: 'near1', driver: 'embedded', ...keys });
    const host = await open('alice001', { node: 'near1' });
    await remove(host.id);
    expect(await panel.admin('btsc', { id: String(id) })).toMatchObject({ success: false, err: 'E_INUSE' });
    const [row] = await list();
    expect(await panel.admin('zjqc', { id: row!.id! })).toMatchObject({ success: true });
    expect(await panel.admin('btsc', { id: String(id) })).toMatchObject({ success: true });
  });
});

describe('restoring', () => {
  const restore = (id: string, fields: Record<string, string> = {}) => panel.admin('zjhf', { id, pass: 'another-pass-2', ...fields });

  it('creates a new account with the old files, limits and address, and a new password', async () => {
    const host = await open('alice001', { expiresOn: '2031-05-06' });
    upload(host);
    mkdirSync(place('sites', host.siteName, 'public', 'deep'));
    await remove(host.id);
    const [row] = await list();
    expect(await restore(row!.id!, { pass: 'short' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await restore(row!.id!)).toMatchObject({ success: true });
    const back = await accounts().findOneByOrFail({ userKey: 'alice001' });
    expect(back).toMatchObject({
      state: 'active',
      webQuotaMb: 500,
      trafficQuotaGb: 3,
      domainQuota: 4,
      monitorQuota: 2,
      expiresOn: '2031-05-06',
    });
    expect(back).toMatchObject({ email: 'alice001@example.com', openedBy: 'api', claimedUntil: null });
    expect([back.id === host.id, back.siteName === host.siteName, back.passwordHash === host.passwordHash]).toEqual([false, false, false]);
    expect(readFileSync(place('sites', back.siteName, 'public', 'shop.html'), 'utf8')).toBe('mine');
    expect([existsSync(place('recycle', host.siteName)), await bin().count()]).toEqual([false, 0]);
    expect((await events()).slice(-1)).toEqual([['host.created', 'alice001', 'admin']]);
    await expect(panel.signInUser('alice001', 'another-pass-2')).resolves.toBeTruthy();
    // It can be deleted and restored again.
    await remove(back.id);
    expect(await restore((await list())[0]!.id!, { datae: '0' })).toMatchObject({ success: true });
    expect(await accounts().find()).toMatchObject([{ username: 'alice001', expiresOn: null }]);
    expect(await restore(row!.id!)).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('uses another name when the old one is taken, and leaves the site unchanged meanwhile', async () => {
    const host = await open('alice001');
    upload(host);
    await remove(host.id);
    await open('alice001');
    const [row] = await list();
    expect(await restore(row!.id!)).toMatchObject({ success: false, err: 'E_EXISTS', fields: { user: expect.any(String) as string } });
    expect(await restore(row!.id!, { user: '..' })).toMatchObject({ success: false });
    expect(await list()).toMatchObject([{ state: 'kept' }]);
    expect(await restore(row!.id!, { user: 'alice002' })).toMatchObject({ success: true });
    const back = await accounts().findOneByOrFail({ userKey: 'alice002' });
    expect(readFileSync(place('sites', back.siteName, 'public', 'shop.html'), 'utf8')).toBe('mine');
  });

  it('keeps a manual pause, and three requests at once create one account', async () => {
    const host = await open('alice001');
    await hosting.pause(host.id, 'scan', 'admin');
    await remove(host.id);
    const [row] = await list();
    const answers = await Promise.all(['alice001', 'alice002', 'alice003'].map((user) => restore(row!.id!, { user })));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    for (const answer of answers.filter(({ success }) => !success)) expect(['E_BUSY', 'E_NOTEXIST']).toContain(answer.err);
    expect(await accounts().find()).toMatchObject([{ state: 'paused', pauseReasons: ['scan'] }]);
    expect(await bin().count()).toBe(0);
  });

  it('reports missing files, and the entry can still be destroyed', async () => {
    const host = await open('alice001');
    await remove(host.id);
    rmSync(place('recycle', host.siteName), { recursive: true });
    const [row] = await list();
    expect(await restore(row!.id!)).toMatchObject({ success: false, err: 'E_NODE' });
    expect(await list()).toMatchObject([{ state: 'kept' }]);
    expect(await accounts().count()).toBe(0);
    expect(await panel.admin('zjqc', { id: row!.id! })).toMatchObject({ success: true });
    expect(await bin().count()).toBe(0);
  });
});

describe('destroying', () => {
  it('happens once when the announced period ends, and follows no symbolic link', async () => {
    const [host, later] = [await open('alice001'), await open('bob00001')];
    const outside = join(panel.dataDir, 'outside.txt');
    writeFileSync(outside, 'not mine');
    symlinkSync(panel.dataDir, place('sites', host.siteName, 'public', 'up'));
    await remove(host.id);
    expect(await panel.admin('hsqsz', { hsts: '0' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('hsqsz', { hsts: '60' })).toMatchObject({ success: true });
    await remove(later.id);
    clock.advance(29 * DAY_MS);
    expect(await purge.run()).toBe(0);
    clock.advance(2 * DAY_MS);
    expect(await purge.run()).toBe(0);
    await jobRan(database, 'recycle-bin', clock.now());
    clock.advance(DAY_MS);
    expect((await Promise.all([purge.run(), purge.run()])).sort()).toEqual([0, 1]);
    expect(await list()).toMatchObject([{ user: 'bob00001' }]);
    expect([existsSync(place('recycle', host.siteName)), existsSync(place('recycle', later.siteName))]).toEqual([false, true]);
    expect(readFileSync(outside, 'utf8')).toBe('not mine');
  });

  it.each([
    ['an hour', 3_600_000],
    ['a year', 365 * DAY_MS],
  ])('waits a day when the clock is wrong by %s, and does nothing when it is right again', async (_name, wrong) => {
    const host = await open('alice001');
    await remove(host.id);
    const right = clock.now();
    clock.advance(30 * DAY_MS - 4 * 3_600_000);
    for (let hour = 0; hour < 24; hour += 1) {
      await jobRan(database, 'recycle-bin', clock.now());
      if (hour === 20) clock.advance(wrong);
      expect(await purge.run()).toBe(0);
      clock.advance(600_000);
    }
    clock.set(right);
    expect(await purge.run()).toBe(0);
    expect(existsSync(place('recycle', host.siteName))).toBe(true);
  });

  it('by hand needs only the entry; an interrupted one cannot be restored and is finished by the job', async () => {
    const host = await open('alice001');
    await remove(host.id);
    const [row] = await list();
    expect(await panel.admin('zjqc', { id: row!.id!, qr: 'other' })).toMatchObject({ success: false, err: 'E_ARGS' });
    // A process that died midway: the row says so, half of the files are deleted.
    expect(await panel.get(KeptSites).claimPurge(Number(row!.id), 60_000)).toBe(true);
    rmSync(place('recycle', host.siteName, 'site.json'));
    expect(await panel.admin('zjhf', { id: row!.id!, pass: PASS })).toMatchObject({ success: false, err: 'E_BUSY' });
    expect(await panel.admin('zjqc', { id: row!.id! })).toMatchObject({ success: false, err: 'E_BUSY' });
    expect(await purge.run()).toBe(0);
    clock.advance(120_000);
    expect(await purge.run()).toBe(1);
    expect([await bin().count(), existsSync(place('recycle', host.siteName))]).toEqual([0, false]);
  });

  it('leaves folders of other accounts', async () => {
    const host = await open('alice001');
    await remove(host.id);
    const record = place('recycle', host.siteName, 'site.json');
    writeFileSync(record, JSON.stringify({ ...(JSON.parse(readFileSync(record, 'utf8')) as object), ownerMark: 'host:1:other' }));
    const [row] = await list();
    expect(await panel.admin('zjqc', { id: row!.id! })).toMatchObject({ success: false, err: 'E_NODE' });
    expect(existsSync(record)).toBe(true);
  });
});

describe('the daily deletion limit of jobs', () => {
  const byJob = (id: number) => panel.get(LifeCycleService).terminate(id, { source: 'cron' });

  it('is 5, or 2 % of all hosts if more, for all jobs together and however many run at once', async () => {
    const hosts = await Promise.all(Array.from({ length: 7 }, (_, n) => open(`host000${n}`)));
    const results = await Promise.allSettled(hosts.map(({ id }) => byJob(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'DELETIONS_HELD' });
    expect(await accounts().find()).toMatchObject([{ state: 'active', claimedUntil: null }, { state: 'active' }]);
    // People are not limited.
    await remove((await accounts().find())[0]!.id);
    expect(await accounts().count()).toBe(1);
    clock.advance(DAY_MS);
    const { day } = await panel.get(DeletionCap).state();
    await database.repository(DeletionDay).update({ day }, { accounts: 1_000 });
    expect(await panel.get(DeletionCap).state()).toMatchObject({ most: 20, done: 0 });
  });

  it('makes the rest wait, tells administrators where to confirm, and continues immediately after confirmation', async () => {
    for (let n = 0; n < 8; n += 1) {
      const { id } = await hosting.provision({ node: 'local', user: `idler00${n}`, password: PASS, expiresOn: null }, 'admin');
      await accounts().update({ id }, { email: 'idle@example.com', createdAt: clock.now() });
    }
    await panel.get(SiteSettings).change({ idleFilesActs: true, idleFilesDays: 1, idleDeed: 'del' });
    for (let day = 0; day < 5; day += 1) {
      clock.advance(DAY_MS);
      await panel.get(IdleHosts).run();
      if ((await accounts().count()) < 8) break;
    }
    expect(await accounts().count()).toBe(3);
    await panel.get(BackgroundQueue).idle();
    const notices = await database.repository(Notice).find({ where: { side: 'admin', level: 'danger' } });
    expect(notices).toMatchObject([{ link: '/admin/recycle-bin', key: expect.stringMatching(/^deletions-held:/) as string }]);
    const page = async () => (await panel.adminFetch('/admin/recycle-bin', { headers: { 'Accept-Language': 'en' } })).text();
    expect(await page()).toContain('3 hosts are due for automatic deletion');
    // The same day again: nothing happens, and nobody is notified twice.
    await panel.get(IdleHosts).run();
    expect(await accounts().count()).toBe(3);
    expect(await panel.admin('zjscfx', {})).toMatchObject({ success: true });
    await expect.poll(() => accounts().count()).toBe(0);
    await panel.get(BackgroundQueue).idle();
    expect(await bin().count()).toBe(8);
    expect(await page()).not.toContain('are due for automatic deletion');
    expect(await database.repository(Notice).countBy({ side: 'admin', link: '/admin/recycle-bin' })).toBe(1);
  });
});
