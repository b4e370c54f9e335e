import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lastDay } from '../../plugins/hosting_shop/src/periods.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { Database } from '../../src/database/index.js';
import { DurableEvent, EventDelivery } from '../../src/hooks/index.js';
import { CronScheduler } from '../../src/jobs/index.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

describe('the last day of an account', () => {
  it.each([
    ['2026-11-21T03:00:00Z', 1, 'Asia/Shanghai', '2026-12-21'],
    // Already the next day in this time zone.
    ['2026-11-21T16:30:00Z', 1, 'Asia/Shanghai', '2026-12-22'],
    // Still the previous day in this time zone.
    ['2026-11-21T03:00:00Z', 1, 'America/New_York', '2026-12-20'],
    ['2026-01-31T10:00:00Z', 1, 'UTC', '2026-02-28'],
    ['2027-12-31T10:00:00Z', 2, 'UTC', '2028-02-29'],
    ['2026-11-30T20:00:00Z', 3, 'Asia/Shanghai', '2027-03-01'],
  ])('from %s for %i months in %s', (now, months, timezone, day) => {
    expect(lastDay(new Date(now), months, timezone)).toBe(day);
  });
});

describe('the shop', () => {
  let panel: TestPanel;
  let visitor: DemoVisitor;
  beforeAll(async () => {
    panel = await TestPanel.start();
    visitor = new DemoVisitor(panel.url);
    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
  });
  afterAll(() => panel.close());
  /**
   * Saves a plan.
   *
   * @returns its id
   */
  const savePlan = async (plan: Readonly<Record<string, string>>): Promise<number> =>
    ((await panel.admin('p_hosting_shop_plan_save', plan)) as unknown as { data: { id: number } }).data.id;
  const page = async (address: unknown, language: string): Promise<string> =>
    (await panel.fetch(String(address), { headers: { 'Accept-Language': language } })).text();

  it('has plans that set the number of monitors or leave it to the panel, and the host gets that number', async () => {
    for (const monitors of ['-1', '1001', 'many'])
      expect((await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, monitors })).fields, monitors).toEqual({
        monitors: '请填写 0 到 1000 的整数，或留空',
      });
    expect((await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, backups: '101' })).fields).toHaveProperty('backups');
    for (const [monitors, kept, words] of [
      ['12', '12', '监控任务 12'],
      ['0', '0', '监控任务 不含'],
      ['', '', null],
    ] as const) {
      const id = await savePlan({ ...STARTER_PLAN, monitors });
      const username = `watched-${id}`;
      const order = await visitor.json('POST', '/shop/api/create_order', {
        plan_id: String(id),
        period: 'month',
        username,
        password: 'a-password-of-my-own',
      });
      const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
      await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
      await visitor.waitFor(String(order.status_url), (page) => page.includes(`${username}.localhost`), 'the site to be open');
      const hosts = (await panel.admin('listzj')).rows as unknown as { user: string; jk_max: string }[];
      expect(hosts.find(({ user }) => user === username)!.jk_max).toBe(kept);
      const shop = await (await panel.fetch('/shop', { headers: { 'Accept-Language': 'zh-CN' } })).text();
      if (words) expect(shop).toContain(words);
      const ofPlan = await (await panel.adminFetch(`/admin/plugin.php?p=hosting_shop&page=plan&id=${id}`)).text();
      const [field] = /<input[^>]* name="monitors"[^>]*>/.exec(ofPlan)!;
      expect(/ value="([^"]*)"/.exec(field)?.[1] ?? '').toBe(kept);
    }
  });

  it('has an order page that polls by a script and a link while the order is pending, and never reloads itself', async () => {
    const { status_url, pay_url } = await visitor.json('POST', '/shop/api/create_order', {
      plan_id: String(await savePlan(STARTER_PLAN)),
      period: 'month',
      username: 'waiting-one',
      password: 'a-password-of-my-own',
    });
    for (const [language, words, link] of [
      ['en', 'Waiting for your payment.', 'Refresh'],
      ['zh-CN', '正在等待您付款。', '刷新状态'],
    ] as const) {
      const unpaid = await page(status_url, language);
      expect(unpaid).toContain('<main data-look-again="10" aria-live="polite">');
      expect(unpaid).toContain(words);
      expect(unpaid).toContain(`<a href="${new URL(String(status_url), panel.url).pathname}">${link}</a>`);
      expect(unpaid).not.toContain('http-equiv');
    }
    const form = await visitor.form(await visitor.redirect('POST', String(pay_url), { type: 'sandbox__test' }));
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
    await visitor.waitFor(String(status_url), (text) => text.includes('waiting-one.localhost'), 'the site to be open');
    const opened = await page(status_url, 'en');
    for (const gone of ['look-again', 'aria-live', 'Refresh', 'http-equiv']) expect(opened).not.toContain(gone);
  });

  it('gets the script of that page from the page kit', async () => {
    const script = await panel.fetch('/app_plugins/hosting_shop/look-again.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
  });
});

