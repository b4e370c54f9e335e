/** A server that does not answer: who is told, what waits, what is refused, and what pages say. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { DriverRegistry, type DriverResult, HostingAccount, HostingNode, HostingService, type NodeProbe } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { FakeDriver } from './support/fake-driver.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

const MINUTE = 60_000;

/** A server whose answer to "are you there" is scripted. */
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
  panel = await TestPanel.start();
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

it('is noticed, told of once after some minutes, left out by groups, and told of again when it is back', async () => {
  await look();
  expect((await node('far1')).awaySince).toBeNull();
  // One that refuses, such as for a wrong key, is there.
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
  expect(await adminPage()).toContain('Does not answer since');
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

it('says so to the owner, keeps backups by schedule for when it is back, and tells nobody of a short absence', async () => {
  const accounts = panel.get(Database).repository(HostingAccount);
  driver.says = 'unreachable';
  await look();
  await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { awaySince: new Date() });
  const page = await (await panel.fetch('/user/', { headers: { Cookie: user, 'Accept-Language': 'en' } })).text();
  expect(page).toContain('has not answered since');
  await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { awaySince: null });
  expect(await (await panel.fetch('/user/', { headers: { Cookie: user, 'Accept-Language': 'en' } })).text()).not.toContain(
    'has not answered since',
  );

  const now = new Date();
  await accounts.update({ id: host }, { backupDueAt: new Date(now.getTime() - MINUTE) });
  await runJob(panel.get(JobRegistry), 'site-backups');
  const { backupDueAt } = await accounts.findOneByOrFail({ id: host });
  // Looked at again in half an hour, and not only the next night.
  expect(Math.round((backupDueAt!.getTime() - now.getTime()) / MINUTE)).toBe(30);

  const before = (await told()).length;
  driver.says = 'ok';
  await look();
  expect(await told()).toHaveLength(before);
});

it('is away as well when it takes the call and never answers', async () => {
  driver.says = 'never';
  await look();
  expect((await node('far2')).awaySince).not.toBeNull();
  driver.says = 'ok';
  await look();
}, 30_000);
