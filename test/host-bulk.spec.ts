/**
 * Finding hosts by server, state and days left, and bulk actions: each host once, individually, and with the permissions for a single host.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { BULK_TASK, DriverRegistry, HostBulk, HostingAccount, HostingNode, HostingService, NodeSystem } from '../src/hosting/index.js';
import { BackgroundQueue, type TaskTurn } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';

import { FakeDriver } from './support/fake-driver.js';
import { TestPanel, type AjaxAnswer } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';
import { tidyHtml } from './support/tidy-html.js';

const PASSWORD = 'helper-pass-1';
const DAY_MS = 86_400_000;

let panel: TestPanel;
let hosting: HostingService;
let bulk: HostBulk;
const driver = new FakeDriver();

beforeAll(async () => {
  panel = await TestPanel.start();
  panel.get(DriverRegistry).register(driver);
  const nodes = panel.get(Database).repository(HostingNode);
  await nodes.insert({
    code: 'fake1',
    codeKey: 'fake1',
    driver: 'fake',
    openKey: 'kt',
    signatureKey: 'qm',
    system: NodeSystem.Linux,
    createdAt: new Date(),
  });
  hosting = panel.get(HostingService);
  bulk = panel.get(HostBulk);
});
afterAll(() => panel?.close());
beforeEach(async () => {
  driver.script = [];
  for (const { id } of await accounts().find()) await hosting.terminate(id, 'admin');
  for (const entity of [DurableEvent, OperationLog, Notice])
    await panel.get(Database).repository<object>(entity).createQueryBuilder().delete().execute();
  driver.calls.length = 0;
});

const accounts = () => panel.get(Database).repository(HostingAccount);
const dayIn = (days: number) => legacyDay(new Date(Date.now() + days * DAY_MS), 'Asia/Shanghai');
const open = async (user: string, expiresOn: string | null = '2031-01-01', node = 'fake1') =>
  (await hosting.provision({ node, user, password: 'secret-pass-1', expiresOn }, 'admin')).id;
const stateOf = async (id: number) => {
  const host = await hosting.get(id);
  return host && [host.status, ...host.pauseReasons].join(' ');
};
const expiryOf = async (id: number) => (await accounts().findOneByOrFail({ id })).expiresOn;
const hooks = async () =>
  (
    await panel
      .get(Database)
      .repository(DurableEvent)
      .find({ order: { id: 'ASC' } })
  ).map(({ hook }) => hook);
const ordered = async (cz: string, ids: readonly (number | string)[], cs?: object) =>
  panel.admin('zjpl', { cz, idsz: ids.join(','), ...(cs && { cs: JSON.stringify(cs) }) });
/** The result of an order for each host, in words. */
async function told(cz: string, ids: readonly (number | string)[], cs?: object): Promise<Record<string, string>> {
  const answer = await ordered(cz, ids, cs);
  expect(answer).toMatchObject({ success: true });
  await panel.get(BackgroundQueue).idle();
  return outcomes(String(answer.data.task_id));
}
async function outcomes(rw: string): Promise<Record<string, string>> {
  const { rows } = (await panel.admin('listzjpl', { rw, limit: '200' })) as unknown as { rows: Record<string, string>[] };
  return Object.fromEntries(rows.map(({ user, zt, yy }) => [user!, yy ? `${zt}: ${yy}` : zt!]));
}
const turn = (signal = new AbortController().signal): TaskTurn => ({ id: '1', attempt: 2, signal, progress: () => undefined });

