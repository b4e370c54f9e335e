/** An unresponsive server: who is notified, what waits, what is refused, and what pages say. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import {
  DriverRegistry,
  type DriverResult,
  HostingAccount,
  HostingNode,
  HostingService,
  type NodeProbe,
  SiteCertificate,
  SiteDomain,
  HostWebSettings,
} from '../src/hosting/index.js';
import { PanelConnections } from '../src/hosting/baota/client/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { TestAuthority } from './support/certificates.js';
import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { FakeDriver } from './support/fake-driver.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

const MINUTE = 60_000;

/** A server with a scripted health check. */
class AwayDriver extends FakeDriver {
  says: 'ok' | 'unreachable' | 'refused' | 'never' = 'ok';

  override probe(): Promise<DriverResult<NodeProbe>> & Promise<never> {
    if (this.says === 'never') return new Promise(() => undefined) as never;
    const answer = this.says === 'ok' ? { outcome: 'ok', value: { version: '1', system: 'fake' } } : { outcome: this.says, message: 'no' };
    return Promise.resolve(answer) as never;
  }
}

let panel: TestPanel;
let user: string;
let host: number;
const driver = new AwayDriver();

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' });
  panel.get(DriverRegistry).register(driver);
  for (const bh of ['far1', 'far2']) await panel.admin('addbt', { bh, driver: 'fake', ip: '127.0.0.1' });
  user = await panel.signInUser();
  host = (await panel.get(HostingService).provision({ node: 'far1', user: 'faraway1', password: 'secret-1', expiresOn: null }, 'admin')).id;
});
afterAll(() => panel.close());

const look = () => runJob(panel.get(JobRegistry), 'server-presence');
const node = (code: string) => panel.get(Database).repository(HostingNode).findOneByOrFail({ code });
const told = async (): Promise<string[]> => {
  const notices = await panel
    .get(Database)
    .repository(Notice)
    .find({ order: { id: 'ASC' } });
  return notices.map(({ key }) => key ?? '').filter((key) => /^server:\d+:/.test(key));
};
const adminPage = async (path = '/admin/servers') => (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();

it('is detected, reported once after some minutes, skipped by groups, and reported again when it is back', async () => {
  await look();
  expect((await node('far1')).awaySince).toBeNull();
  // A server that refuses, such as for a wrong key, is reachable.
  driver.says = 'refused';
  await look();
  expect((await node('far1')).awaySince).toBeNull();

  driver.says = 'unreachable';
  await look();
  const { awaySince, id } = await node('far1');
  expect(awaySince).not.toBeNull();
  await look();
  expect(await told()).toEqual([]);
  expect(await adminPage()).toContain('banner-server-away');
  expect(await adminPage()).toContain('Not responding since');
  const earlier = new Date(awaySince!.getTime() - 5 * MINUTE);
  await panel.get(Database).repository(HostingNode).update({ id }, { awaySince: earlier });
  await look();
  await look();
  expect((await told()).filter((key) => key.startsWith(`server:${id}:away:`))).toHaveLength(1);
  expect((await node('far1')).awaySince).toEqual(earlier);

  const ids = [id, (await node('far2')).id];
  await panel.admin('btzbc', { bh: 'far', mc: 'Far', gz: 'least', nodes: ids.join(',') });
  const added = await panel.admin('addzj', { user: 'faraway2', pass: 'a-password-of-my-own', btdh: 'auto:far', datae: '0' });
  expect(added).toMatchObject({ success: false, err: 'E_NODE' });
  expect(JSON.stringify(await panel.admin('listbtzcy', { id: '1' }))).toContain('"zt":"away"');

  driver.says = 'ok';
  await look();
  expect((await node('far1')).awaySince).toBeNull();
  expect((await told()).filter((key) => key.startsWith(`server:${id}:back:`))).toHaveLength(1);
  expect(await adminPage()).not.toContain('banner-server-away');
  expect(await panel.admin('addzj', { user: 'faraway2', pass: 'a-password-of-my-own', btdh: 'auto:far', datae: '0' })).toMatchObject({
    success: true,
  });
});

it('is shown to the owner, delays scheduled backups until it is back, and is not reported for a short absence', async () => {
  const accounts = panel.get(Database).repository(HostingAccount);
  driver.says = 'unreachable';
  await look();
  await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { awaySince: new Date() });
  const page = await (await panel.fetch('/user/', { headers: { Cookie: user, 'Accept-Language': 'en' } })).text();
  expect(page).toContain('has not responded since');
  await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { awaySince: null });
  expect(await (await panel.fetch('/user/', { headers: { Cookie: user, 'Accept-Language': 'en' } })).text()).not.toContain(
    'has not responded since',
  );

  const now = new Date();
  await accounts.update({ id: host }, { backupDueAt: new Date(now.getTime() - MINUTE) });
  await runJob(panel.get(JobRegistry), 'site-backups');
  const { backupDueAt } = await accounts.findOneByOrFail({ id: host });
  // Checked again in half an hour, not only the next night.
  expect(Math.round((backupDueAt!.getTime() - now.getTime()) / MINUTE)).toBe(30);

  const before = (await told()).length;
  driver.says = 'ok';
  await look();
  expect(await told()).toHaveLength(before);
});

it('also counts as unreachable when it accepts the call and never responds', async () => {
  driver.says = 'never';
  await look();
  expect((await node('far2')).awaySince).not.toBeNull();
  driver.says = 'ok';
  await look();
}, 30_000);

