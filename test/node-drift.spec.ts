/** Comparing a server with the panel's rows, and repairing what differs. Source: docs/panel-api.md "Nodes". */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { readCertificate } from '../src/hosting/certificates/read-certificate.js';
import { SiteRepair } from '../src/hosting/drift/index.js';
import {
  CertificateRepository,
  DriverRegistry,
  HostingAccount,
  HostingNode,
  HostingService,
  NodeDifferences,
  SiteDomains,
} from '../src/hosting/index.js';
import { WebSettingRepository } from '../src/hosting/web-settings/index.js';
import { SiteAccess } from '../src/hosting/site-tools/index.js';
import { BackgroundQueue, JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { TestAuthority } from './support/certificates.js';
import { FakeDriver } from './support/fake-driver.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

let panel: TestPanel;
let id: string;
let driver: FakeDriver;

beforeAll(async () => {
  panel = await TestPanel.start();
  driver = new FakeDriver();
  panel.get(DriverRegistry).register(driver);
  await panel.admin('addbt', { bh: 'fake1', driver: 'fake' });
  id = String((await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'fake1' })).id);
});
afterAll(() => panel.close());
beforeEach(async () => {
  driver.script = [];
  driver.sites.clear();
  await panel.get(Database).repository(HostingAccount).createQueryBuilder().delete().execute();
});

const open = async (user: string): Promise<{ id: number; siteName: string }> => {
  const host = await panel.get(HostingService).provision({ node: 'fake1', user, password: 'secret-1', expiresOn: null }, 'admin');
  return panel.get(Database).repository(HostingAccount).findOneByOrFail({ id: host.id });
};
const run = async (gn: string): Promise<void> => {
  expect(await panel.admin(gn, { id })).toMatchObject({ success: true });
  await panel.get(BackgroundQueue).idle();
};
const found = async (): Promise<string[][]> =>
  ((await panel.admin('listbtzj', { id, limit: '100' })).rows as unknown as Record<string, string>[]).map((row) => [
    row.user!,
    row.lx!,
    row.zt!,
  ]);

/** Five hosts, each different on the server in its own way, and an unknown site. */
async function drift(): Promise<Record<string, { id: number; siteName: string }>> {
  const hosts = Object.fromEntries(
    await Promise.all(['gone-01', 'paused-1', 'moved-01', 'taken-01', 'fine-001'].map(async (user) => [user, await open(user)] as const)),
  );
  const of = (user: string) => driver.sites.get(hosts[user]!.siteName)!;
  driver.sites.set('somebody.example', { ...of('fine-001'), mark: 'not ours', username: 'somebody' });
  driver.sites.delete(hosts['gone-01']!.siteName);
  of('paused-1').suspended = true;
  of('taken-01').mark = 'host:9:another';
  await panel.get(Database).repository(HostingAccount).update({ id: hosts['moved-01']!.id }, { siteId: 'old' });
  return hosts;
}

describe('the nightly comparison', () => {
  it('finds what the page finds, and notifies administrators once of each difference', async () => {
    const told = async () =>
      (
        await panel
          .get(Database)
          .repository(Notice)
          .find({ where: { username: 'admin', kind: 'system' }, order: { id: 'ASC' } })
      )
        .map(({ words }) => words!)
        .filter(({ title }) => title.key === 'hosting.drift_title')
        .map(({ text }) => text.params!.n);
    const night = async () => {
      await runJob(panel.get(JobRegistry), 'node-drift');
      await panel.get(BackgroundQueue).idle();
    };
    const fine = await open('night-01');
    const served = await open('night-02');
    driver.serve();
    await night();
    expect([await found(), await told()]).toEqual([[], []]);
    // Served differently, which a check of the sites' states does not show.
    driver.serving.set(served.siteName, { ...driver.servingOf(served.siteName), domains: [{ name: 'stranger.example.net', folder: '' }] });
    await night();
    await night();
    expect([await found(), await told()]).toEqual([[['night-02', 'domains', 'open']], [1]]);
    driver.sites.delete(fine.siteName);
    await night();
    expect(await told()).toEqual([1, 1]);
    await run('bttb');
    await night();
    expect([await found(), await told()]).toEqual([[], [1, 1]]);
    // A difference that returns after a repair is reported again.
    driver.sites.delete(fine.siteName);
    await night();
    expect(await told()).toEqual([1, 1, 1]);
    [driver.domains, driver.settings, driver.certificates] = [undefined, undefined, undefined];
  });
});