describe('an order whose account name is taken by the time it is paid', () => {
  let panel: TestPanel;
  let visitor: DemoVisitor;
  beforeAll(async () => {
    panel = await TestPanel.start();
    visitor = new DemoVisitor(panel.url);
    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
    await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN);
  });
  afterAll(() => panel.close());

  /**
   * Creates two orders with the same name, then pays them in order: the first one gets the name.
   *
   * @returns the status page of the second
   */
  async function orderTwice(username: string): Promise<string> {
    const orders: Record<string, unknown>[] = [];
    for (let count = 0; count < 2; count += 1)
      orders.push(
        await visitor.json('POST', '/shop/api/create_order', { plan_id: '1', period: 'month', username, password: 'a-password-of-my-own' }),
      );
    for (const [at, { pay_url, status_url }] of orders.entries()) {
      const form = await visitor.form(await visitor.redirect('POST', String(pay_url), { type: 'sandbox__test' }));
      await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
      await visitor.waitFor(
        String(status_url),
        (page) => (at === 0 ? page.includes(`${username}.localhost`) : page.includes('<form method="post"')),
        'the payment to arrive',
      );
    }
    return String(orders[1]!.status_url);
  }

  const rename = (statusUrl: string, username: string): Promise<Response> =>
    panel.fetch(statusUrl, { method: 'POST', body: new URLSearchParams({ username }) });
  const users = async (): Promise<string[]> =>
    ((await panel.admin('listzj')).rows as unknown as { user: string }[]).map(({ user }) => user).sort();

  it('asks its buyer for another name and opens the site immediately, once', async () => {
    const statusUrl = await orderTwice('wanted-name');
    expect(await users()).toEqual(['wanted-name']);
    for (const name of ['wanted-name', 'WANTED-name', 'x', '<script>alert(1)</script>']) {
      const refused = await rename(statusUrl, name);
      expect(refused.status).toBe(422);
      expect(await refused.text()).not.toContain('<script>');
    }
    const answers = await Promise.all(['other-name', 'other-name2', 'other-name'].map((name) => rename(statusUrl, name)));
    // A later request may find the name taken, by its own order.
    expect(answers.map(({ status }) => status).filter((status) => status !== 422)).toContain(303);
    const opened = (await users()).filter((user) => user !== 'wanted-name');
    expect(opened).toHaveLength(1);
    await visitor.waitFor(statusUrl, (page) => page.includes(`${opened[0]}.localhost`), 'the site to be open');
    // Later requests change nothing.
    await rename(statusUrl, 'third-name');
    expect(await users()).toEqual([...opened, 'wanted-name'].sort());
  });

  it('leaves no delivery that is retried forever', async () => {
    const database = panel.get(Database);
    const events = await database.repository(DurableEvent).findBy({ hook: 'order.paid' });
    expect(events).toHaveLength(2);
    for (const { id } of events)
      await expect
        .poll(async () => new Set((await database.repository(EventDelivery).findBy({ eventId: id })).map(({ state }) => state)))
        .toEqual(new Set(['done']));
  });

  it('is opened by the next tick if the process ended before it could', async () => {
    const statusUrl = await orderTwice('second-name');
    const database = panel.get(Database);
    await database.run("UPDATE SVC_plg_hosting_shop_purchase SET state = 'renamed', username = 'chosen-name' WHERE state = 'name_taken'");
    await panel.get(CronScheduler).tick(new Date(Date.UTC(2040, 0, 1)));
    expect(await users()).toContain('chosen-name');
    await visitor.waitFor(statusUrl, (page) => page.includes('chosen-name.localhost'), 'the site to be open');
  });

  it('shows the form to its buyer only', async () => {
    expect((await rename(`/shop/status/${'0'.repeat(32)}`, 'whoever')).status).toBe(404);
    expect((await rename('/shop/status/garbage', 'whoever')).status).toBe(404);
  });
});