describe('hosts', () => {
  it('are found by server, state and days left, with filters in the page’s address and in its file', async () => {
    await open('today001', dayIn(0));
    await open('week0001', dayIn(7));
    await open('month001', dayIn(30), 'local');
    await open('over0001', dayIn(-1));
    await open('never001', null);
    const found = async (fields: Record<string, string>) =>
      ((await panel.admin('listzj', { sort: 'user', sortOrder: 'asc', ...fields })) as unknown as { rows: { user: string }[] }).rows.map(
        ({ user }) => user,
      );
    expect(await found({ dq_days: '0' })).toEqual(['today001']);
    expect(await found({ dq_days: '7' })).toEqual(['today001', 'week0001']);
    expect(await found({ dq_days: '-1' })).toEqual(['over0001']);
    expect(await found({ dq_days: '30', btdh: 'local' })).toEqual(['month001']);
    expect(await found({ dq_days: '' })).toHaveLength(5);
    expect((await panel.admin('listzj', { dq_days: 'soon' })).fields).toHaveProperty('dq_days');
    const page = tidyHtml(await (await panel.adminFetch('/admin/hosts?btdh=fake1&dq_days=7&zjzt=active')).text());
    expect(page).toContain('<option value="fake1" selected>fake1</option>');
    expect(page).toContain('<option value="7" selected>');
    expect([page.includes('week0001'), page.includes('month001')]).toEqual([true, false]);
    const file = await (await panel.adminFetch('/admin/hosts?btdh=fake1&dq_days=7&export=hosts')).text();
    expect([file.includes('week0001'), file.includes('over0001'), file.trim().split('\r\n').length]).toEqual([true, false, 3]);
    // A deleted server is still shown, so that the filter can be removed.
    const gone = await (await panel.adminFetch('/admin/hosts?btdh=gone%3C1')).text();
    expect(tidyHtml(gone)).toContain('<option value="gone&lt;1" selected>');
  });
});

