/** The bundled shop with groups of servers: plans that name a group, tested on a complete panel. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { DriverRegistry, HostingAccount } from '../../src/hosting/index.js';
import { Database } from '../../src/database/index.js';
import { CronScheduler } from '../../src/jobs/index.js';
import { FakeDriver } from '../support/fake-driver.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

let panel: TestPanel;
let visitor: DemoVisitor;
const ids: string[] = [];

beforeAll(async () => {
  panel = await TestPanel.start();
  visitor = new DemoVisitor(panel.url);
  panel.get(DriverRegistry).register(new FakeDriver());
  for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
  for (const bh of ['group1', 'group2'])
    ids.push(String(((await panel.admin('addbt', { bh, driver: 'fake', ip: '127.0.0.1', rl: '1' })) as unknown as { id: number }).id));
  expect(await panel.admin('btzbc', { bh: 'web', mc: 'Web servers', gz: 'least', nodes: ids.join(',') })).toMatchObject({ success: true });
  const plan = { ...STARTER_PLAN, node: 'auto:web' };
  expect((await panel.admin('p_hosting_shop_plan_save', { ...plan, node: 'auto:nobody' })).fields).toHaveProperty('node');
  expect(await panel.admin('p_hosting_shop_plan_save', plan)).toMatchObject({ success: true });
});
afterAll(() => panel.close());

/**
 * Orders and pays a host.
 *
 * @returns its status page
 */
async function buy(username: string): Promise<string> {
  const order = await visitor.json('POST', '/shop/api/create_order', {
    plan_id: '1',
    period: 'month',
    username,
    password: 'a-password-of-my-own',
  });
  const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
  await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
  return String(order.status_url);
}

const isOpen = (status: string, username: string) =>
  visitor.waitFor(status, (page) => page.includes(`${username}.localhost`), `${username} to be open`);
const serversOf = async () =>
  (
    await panel
      .get(Database)
      .repository(HostingAccount)
      .find({ order: { id: 'ASC' } })
  ).map(({ username, nodeCode }) => [username, nodeCode]);

it('assigns paid hosts to servers; without room they wait with a notice and are created once there is room', async () => {
  const statuses = await Promise.all(['grouped-1', 'grouped-2'].map(buy));
  await isOpen(statuses[0]!, 'grouped-1');
  await isOpen(statuses[1]!, 'grouped-2');
  expect((await serversOf()).map(([, node]) => node).sort()).toEqual(['group1', 'group2']);

  const waiting = await buy('grouped-3');
  await visitor.waitFor(waiting, (page) => page.includes('class="alert"'), 'the order to wait');
  const { rows } = (await panel.admin('p_hosting_shop_sales')) as unknown as {
    rows: { username: string; state: string; remark: string }[];
  };
  expect(rows.find(({ username }) => username === 'grouped-3')).toMatchObject({ state: 'failed', remark: expect.stringContaining('Web') });
  const notices = (await panel.admin('listwdtz', { limit: '20' })) as unknown as { rows: object[] };
  expect(JSON.stringify(notices)).toContain('Starter');
  expect(await panel.admin('listbtz')).toMatchObject({ rows: [{ bh: 'web', jds: '2', kf: '0', zjs: '2', sy: '0' }] });
  const page = await (await panel.adminFetch('/admin/plugin.php?p=hosting_shop&page=plans')).text();
  expect(page).toContain('Web servers');

  await panel.admin('xgjl', { id: ids[1]!, rl: '2' });
  // The cron job opens hosts that are paid but not open.
  await panel.get(CronScheduler).tick(new Date(Date.UTC(2040, 0, 1)));
  await isOpen(waiting, 'grouped-3');
  expect(await serversOf()).toContainEqual(['grouped-3', 'group2']);
  const [host] = await panel.get(Database).repository(HostingAccount).findBy({ username: 'grouped-3' });
  expect(JSON.stringify(await panel.admin('listzjls', { id: String(host!.id) }))).toContain('group2');
});

it('offers package changes within the plan’s group, and addzj accepts a group and auto', async () => {
  await panel.admin('xgjl', { id: ids[0]!, rl: '0' });
  const added = (fields: Record<string, string>) => panel.admin('addzj', { pass: 'a-password-of-my-own', datae: '0', ...fields });
  expect(await added({ user: 'by-group-1', btdh: 'auto:web' })).toMatchObject({ success: true });
  expect(await added({ user: 'by-group-2', btdh: 'auto' })).toMatchObject({ success: true });
  expect(await added({ user: 'by-group-3', btdh: 'auto:none' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  const members = (await panel.admin('listbtz')) as unknown as { rows: { id: string; row_version: string }[] };
  const [group] = members.rows;
  expect(await panel.admin('listbtzcy', { id: group!.id })).toMatchObject({
    rows: [
      { btdh: 'group1', zt: 'open' },
      { btdh: 'group2', zt: 'full' },
    ],
  });
  const change = { id: group!.id, mc: 'Web', gz: 'fill', nodes: ids[1]!, row_version: group!.row_version };
  expect(await panel.admin('btzbc', change)).toMatchObject({ success: true });
  // A page from before this change conflicts.
  expect(await panel.admin('btzbc', change)).toMatchObject({ success: false, err: 'E_CONFLICT' });
  expect(await panel.admin('btzbc', { ...change, row_version: '', nodes: '999' })).toMatchObject({ err: 'E_ARGS' });
  expect(await panel.admin('addbt', { bh: 'Auto', driver: 'fake' })).toMatchObject({ err: 'E_ARGS' });
  expect(await panel.admin('btzsc', { id: group!.id })).toMatchObject({ success: true });
  expect(await panel.admin('btzsc', { id: group!.id })).toMatchObject({ err: 'E_NOTEXIST' });
});