it('refuses manual changes, and nothing of them is stored in the panel', async () => {
  const [baota, trust] = [await FakeBaota.start(), await TestAuthority.make()];
  const server = { bh: 'baota', driver: 'baota', ip: '127.0.0.1', dk: String(baota.port), key: FAKE_PANEL_KEY };
  expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
  const owner = await OwnerClient.open(panel, 'byhand01', 'baota');
  const { id } = owner;

  const own = async (): Promise<Record<string, string>> => {
    const { key, pem } = await trust.pair({ names: ['there.example.com'] });
    return { key, pem };
  };
  for (const [gn, fields] of [
    ['tjurl', { url: 'there.example.com' }],
    ['tjurl', { url: 'also.example.com' }],
    ['zyurl', { url: 'also.example.com' }],
    ['xgmrwd', { ml: 'index.html' }],
    ['xjwj', { ml: '/', wjname: 'a.txt' }],
    ['setssl', await own()],
  ] as const)
    expect([gn, await owner.call(gn, fields)]).toMatchObject([gn, { success: true }]);

  const database = panel.get(Database);
  const rows = async (): Promise<unknown> => {
    const {
      updatedAt: _,
      usageDueAt: __,
      ...account
    } = (await database.repository(HostingAccount).findOneByOrFail({
      id: Number(id),
    })) as HostingAccount & { updatedAt?: Date };
    const of = { accountId: Number(id) };
    return {
      account,
      domains: await database.repository(SiteDomain).find({ where: of, order: { id: 'ASC' } }),
      settings: await database.repository(HostWebSettings).findBy(of),
      certificate: await database.repository(SiteCertificate).findBy(of),
    };
  };
  const before = await rows();
  const byOwner: readonly (readonly [string, Record<string, string>])[] = [
    ['tjurl', { url: 'new.example.com' }],
    ['tjurl', { url: 'there.example.com', ml: 'shop' }],
    ['scurl', { url: 'also.example.com' }],
    ['xgmrwd', { ml: 'index.php' }],
    ['setssl', await own()],
    ['httpsqz', { qk: 'true' }],
    ['clossl', {}],
    ['databasemm', { pass: 'secret-new-11' }],
    ['databaseaq1', { dataAccess: '192.0.2.7' }],
    ['xjwj', { ml: '/', wjname: 'b.txt' }],
    ['setwj', { wj: '/a.txt', nr: 'x' }],
    ['phpxg', { php: '74' }],
  ];
  const byAdmin = ['zjzt', 'zjtd', 'zjczmm'].map((gn) => [gn, { id, pass: 'another-pass-1' }] as const);
  const tryAll = async (err: string, ofOwner: RegExp, ofAdmin: RegExp): Promise<void> => {
    for (const [gn, fields] of [...byOwner, ...byAdmin]) {
      const isOwners = byOwner.some(([one]) => one === gn);
      const answer = await (isOwners ? owner.call(gn, fields) : panel.admin(gn, fields));
      const code = expect.stringMatching(isOwners ? ofOwner : ofAdmin) as string;
      expect([gn, answer]).toMatchObject([gn, { success: false, err, code }]);
      expect([gn, await rows()]).toEqual([gn, before]);
    }
  };
  // A server that denies access: only its administrator is told what to do about it.
  const shut = /^面板暂时无法操作此网站所在的服务器，没有任何改动/;
  baota.isOn = false;
  await tryAll('E_NODE', shut, /“面板设置 → API 接口”中开启接口/);
  expect(await owner.call('listfile', { path: '/' })).toMatchObject({
    success: false,
    err: 'E_NODE',
    code: expect.stringMatching(shut) as string,
  });
  const packed = async (name: string): Promise<Record<string, unknown>> => {
    const answer = await owner.call('fileys', { file: '["a.txt"]', path: '/', dpath: `/${name}.zip` });
    const { task_id: task } = (answer.data ?? {}) as { task_id?: string };
    if (!task) return answer;
    await expect.poll(async () => (await owner.call('rwsj', { task_id: task })).zt, { timeout: 20_000 }).toBe('failed');
    const state = await owner.call('rwsj', { task_id: task });
    return { success: false, err: state.err, code: state.cw };
  };
  const uploaded = await owner.call('fileupload', { htl: '/', tempfilename: 'u.txt', fesw: '0', zsize: '0' });
  expect(uploaded).toMatchObject({ success: false, err: 'E_NODE', error: 1, size: 4, msg: expect.stringMatching(shut) as string });
  expect(await packed('shut')).toMatchObject({ success: false, err: 'E_NODE', code: expect.stringMatching(shut) as string });
  baota.isOn = true;
  // A server that accepts a call and never responds: nobody waits longer than for a page, and the result is reported.
  const { timeouts } = panel.get(PanelConnections);
  const usual = { ...timeouts };
  Object.assign(timeouts, { answer: 6_000, body: 6_000 });
  baota.instead = () => true;
  expect(await packed('hangs')).toMatchObject({
    success: false,
    err: 'E_UNKNOWN',
    code: expect.stringMatching(/^服务器没有及时答复/) as string,
  });
  baota.instead = null;
  Object.assign(timeouts, usual);
  baota.allowed = ['192.0.2.1'];
  await tryAll('E_NODE', shut, /127\.0\.0\.1/);
  baota.allowed = null;

  await baota.close();
  // The rest of a connection is gone after the first call.
  await owner.call('databasexx');
  await tryAll('E_UNREACH', /^暂时连接不上服务器/, /^暂时连接不上服务器/);
  // A backup is started, and reports why it failed.
  expect(await owner.call('sitebackup_make')).toMatchObject({ success: true });
  const backups = async () => (await owner.call('sitebackup_list', { limit: '9' })).rows;
  await expect.poll(backups, { timeout: 20_000 }).toMatchObject([{ zt: 'failed' }]);
}, 60_000);