describe('many hosts', () => {
  it('are paused and resumed individually, and failures give the reason', async () => {
    const [one, two, scanned] = [await open('first001'), await open('second01'), await open('third001')];
    await hosting.pause(scanned, 'scan', 'cron');
    expect(await told('pause', [one, two, 999_999, 'x'])).toEqual({
      first001: 'done',
      second01: 'done',
      '#999999': 'failed: 不存在主机用户名',
      '—': 'failed: 不存在主机用户名',
    });
    expect([await stateOf(one), await stateOf(two)]).toEqual(['paused admin', 'paused admin']);
    expect(await told('resume', [one, two, scanned])).toEqual({
      first001: 'done',
      second01: 'done',
      third001: expect.stringMatching(/^failed: 仍处于暂停状态，原因：内容检查未通过/),
    });
    expect([await stateOf(one), await stateOf(scanned)]).toEqual(['active', 'paused scan']);
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ order: { id: 'ASC' } });
    expect(lines.map(({ actor, category }) => `${actor} ${category}`).sort()).toEqual(
      ['admin zjpl', 'admin zjpl', 'admin zjjc', 'admin zjjc', 'admin zjzt', 'admin zjzt'].sort(),
    );
    expect(lines.find(({ category }) => category === 'zjpl')!.summary).toMatch(/批量操作，4 台主机：暂停/);
  });

  it('are paused with a reason sent to their owners once, however often the task runs', async () => {
    const [one, two] = [await open('first001'), await open('second01')];
    await hosting.pause(two, 'admin', 'admin');
    const order = { cz: 'pause', idsz: `${one},${two}`, yy: ' Not paid ', tzyh: 'true' };
    const { data } = await panel.admin('zjpl', order);
    await panel.get(BackgroundQueue).idle();
    expect(await outcomes(String(data.task_id))).toEqual({ first001: 'done', second01: 'done' });
    const task = (await panel.get(BackgroundQueue).find(String(data.task_id)))!;
    expect(await panel.get(HostBulk).run(task.payload, turn())).toMatchObject({ done: 2, failed: 0 });
    const notices = async () =>
      (
        await panel
          .get(Database)
          .repository(Notice)
          .find({ order: { id: 'ASC' } })
      ).map(({ username, words }) => [username, words!.text.key, words!.text.params?.yy]);
    // The second one was already stopped.
    expect(await notices()).toEqual([['first001', 'hosting.pause_notice_why', 'Not paid']]);
    expect(JSON.stringify((await panel.admin('listzjls', { id: String(one), limit: '100' })).rows)).toContain('first001（Not paid）');
    await panel.admin('zjpl', { ...order, cz: 'resume', yy: '' });
    await panel.get(BackgroundQueue).idle();
    expect(
      (await notices())
        .slice(1)
        .map(([user, text]) => `${user} ${text}`)
        .sort(),
    ).toEqual(['first001 hosting.resume_notice', 'second01 hosting.resume_notice']);
    for (const [cz, field, value] of [
      ['renew', 'yy', 'x'],
      ['delete', 'tzyh', 'true'],
      ['pause', 'yy', 'x'.repeat(301)],
    ] as const)
      expect((await panel.admin('zjpl', { cz, idsz: String(one), cs: '{"days":1}', [field]: value })).fields).toHaveProperty(field);
  });

  it('are renewed by days from their own last day, or to a set day, never twice however often the task runs', async () => {
    const [later, over, never] = [await open('later001', dayIn(10)), await open('over0001', dayIn(-5)), await open('never001', null)];
    expect(await told('renew', [later, over, never], { days: 30 })).toEqual({
      later001: 'done',
      over0001: 'done',
      never001: expect.stringMatching(/^failed: 该主机永不到期/),
    });
    expect([await expiryOf(later), await expiryOf(over), await expiryOf(never)]).toEqual([dayIn(40), dayIn(30), null]);
    const [task] = (await panel.get(BackgroundQueue).list({ name: BULK_TASK }, { page: 1, limit: 1 })).tasks;
    // As after a kill midway: another attempt starts with the first host.
    expect(await bulk.run(task!.payload, turn())).toMatchObject({ done: 2, failed: 1 });
    expect([await expiryOf(later), await expiryOf(over)]).toEqual([dayIn(40), dayIn(30)]);
    expect((await hooks()).filter((hook) => hook === 'host.renewed')).toHaveLength(2);
    // The owner paid meanwhile, which is not undone.
    await hosting.renew(later, dayIn(400), 'shop');
    expect(await bulk.run(task!.payload, turn())).toMatchObject({ done: 1, failed: 2 });
    expect(await expiryOf(later)).toBe(dayIn(400));
    expect(await told('zjxf', [later, over], { datae: '0' })).toEqual({ later001: 'done', over0001: 'done' });
    expect(await expiryOf(over)).toBeNull();
  });

  it('are deleted once, and ones already deleted count as deleted', async () => {
    const ids = await Promise.all(['gone0001', 'gone0002', 'gone0003'].map((user) => open(user)));
    await panel.admin('zjzt', { id: String(ids[0]) });
    const { data } = await ordered('delete', ids);
    await panel.get(BackgroundQueue).idle();
    expect(await accounts().count()).toBe(0);
    const task = (await panel.get(BackgroundQueue).find(String(data.task_id)))!;
    expect(await bulk.run(task.payload, turn())).toMatchObject({ done: 3, failed: 0 });
    expect((await hooks()).filter((hook) => hook === 'host.deleted')).toHaveLength(3);
  });

  it('stop when the task is stopped, keep what was done, and continue from there', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => open(`stop00${n + 10}`)));
    const stop = new AbortController();
    const items = ids.map((id, n) => [id, `stop00${n + 10}`]);
    const halting: TaskTurn = { ...turn(stop.signal), progress: (done) => done >= 3 && stop.abort(new Error('told to stop')) };
    await expect(bulk.run({ deed: 'pause', by: 'admin', items }, halting)).rejects.toThrow('told to stop');
    const paused = await accounts().countBy({ state: 'paused' });
    expect(paused).toBeGreaterThanOrEqual(3);
    expect(paused).toBeLessThan(12);
    expect(await bulk.run({ deed: 'pause', by: 'admin', items }, turn())).toMatchObject({ done: 12, failed: 0 });
    expect((await hooks()).filter((hook) => hook === 'host.paused')).toHaveLength(12);
  });

  it('keep the report of many different failures short, and continue after a server that refuses', async () => {
    const ids = await Promise.all(['bad00001', 'bad00002', 'good0001'].map((user) => open(user)));
    driver.script = ['refused', 'refused'];
    const { failed, done } = await bulk.run({ deed: 'pause', by: 'admin', items: ids.map((id) => [id, `h${id}`]) }, turn());
    expect({ failed, done }).toEqual({ failed: 2, done: 1 });
    const items = Array.from({ length: 500 }, (_, n) => [900_000 + n, 'x'.repeat(64)]);
    const report = await bulk.run({ deed: 'pause', by: 'admin', items }, turn());
    expect(report.failed).toBe(500);
    expect(JSON.stringify(report).length).toBeLessThan(16_000);
  });

  it('are selected by id, with one action and the values of a renewal', async () => {
    const fields = async (given: Record<string, string>): Promise<AjaxAnswer['fields']> => (await panel.admin('zjpl', given)).fields;
    expect(await fields({ cz: 'pause', idsz: '' })).toHaveProperty('idsz');
    expect(await fields({ cz: 'pause', idsz: Array.from({ length: 501 }, (_, n) => n + 1).join(',') })).toHaveProperty('idsz');
    expect(await fields({ cz: 'explode', idsz: '1' })).toHaveProperty('cz');
    for (const cs of [
      '',
      '{}',
      '{"days":30,"datae":"0"}',
      '{"days":0}',
      '{"days":"1e3"}',
      '{"days":4000}',
      '{"datae":"soon"}',
      'x',
      '[]',
      '7',
    ])
      expect([cs, await fields({ cz: 'renew', idsz: '1', cs })]).toEqual([cs, expect.objectContaining({ cs: expect.any(String) })]);
    expect(await panel.get(BackgroundQueue).list({ name: BULK_TASK, state: 'waiting' }, { page: 1, limit: 1 })).toMatchObject({ total: 0 });
  });
});

