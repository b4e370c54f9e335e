/** Unused hosts: notified, paused or deleted in the ordinary way, and never a host that someone uses, needs or pays for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import {
  DriverRegistry,
  HostingAccount,
  HostingNode,
  HostingService,
  IdleRepository,
  IdleHost,
  IdleHosts,
  NodeSystem,
} from '../src/hosting/index.js';
import { DueIdleActions, IdleNotices, IdleOperations } from '../src/hosting/idle/index.js';
import { BackgroundQueue, JobRun } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';
import { Order } from '../src/payment/index.js';
import { SiteSettings } from '../src/site/index.js';

import { FakeDriver } from './support/fake-driver.js';
import { ManualClock } from './support/manual-clock.js';
import { TestPanel } from './support/panel.js';

const DAY_MS = 86_400_000;
const ALL_OFF = { ymkg: 'false', ymyjkg: 'false', ymtsyz: '7', wjkg: 'false', wjyjkg: 'false', wjtsyz: '7', option: 'stop' };

let panel: TestPanel;
let database: Database;
let hosting: HostingService;
let idle: IdleHosts;
const clock = new ManualClock();

beforeAll(async () => {
  panel = await TestPanel.start();
  // Days pass only for this feature: sessions and the job clock stay on the current day.
  for (const part of [IdleHosts, DueIdleActions, IdleNotices, IdleRepository, IdleOperations])
    Object.assign(panel.get<object>(part), { clock });
  database = panel.get(Database);
  hosting = panel.get(HostingService);
  idle = panel.get(IdleHosts);
});
afterAll(() => panel?.close());
beforeEach(async () => {
  clock.set(new Date());
  for (const { id } of await accounts().find()) await hosting.terminate(id, 'admin');
  for (const entity of [IdleHost, Notice, Order, DurableEvent, OperationLog, JobRun])
    await database.repository<object>(entity).createQueryBuilder().delete().execute();
  await panel.get(SiteSettings).change({ mailHost: 'smtp.example.com' });
  await set(ALL_OFF);
});

const accounts = () => database.repository(HostingAccount);
const set = (fields: Record<string, string>) => panel.admin('jkscsz', fields);
const on = async (more: Record<string, string> = {}) => expect(await set({ wjkg: 'true', ...more })).toMatchObject({ success: true });
const open = async (user: string, source = 'admin', expiresOn: string | null = null): Promise<number> => {
  const { id } = await hosting.provision({ node: 'local', user, password: 'secret-pass-1', expiresOn }, source);
  await accounts().update({ id }, { email: `${user}@example.com`, createdAt: clock.now() });
  return id;
};
/** Whole days, with a run at the end of each. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    clock.advance(DAY_MS);
    await idle.run();
  }
}
const upload = async (id: number, file = 'shop.html') => {
  const { siteName } = await accounts().findOneByOrFail({ id });
  writeFileSync(join(panel.dataDir, 'sites', siteName, 'public', file), 'mine');
};
const stateOf = async (id: number) => {
  const host = await hosting.get(id);
  return host && [host.status, ...host.pauseReasons].join(' ');
};
const notices = async (side = 'user') =>
  (await database.repository(Notice).find({ where: { side: side as 'user' }, order: { id: 'ASC' } })).map(({ key }) =>
    String(key).replace(/^idle:\d+:/, ''),
  );
const list = async () => ((await panel.admin('listxz', { limit: '100' })) as unknown as { rows: Record<string, string>[] }).rows;
const dayIn = (days: number) => legacyDay(new Date(clock.now().getTime() + days * DAY_MS), 'Asia/Shanghai');

describe('an unused host', () => {
  it('is announced once, paused on the announced day, and resumed by its owner with one click', async () => {
    const [idler, busy] = [await open('idler001', 'api', '2030-01-01'), await open('busy0001')];
    await upload(busy);
    await on();
    await pass(3);
    expect(await notices()).toEqual([]);
    const day = dayIn(4);
    await pass(1);
    await idle.run();
    expect(await notices()).toEqual([`stop:${day}`]);
    await pass(2);
    expect([await stateOf(idler), await notices()]).toEqual(['active', [`stop:${day}`]]);
    await pass(1);
    expect(await stateOf(idler)).toBe('paused idle');
    expect(await stateOf(busy)).toBe('active');
    expect((await notices()).at(-1)).toMatch(/^stopped:/);
    expect(await notices('admin')).toHaveLength(1);
    const events = await database.repository(DurableEvent).find({ where: { hook: 'host.paused' } });
    expect(events.map(({ source, args }) => [source, args[0]])).toEqual([['cron', 'idler001']]);
    const lines = await database.repository(OperationLog).find({ where: { category: 'idle-hosts' } });
    expect(lines.map(({ actor, summary }) => `${actor} ${summary}`)).toEqual(['cron 决定暂停闲置主机 idler001：没有上传任何文件']);
    // The owner can sign in, sees it on every page, and needs no administrator.
    const cookie = await panel.signInUser('idler001', 'secret-pass-1');
    const html = await (await panel.fetch('/user/', { headers: { Cookie: cookie, 'Accept-Language': 'en' } })).text();
    expect(html).toContain('was paused because it is unused');
    expect(html).toContain('xzbl');
    const kept = await panel.fetch('/user/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'xzbl' }),
      headers: { Cookie: cookie },
    });
    expect(await kept.json()).toMatchObject({ success: true });
    expect(await stateOf(idler)).toBe('active');
    // The days count from zero again.
    await pass(3);
    expect(await stateOf(idler)).toBe('active');
    expect((await notices()).filter((key) => key.startsWith('stop:'))).toHaveLength(1);
  });

  it('resumes automatically as soon as it is used, and the days start again when an administrator resumes it', async () => {
    const [one, other] = [await open('idler001'), await open('idler002')];
    await on({ wjtsyz: '1' });
    await pass(4);
    expect([await stateOf(one), await stateOf(other)]).toEqual(['paused idle', 'paused idle']);
    await upload(one);
    expect(await panel.admin('zjjc', { id: String(other) })).toMatchObject({ success: true });
    await idle.run();
    expect([await stateOf(one), await stateOf(other)]).toEqual(['active', 'active']);
    expect((await list()).map(({ user, state }) => [user, state])).toEqual([['idler002', 'told']]);
  });

  it('gets a notice every day if configured, until it is used', async () => {
    const id = await open('idler001');
    await set({ wjyjkg: 'true' });
    await pass(2);
    await idle.run();
    expect(await notices()).toEqual([`remind:${dayIn(-1)}`, `remind:${dayIn(0)}`]);
    await upload(id);
    await pass(1);
    expect(await notices()).toHaveLength(2);
    expect(await stateOf(id)).toBe('active');
  });
});

describe('deleting', () => {
  it('affects only unpaid hosts, like every deletion; the others are paused', async () => {
    const free = await open('free0001');
    const others = [await open('sold0001', 'api'), await open('paid0001', 'admin', '2031-01-01'), await open('order001')];
    const order = { ownerKind: 'account' as const, ownerId: others[2]!, name: 'Plan', amount: 990, scene: 'hosting', context: {} };
    const kept = { number: '1', user: 'order001', accessKey: 'k', createdAt: clock.now(), paidAt: clock.now(), status: 'paid' as const };
    await database.repository(Order).insert({ ...order, ...kept });
    await on({ option: 'del' });
    await pass(7);
    expect(await stateOf(free)).toBeNull();
    expect(await Promise.all(others.map(stateOf))).toEqual(['paused idle', 'paused idle', 'paused idle']);
    const events = await database.repository(DurableEvent).find({ where: { hook: 'host.deleted' } });
    expect(events.map(({ source, args }) => [source, args[0]])).toEqual([['cron', 'free0001']]);
    await pass(30);
    expect(await Promise.all(others.map(stateOf))).toEqual(['paused idle', 'paused idle', 'paused idle']);
    expect((await list()).find(({ user }) => user === 'free0001')).toMatchObject({ state: 'deleted', server: '' });
  });

  it('waits for the end of the paid period and the configured days after it', async () => {
    const id = await open('sold0001', 'api', dayIn(20));
    await on({ option: 'del' });
    await pass(20);
    expect(await stateOf(id)).toBe('paused idle');
    await pass(6);
    expect(await stateOf(id)).not.toBeNull();
    await pass(2);
    expect(await stateOf(id)).toBeNull();
  });

  it('needs its own announcement when a pause was announced', async () => {
    const id = await open('free0001');
    await on();
    await pass(5);
    await on({ option: 'del' });
    await pass(2);
    expect(await stateOf(id)).toBe('active');
    expect((await notices()).map((key) => key.split(':')[0])).toEqual(['stop', 'del']);
    await pass(2);
    expect(await stateOf(id)).toBeNull();
  });

  it('is replaced by a pause when a pause is now enough', async () => {
    const id = await open('free0001');
    await on({ option: 'del' });
    await pass(5);
    await on({ option: 'stop' });
    await pass(3);
    expect(await stateOf(id)).not.toBeNull();
  });
});

describe('nothing happens', () => {
  it('to a host that is exempt, has no email address, is stopped for another reason, or is used by then', async () => {
    const ids = [await open('exempt01'), await open('nomail01'), await open('scanned1'), await open('used0001')];
    await accounts().update({ id: ids[1]! }, { email: null });
    await hosting.pause(ids[2]!, 'scan', 'admin');
    await on({ option: 'del' });
    await pass(5);
    expect(await panel.admin('xzbl', { id: String(ids[0]), kg: 'true' })).toMatchObject({ success: true });
    await upload(ids[3]!);
    await pass(10);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['active', 'active', 'paused scan', 'active']);
    const plans = Object.fromEntries((await list()).map(({ user, plan }) => [user, plan]));
    expect(plans).toMatchObject({ exempt01: '不处理：已排除', nomail01: '不处理：主机没有绑定邮箱' });
    expect(plans).not.toHaveProperty('used0001');
  });

  it.each([
    ['the clock jumps a year on', () => clock.advance(365 * DAY_MS)],
    ['the clock jumps back', () => clock.advance(-30 * DAY_MS)],
    ['the panel stood still for days', () => clock.advance(4 * DAY_MS)],
  ])('when %s: it is announced again first', async (_, jump) => {
    const id = await open('idler001');
    await on({ option: 'del' });
    await pass(6);
    expect(await notices()).toHaveLength(1);
    jump();
    await idle.run();
    expect(await stateOf(id)).toBe('active');
  });

  it('when switched off between announcement and action; switched on again, it is announced again', async () => {
    const id = await open('idler001');
    await on();
    await pass(5);
    await set({ wjkg: 'false' });
    await pass(4);
    await on();
    await pass(1);
    expect(await stateOf(id)).toBe('active');
    expect((await notices()).at(-1)).toBe(`stop:${dayIn(3)}`);
  });

  it('to a host that gets a file between the check and the action', async () => {
    const id = await open('idler001');
    await on({ option: 'del' });
    await pass(6);
    clock.advance(DAY_MS);
    const repository = panel.get(IdleRepository);
    const take = repository.takeAction.bind(repository);
    repository.takeAction = async (...args) => {
      const taken = await take(...args);
      await upload(id);
      return taken;
    };
    await idle.run();
    repository.takeAction = take;
    expect(await stateOf(id)).toBe('active');
    expect((await panel.get(IdleRepository).find(id))!.idle).toMatchObject({ done: '', doneAt: null });
    await idle.run();
    expect((await panel.get(IdleRepository).find(id))!.idle).toBeNull();
  });

  it('a second time after a process died between the decision and the action: the days start again', async () => {
    const id = await open('idler001');
    await on({ option: 'del' });
    await pass(6);
    const { idle: told } = (await panel.get(IdleRepository).find(id))!;
    clock.advance(DAY_MS);
    await panel.get(IdleRepository).takeAction(told!, () => Promise.resolve());
    await idle.run();
    expect(await stateOf(id)).toBe('active');
    await pass(8);
    expect(await stateOf(id)).toBeNull();
  });
});

it('beyond 20 hosts a day, in however many runs and processes, and reports that more are waiting', async () => {
  for (let n = 100; n < 123; n += 1) await open(`idler${n}`);
  await on();
  await pass(6);
  clock.advance(DAY_MS);
  await Promise.all([idle.run(), idle.run()]);
  await idle.run();
  expect(await accounts().countBy({ state: 'paused' })).toBe(20);
  const [notice] = await database.repository(Notice).find({ where: { side: 'admin', level: 'danger' } });
  expect(notice!.content).toMatch(/另有 \d+ 个已到期/);
  await pass(1);
  expect(await accounts().countBy({ state: 'paused' })).toBe(23);
});

describe('settings', () => {
  it('are off, name values that cannot be notified or would affect nobody, and keep what is not sent', async () => {
    expect(panel.get(SiteSettings).current).toMatchObject({ idleDomainActs: false, idleFilesActs: false, idleDeed: 'stop' });
    const nodes = database.repository(HostingNode);
    await nodes.update({ code: 'local' }, { driver: 'nobody' });
    expect(await set({ ymkg: 'true' })).toMatchObject({ success: false, err: 'E_STATE', msg: expect.stringContaining('域名') as string });
    expect(await set({ ymyjkg: 'true' })).toMatchObject({ success: false, err: 'E_STATE' });
    await nodes.update({ code: 'local' }, { driver: 'embedded' });
    for (const wrong of [{ wjtsyz: '0' }, { ymtsyz: '9999' }, { option: 'burn' }, { wjkg: 'maybe' }] as unknown as Record<string, string>[])
      expect([wrong, await set(wrong)]).toMatchObject([wrong, { success: false, err: 'E_ARGS' }]);
    await set({ wjtsyz: '30' });
    await on({ option: 'del' });
    expect(panel.get(SiteSettings).current).toMatchObject({ idleFilesActs: true, idleFilesDays: 30, idleDeed: 'del' });
    await panel.get(SiteSettings).change({ mailHost: '' });
    expect(await set({ wjkg: 'true' })).toMatchObject({ success: false, err: 'E_STATE', msg: expect.stringContaining('邮件') as string });
  });

  it('are not needed to see which hosts are unused', async () => {
    await open('idler001');
    await upload(await open('busy0001'));
    expect(await panel.admin('xzjc')).toMatchObject({ success: true });
    await panel.get(BackgroundQueue).idle();
    expect((await list()).map(({ user, sign, plan, state }) => [user, sign, plan, state])).toEqual([
      ['busy0001', 'domain', '不处理：未开启', 'seen'],
      ['idler001', 'files', '不处理：未开启', 'seen'],
    ]);
    expect(await notices()).toEqual([]);
    const html = await (await panel.adminFetch('/admin/idle-hosts', { headers: { 'Accept-Language': 'en' } })).text();
    expect(html).toContain('the feature is disabled');
    expect(html).not.toContain('These servers cannot report domains');
  });

  it('count hosts without a bound domain as unused if configured, until they get one', async () => {
    const [bare, bound] = [await open('bare0001'), await open('bound001')];
    for (const id of [bare, bound]) await upload(id);
    expect(await set({ ymkg: 'true' })).toMatchObject({ success: true });
    const bind = (id: number) => panel.admin('tjurl', { id: String(id), url: `www.site${id}.example.com` });
    expect(await bind(bound)).toMatchObject({ success: true });
    await pass(8);
    expect([await stateOf(bare), await stateOf(bound)]).toEqual(['paused idle', 'active']);
    expect(await bind(bare)).toMatchObject({ success: true });
    await pass(1);
    expect(await stateOf(bare)).toBe('active');
  });
});

it('the crontab address runs it and reports the result', async () => {
  const key = panel.get(SiteSettings).current.api;
  const call = async () => (await panel.fetch(`/jk.php?gn=ywjkdel&my=${key}`)).text();
  await open('idler001');
  await open('idler002');
  await on();
  await pass(6);
  clock.advance(DAY_MS);
  expect(await call()).toBe('执行完成，有2个闲置主机被暂停：idler001，idler002；有0个闲置主机被删除：');
});

it('use the domains reported by the server, and skip hosts of one that does not answer', async () => {
  const driver = new FakeDriver();
  driver.idleSigns = ['domain'];
  panel.get(DriverRegistry).register(driver);
  const server = { code: 'fake1', codeKey: 'fake1', driver: 'fake', openKey: 'kt', signatureKey: 'qm', system: NodeSystem.Linux };
  await database.repository(HostingNode).insert({ ...server, createdAt: new Date() });
  const ids: number[] = [];
  for (const user of ['bare0001', 'bound001']) {
    const { id } = await hosting.provision({ node: 'fake1', user, password: 'secret-pass-1', expiresOn: null }, 'api');
    await accounts().update({ id }, { email: 'x@example.com', createdAt: clock.now() });
    const { siteName } = await accounts().findOneByOrFail({ id });
    driver.sites.get(siteName)!.idle = user === 'bare0001' ? ['domain', 'files'] : [];
    ids.push(id);
  }
  expect(await set({ ymkg: 'true' })).toMatchObject({ success: true });
  await pass(6);
  driver.script = ['unreachable'];
  await pass(1);
  expect(await Promise.all(ids.map(stateOf))).toEqual(['active', 'active']);
  await pass(1);
  expect(await Promise.all(ids.map(stateOf))).toEqual(['paused idle', 'active']);
  expect(driver.calls.filter((call) => call === 'suspend')).toHaveLength(1);
});