describe('comparing a server', () => {
  it('finds each kind of difference, and repairs only what belongs to the panel', async () => {
    const hosts = await drift();
    await run('btzj');
    expect((await found()).sort()).toEqual([
      ['gone-01', 'missing', 'open'],
      ['moved-01', 'moved', 'open'],
      ['paused-1', 'differing', 'open'],
      ['somebody', 'unknown', 'open'],
      ['taken-01', 'foreign', 'open'],
    ]);
    await run('bttb');
    expect((await found()).sort()).toEqual([
      ['gone-01', 'missing', 'done'],
      ['moved-01', 'moved', 'done'],
      ['paused-1', 'differing', 'done'],
      ['somebody', 'unknown', 'open'],
      ['taken-01', 'foreign', 'open'],
    ]);
    expect(driver.sites.get(hosts['gone-01']!.siteName)).toMatchObject({
      mark: `host:${hosts['gone-01']!.id}:${hosts['gone-01']!.siteName}`,
    });
    expect(driver.sites.get(hosts['paused-1']!.siteName)!.suspended).toBe(false);
    expect(driver.sites.get(hosts['taken-01']!.siteName)!.mark).toBe('host:9:another');
    expect(driver.sites.has('somebody.example')).toBe(true);
    expect(driver.calls).not.toContain('terminate');
    await run('btzj');
    expect((await found()).map(([user]) => user).sort()).toEqual(['somebody', 'taken-01']);
  });

  it('repairs one host, whatever paused it, and says why it cannot', async () => {
    const hosts = await drift();
    const gone = hosts['gone-01']!;
    await panel.get(HostingService).stop(hosts['fine-001']!.id);
    driver.sites.delete(hosts['fine-001']!.siteName);
    await run('btzj');
    driver.script = ['unreachable'];
    expect(await panel.admin('zjtb', { id: String(gone.id) })).toMatchObject({ success: false, err: 'E_UNREACH' });
    expect(await panel.admin('zjtb', { id: String(gone.id) })).toMatchObject({ success: true });
    expect(await panel.admin('zjtb', { id: String(gone.id) })).toMatchObject({ success: true });
    expect(await panel.admin('zjtb', { id: String(hosts['fine-001']!.id) })).toMatchObject({ success: true });
    expect(driver.sites.get(hosts['fine-001']!.siteName)).toMatchObject({ stopped: true, suspended: false });
    expect(await panel.admin('zjtb', { id: String(hosts['taken-01']!.id) })).toMatchObject({ success: false, err: 'E_NODE' });
    expect(await panel.admin('zjtb', { id: '999999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('btzj', { id: '999999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('finds sites that are served differently from the rows, and updates their server', async () => {
    const panelOf = panel.get(SiteAccess);
    const hosts = await Promise.all(['domain-1', 'setting1', 'cert-001', 'all-0001', 'fine-002', 'unclear1'].map((user) => open(user)));
    driver.serve();
    try {
      const [domain, setting, certificate, all, , unclear] = hosts.map(({ siteName }) => siteName) as string[];
      const pair = await (await TestAuthority.make()).pair({ names: ['www.example.net'] });
      for (const { id: host } of hosts) {
        await panel.get(SiteDomains).bind(await panelOf.ofHost(host), `h${host}.example.net`, '');
        await panel.get(CertificateRepository).keep(host, readCertificate(pair.key, pair.pem, null), '');
        await panel.get(WebSettingRepository).change(await panelOf.ofHost(host), () => ({ indexes: ['start.html'] }));
        await panel.get(SiteRepair).repair(host);
      }
      await run('btzj');
      expect(await found()).toEqual([]);
      const change = (siteName: string, other: Partial<ReturnType<FakeDriver['servingOf']>>) =>
        driver.serving.set(siteName, { ...driver.servingOf(siteName), ...other });
      change(domain!, { domains: [{ name: 'stranger.example.net', folder: '' }] });
      change(setting!, { settings: { ...driver.servingOf(setting!).settings, indexes: ['other.html'] } });
      change(certificate!, { certificate: { ...driver.servingOf(certificate!).certificate!, forceHttps: true } });
      change(all!, { domains: [], certificate: null, settings: { ...driver.servingOf(all!).settings, runFolder: 'x' } });
      const { matches } = driver.domains!;
      driver.domains!.matches = (account, ...rest) =>
        account.siteName === unclear ? Promise.resolve({ outcome: 'unreachable', message: '' }) : matches!(account, ...rest);
      const before = driver.calls.length;
      await run('btzj');
      expect(driver.calls.slice(before).every((call) => ['list', 'domains', 'settings', 'certificate'].includes(call))).toBe(true);
      expect((await found()).sort()).toEqual([
        ['all-0001', 'certificate', 'open'],
        ['all-0001', 'domains', 'open'],
        ['all-0001', 'settings', 'open'],
        ['cert-001', 'certificate', 'open'],
        ['domain-1', 'domains', 'open'],
        ['setting1', 'settings', 'open'],
      ]);
      expect((await panel.get(NodeDifferences).last(Number(id)))!.result).toMatchObject({
        counts: { domains: 2, settings: 2, certificate: 2, missing: 0 },
        untold: 1,
      });
      const page = await (await panel.adminFetch(`/admin/server-drift?id=${id}`, { headers: { 'Accept-Language': 'en' } })).text();
      expect(page).toContain('Different domains');
      const told = driver.calls.length;
      await run('bttb');
      expect(driver.calls.slice(told).filter((call) => call === 'sync')).toHaveLength(4);
      expect((await found()).every(([, , state]) => state === 'done')).toBe(true);
      await run('btzj');
      expect(await found()).toEqual([]);
      expect(driver.servingOf(all!)).toMatchObject({
        certificate: { key: pair.key },
        domains: [{ name: expect.stringContaining('example.net') as string }],
      });
    } finally {
      [driver.domains, driver.settings, driver.certificates] = [undefined, undefined, undefined];
    }
  });

  it('continues after one that fails, and names it', async () => {
    const hosts = await drift();
    await run('btzj');
    const create = driver.create.bind(driver);
    driver.create = (site) =>
      site.siteName === hosts['gone-01']!.siteName ? Promise.resolve({ outcome: 'refused', message: 'full' }) : create(site);
    try {
      await run('bttb');
    } finally {
      driver.create = create;
    }
    expect((await found()).sort()).toEqual([
      ['gone-01', 'missing', 'failed'],
      ['moved-01', 'moved', 'done'],
      ['paused-1', 'differing', 'done'],
      ['somebody', 'unknown', 'open'],
      ['taken-01', 'foreign', 'open'],
    ]);
    expect(await panel.get(NodeDifferences).hasOpen(Number(id))).toBe(true);
    const page = await (await panel.adminFetch(`/admin/server-drift?id=${id}`)).text();
    expect(page).toContain('data-ajax="bttb"');
    expect((await panel.adminFetch('/admin/server-drift?id=999')).status).toBe(404);
  });
});