describe('an administrator', () => {
  async function helper(user: string, qx: string, nodes = ''): Promise<PanelClient> {
    const limits: Record<string, string> = nodes ? { xz: 'true', nodes } : {};
    const { data } = await panel.admin('jsbc', { name: user, qx, ...limits });
    await panel.admin('addadmin', { user, pass: PASSWORD, js_id: String(data.id) });
    return new PanelClient(panel.url).login('admin', user, PASSWORD);
  }
  const run = async (client: PanelClient, gn: string, fields: Record<string, string>) =>
    (await client.ajax('admin', { gn, ...fields })).json;

  it('does in bulk what is permitted for a single host, sees only permitted actions and own orders', async () => {
    const id = await open('mine0001');
    const client = await helper('pauser', 'listzj,zjpl,listzjpl,zjzt');
    expect(await run(client, 'zjpl', { cz: 'delete', idsz: String(id) })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await run(client, 'zjpl', { cz: 'pause', idsz: String(id) })).toMatchObject({ success: true });
    await panel.get(BackgroundQueue).idle();
    expect(await stateOf(id)).toBe('paused admin');
    const page = await client.send('/admin/hosts', { headers: { Accept: 'text/html' } });
    expect(page.text.match(/data-bulk="zjpl"[^>]*/g)).toEqual([expect.stringContaining('pause')]);
    const { data } = await ordered('resume', [id]);
    expect(await run(client, 'listzjpl', { rw: String(data.task_id) })).toMatchObject({ total: 0 });
  });

  it('limited to some servers cannot change hosts of others', async () => {
    const [there, here] = [await open('there001'), await open('here0001', null, 'local')];
    const local = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    const client = await helper('local-only', 'listzj,zjpl,listzjpl,zjzt', String(local.id));
    expect(await run(client, 'zjpl', { cz: 'pause', idsz: `${there},${here}` })).toMatchObject({ success: true });
    await panel.get(BackgroundQueue).idle();
    expect([await stateOf(there), await stateOf(here)]).toEqual(['active', 'paused admin']);
    expect((await client.send('/admin/hosts', { headers: { Accept: 'text/html' } })).text).not.toContain('fake1');
  });
});

it('sees the progress of the newest order and each result on the page', async () => {
  await told('pause', [await open('shown001'), 999_999]);
  const page = await (await panel.adminFetch('/admin/host-bulk')).text();
  expect(page).toContain('shown001');
  expect(page).toMatch(/暂停完成 1 台，未完成 1 台/);
});
