/**
 * Certificates and BaoTa servers: those of sites, whose proofs are files that a site serves while it runs, and the server's own, which is
 * saved when the server is enabled or tested.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { Database } from '../src/database/index.js';
import { CertificateOrder, CertificateUse, HostingAccount, HostingNode, SiteCertificate } from '../src/hosting/index.js';
import { DriverNodes } from '../src/hosting/driver/index.js';
import { NodeServers } from '../src/hosting/nodes/index.js';
import { BackgroundQueue, JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';
import { SiteSettings } from '../src/site/index.js';

import { AcmeAuthority } from './support/acme-authority.js';
import { TestAuthority } from './support/certificates.js';
import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { OwnerClient } from './support/owner-client.js';
import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

let panel: TestPanel;
let baota: FakeBaota;
let authority: AcmeAuthority;
/** The web server of the sites: it serves the files of running sites. */
let web: Server;
let owner: OwnerClient;
const NAME = 'secure.example.com';

beforeAll(async () => {
  [panel, baota] = await Promise.all([TestPanel.start({ SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8' }), FakeBaota.start()]);
  web = createServer((req, res) => {
    const [name = ''] = (req.headers.host ?? '').split(':');
    const { pid } = baota.state.domains.find((row) => row.name === name) ?? {};
    const site = baota.state.sites.find(({ id }) => id === pid);
    const file = site?.status === '1' ? baota.disk.at(`${site.path}${req.url}`) : '';
    if (!existsSync(file)) res.writeHead(404).end('site stopped');
    else res.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
  authority = await AcmeAuthority.start(() => (web.address() as AddressInfo).port);
  const server = { bh: 'baota', driver: 'baota', ip: '127.0.0.1', dk: String(baota.port), key: FAKE_PANEL_KEY };
  expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
  await panel.get(SiteSettings).change({ acmeOn: true, acmeDirectory: authority.directory, acmeAgreed: authority.directory });
  owner = await OwnerClient.open(panel, 'secure01', 'baota');
  expect(await owner.call('tjurl', { url: NAME })).toMatchObject({ success: true });
});
afterAll(async () => {
  web?.close();
  authority?.close();
  await panel?.close();
  await baota?.close();
});

const use = <T extends object>(entity: new () => T) => panel.get(Database).repository(entity);
const id = () => Number(owner.id);
const newest = () => use(CertificateOrder).findOne({ where: { accountId: id() }, order: { id: 'DESC' } });
const certificate = () => use(SiteCertificate).findOneByOrFail({ accountId: id() });
const settled = (want: object) => expect.poll(newest, { timeout: 15_000 }).toMatchObject(want);
const care = async () => {
  await runJob(panel.get(JobRegistry), 'certificates');
  await panel.get(BackgroundQueue).idle();
};
const due = () => use(SiteCertificate).update({ accountId: id() }, { renewAt: new Date(Date.now() - 1_000) });
const adminPage = async (path: string) => (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();

describe('the certificate of a site on a BaoTa server', () => {
  afterEach(async () => {
    authority.hold = null;
    await use(CertificateUse).clear();
  });
  const WAITS = 'Certificates cannot be ordered or renewed until it is running again';

  it('is ordered and renewed while the site runs', async () => {
    expect(await owner.call('sqssl', { list: NAME })).toMatchObject({ success: true });
    await settled({ state: 'done' });
    const first = await certificate();
    await due();
    await care();
    await settled({ state: 'done', isRenewal: true });
    expect((await certificate()).version).not.toBe(first.version);
    expect(await owner.page('certificate', 'en')).not.toContain(WAITS);
  });

  it.each([
    ['stopped', 'zjtd', 'zjqd'],
    ['paused', 'zjzt', 'zjjc'],
  ])('is neither ordered nor renewed while the site is %s, which the pages say; it is when the site runs again', async (state, off, on) => {
    const { version } = await certificate();
    expect(await panel.admin(off, { id: owner.id })).toMatchObject({ success: true });
    await due();
    const [orders, asked] = [await use(CertificateOrder).count(), authority.asked.length];
    await care();
    for (const [gn, fields] of [
      ['sqssl', { list: NAME, type: 'true' }],
      ['xqssl', {}],
      ['jcssl', { url: NAME }],
    ] as const)
      expect([gn, await panel.admin(gn, { id: owner.id, ...fields })]).toMatchObject([gn, { success: false, err: 'E_STATE' }]);
    expect([await use(CertificateOrder).count(), authority.asked.length]).toEqual([orders, asked]);
    expect(await certificate()).toMatchObject({ version, renewFailures: 0 });
    const page = await adminPage(`/admin/host-certificate?id=${owner.id}`);
    expect(page).toContain(WAITS);
    expect(page).toContain('when the site is running again');
    if (state === 'stopped') expect(await owner.page('certificate', 'en')).toContain(WAITS);
    expect(await use(Notice).count()).toBe(await use(Notice).countBy({ accountId: id() }));

    expect(await panel.admin(on, { id: owner.id })).toMatchObject({ success: true });
    // It is checked again within half an hour.
    expect((await certificate()).renewAt!.getTime()).toBeLessThan(Date.now() + 31 * 60_000);
    await due();
    await care();
    await expect.poll(async () => (await certificate()).version, { timeout: 15_000 }).not.toBe(version);
  });

  /** Keeps the authority from answering an order. */
  function holdAtOrder(): { reached: Promise<void>; letGo: () => void } {
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const reached = new Promise<void>((resolve) => {
      authority.hold = async (path) => {
        if (path !== '/order') return;
        resolve();
        await gate;
      };
    });
    return { reached, letGo };
  }

  it('is not requested in vain when the site is stopped midway: the authority does not check, and the reason is shown', async () => {
    const { reached, letGo } = holdAtOrder();
    await use(HostingAccount).update({ id: id() }, { siteStopped: false });
    expect(await panel.admin('sqssl', { id: owner.id, list: NAME, type: 'true' })).toMatchObject({ success: true });
    await reached;
    expect(await panel.admin('zjtd', { id: owner.id })).toMatchObject({ success: true });
    const looks = authority.count('/chall/');
    letGo();
    await settled({ state: 'failed', problem: 'stopped' });
    expect(authority.count('/chall/')).toBe(looks);
    expect(await adminPage(`/admin/host-certificate?id=${owner.id}`)).toContain('Order again when the site is running');
    expect(await panel.admin('zjqd', { id: owner.id })).toMatchObject({ success: true });
  });

  it('postpones a renewal during which the site is stopped until it runs again, and reports no failure', async () => {
    const failures = async () => (await use(Notice).find()).filter(({ key }) => (key ?? '').includes(':failed:')).length;
    const before = await failures();
    const { version } = await certificate();
    const { reached, letGo } = holdAtOrder();
    await due();
    await runJob(panel.get(JobRegistry), 'certificates');
    await reached;
    expect(await panel.admin('zjtd', { id: owner.id })).toMatchObject({ success: true });
    const looks = authority.count('/chall/');
    letGo();
    await settled({ state: 'failed', isRenewal: true });
    await panel.get(BackgroundQueue).idle();
    expect([await failures(), authority.count('/chall/')]).toEqual([before, looks]);
    const waiting = await certificate();
    expect(waiting).toMatchObject({ version, renewFailures: 0 });
    expect(waiting.renewAt!.getTime()).toBeLessThan(Date.now() + 31 * 60_000);
    const page = await adminPage(`/admin/host-certificate?id=${owner.id}`);
    expect(page).toContain(WAITS);
    expect(page).not.toContain('Order again when the site is running');
    authority.hold = null;
    expect(await panel.admin('zjqd', { id: owner.id })).toMatchObject({ success: true });
    await due();
    await care();
    await expect.poll(async () => (await certificate()).version, { timeout: 15_000 }).not.toBe(version);
  });
});

describe('the server’s own certificate', () => {
  const row = (code: string) => use(HostingNode).findOneByOrFail({ code });
  const pinOf = async (code: string): Promise<string> => panel.get(DriverNodes).of(await row(code)).settings.certificate ?? '';
  const SHAPE = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/;
  const english = async (gn: string, fields: Record<string, string>): Promise<Record<string, unknown>> => {
    const body = new URLSearchParams({ gn, ...fields });
    const init = { method: 'POST', body, headers: { 'Accept-Language': 'en' } };
    return (await (await panel.adminFetch('/admin/ajax.php', init)).json()) as Record<string, unknown>;
  };

  it.each([
    ['on the list', 'btkg', {}],
    ['on its page', 'xgjl', { rl: '50' }],
  ])('is saved and shown when a server added as disabled is enabled %s; another certificate is not trusted', async (_, gn, more) => {
    const fake = await FakeBaota.start({ secure: true });
    try {
      const bh = `late-${gn}`;
      const server = { bh, driver: 'baota', ip: '127.0.0.1', dk: String(fake.port), xieyi: 'true', key: FAKE_PANEL_KEY, kg: 'false' };
      expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
      expect([fake.asked, await pinOf(bh)]).toEqual([[], '']);
      const { id: serverId } = await row(bh);
      const on = await english(gn, { id: String(serverId), kg: 'true', ...more });
      const pin = await pinOf(bh);
      expect(pin).toMatch(SHAPE);
      expect(on).toMatchObject({ success: true, code: expect.stringContaining(pin) as string });
      expect(String(on.code)).toContain('Compare it with the values on the server');
      expect(await english('btztjc', { btid: String(serverId) })).toMatchObject({ success: true, code: 'The connection works' });

      const another = await (await TestAuthority.make()).pair({ names: ['other.test'] });
      fake.show(another);
      const asked = fake.asked.length;
      for (const kg of ['false', 'true']) expect(await english('btkg', { id: String(serverId), kg })).toMatchObject({ success: true });
      expect(await pinOf(bh)).toBe(pin);
      const made = await english('addzj', { user: `pinned${gn}`, pass: 'secret-pass-1', btdh: bh });
      expect(made).toMatchObject({ success: false, code: expect.stringMatching(/certificate has changed.*nothing was sent/) as string });
      expect(fake.asked).toHaveLength(asked);

      const [shown] = /(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/.exec(String(made.code))!;
      expect(await english('xgjl', { id: String(serverId), 'cs[certificate]': shown })).toMatchObject({ success: true });
      expect(await english('addzj', { user: `pinned${gn}`, pass: 'secret-pass-1', btdh: bh })).toMatchObject({ success: true });
    } finally {
      await fake.close();
    }
  });

  it('is not saved when the server’s address was changed during the request', async () => {
    const fake = await FakeBaota.start({ secure: true });
    const learn = vi.spyOn(panel.get(NodeServers), 'learn');
    try {
      const { port } = fake;
      const server = { bh: 'moved', driver: 'baota', ip: '127.0.0.1', dk: String(port), xieyi: 'true', key: FAKE_PANEL_KEY, kg: 'false' };
      expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
      const { id: serverId } = await row('moved');
      const { learn: ask } = NodeServers.prototype;
      learn.mockImplementationOnce(async (node) => {
        const learned = await ask.call(panel.get(NodeServers), node);
        expect(learned.certificate).toMatch(SHAPE);
        expect(await panel.admin('xgjl', { id: String(serverId), dk: '1' })).toMatchObject({ success: true });
        return learned;
      });
      expect(await panel.admin('btkg', { id: String(serverId), kg: 'true' })).toMatchObject({ success: true });
      expect(await pinOf('moved')).toBe('');
    } finally {
      learn.mockRestore();
      await fake.close();
    }
  });

  it('cannot be saved while the server does not answer, which the response says; a later test saves it once', async () => {
    const server = { bh: 'nobody', driver: 'baota', ip: '127.0.0.1', dk: '1', xieyi: 'true', key: 'wrong', kg: 'false' };
    expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
    const id = String((await row('nobody')).id);
    const silent = /is enabled.*Nothing was recorded from it: .*nothing responds at .*choose Servers → this server → Test/;
    expect(await english('btkg', { id, kg: 'true' })).toMatchObject({
      success: true,
      code: expect.stringMatching(silent) as string,
      data: { qk: 'true' },
    });
    expect(await english('btztjc', { btid: id })).toMatchObject({
      success: false,
      code: expect.stringMatching(/cannot be reached: nothing responds at/) as string,
    });

    const fake = await FakeBaota.start({ secure: true });
    try {
      expect(await panel.admin('xgjl', { id, dk: String(fake.port) })).toMatchObject({ success: true });
      // Nothing is saved from a server that does not know the panel.
      expect(await english('btztjc', { btid: id })).toMatchObject({ success: false, code: expect.stringMatching(/key/) as string });
      expect(await pinOf('nobody')).toBe('');
      expect(await panel.admin('xgjl', { id, key: FAKE_PANEL_KEY })).toMatchObject({ success: true });

      // Nor by someone who may see servers but not change them.
      const js_id = String(((await panel.admin('jsbc', { name: 'Looks', qx: 'btsj,btztjc' })).data as { id: number }).id);
      await panel.admin('addadmin', { user: 'looks', pass: 'looks-secret-1', js_id });
      const looks = await new PanelClient(panel.url).login('admin', 'looks', 'looks-secret-1');
      expect((await looks.ajax('admin', { gn: 'btztjc', btid: id })).json).toMatchObject({
        success: false,
        code: expect.stringMatching(/[0-9A-F]{2}:/) as string,
      });
      expect(await pinOf('nobody')).toBe('');

      const page = async (path: string): Promise<string> => (await panel.adminFetch(path)).text();
      const [, row_version] = /name="row_version" value="([^"]+)"/.exec(await page(`/admin/server?id=${id}`))!;
      const tested = await english('btztjc', { btid: id });
      const pin = await pinOf('nobody');
      expect(pin).toMatch(SHAPE);
      expect(tested).toMatchObject({ success: true, told: expect.stringContaining(pin) as string });
      expect(await page(String(tested.redirect))).toMatch(new RegExp(`role="status"[^]*value="${pin}"`));
      // Submitting a form that was filled in earlier does not remove it.
      expect(await english('xgjl', { id, 'cs[certificate]': '', row_version: row_version! })).toMatchObject({ err: 'E_CONFLICT' });
      expect(tested.code).toMatch(/^The connection works\. Recorded from the server: .*Compare it with the values on the server\.$/);
      expect(await english('btztjc', { btid: id })).toMatchObject({ success: true, code: 'The connection works' });
      const lines = await use(OperationLog).findBy({ category: 'btztjc' });
      expect(lines).toMatchObject([
        { summary: '测试节点 nobody，并记录了它出示的内容', changes: [{ fields: [{ name: 'certificate', before: null, after: pin }] }] },
      ]);

      fake.show(await (await TestAuthority.make()).pair({ names: ['other.test'] }));
      // An open connection may be reused once more.
      await expect.poll(async () => (await english('btztjc', { btid: id })).code).toMatch(/certificate has changed.*nothing was sent/);
      expect(await pinOf('nobody')).toBe(pin);
    } finally {
      await fake.close();
    }
  });
});
