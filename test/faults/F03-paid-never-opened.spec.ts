import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DurableEvent, EventDelivery, EventListener, EventRetention, HeldEvents, LISTENER_MEMORY_DAYS } from '../../src/hooks/index.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { CronScheduler } from '../../src/jobs/index.js';
import { Settlement } from '../../src/payment/index.js';
import { TestPanel } from '../support/panel.js';
import { createTestDatabase } from '../support/database.js';
import { clearEvents, EventProcess } from '../support/event-process.js';
import { ManualClock } from '../support/manual-clock.js';
import { STARTER_PLAN } from '../support/shop.js';

const DAY = 86_400_000;

describe('F3 events for a disabled plugin', () => {
  let database: Database;
  let dispose: () => Promise<void>;
  let process: EventProcess;
  let clock: ManualClock;
  let seen: number[];
  let undo: () => void;

  beforeAll(async () => {
    ({ database, dispose } = await createTestDatabase());
  });
  afterAll(() => dispose());
  beforeEach(async () => {
    await clearEvents(database);
    clock = new ManualClock();
    process = new EventProcess(database, clock);
    process.dispatcher.start();
    seen = [];
    await switchOn();
  });
  afterEach(() => process.kill());

  async function switchOn(id = 'a'): Promise<void> {
    undo = process.listeners.register({ owner: 'shop', hook: 'host.paused', id, listener: (_user, number) => seen.push(number) });
    await process.listeners.sync('shop');
    await process.dispatcher.idle();
  }
  async function switchOff(): Promise<void> {
    undo();
    await process.listeners.deactivate('shop');
  }
  const states = async (): Promise<string[]> =>
    (await database.repository(EventDelivery).find({ order: { id: 'ASC' } })).map(({ state }) => state);
  const retention = (): EventRetention => new EventRetention(database, clock, process.listeners);

  it('are kept, reported, and delivered in order when it is enabled again', async () => {
    await switchOff();
    for (const number of [1, 2, 3]) await process.emit(1, number);
    await process.pass(10 * DAY);
    expect(seen).toEqual([]);
    expect(await new HeldEvents(database, process.listeners).list()).toEqual([
      { owner: 'shop', count: 3, isOff: true, oldest: expect.any(Date) },
    ]);
    await switchOn();
    expect(seen).toEqual([1, 2, 3]);
    expect(await new HeldEvents(database, process.listeners).list()).toEqual([]);
  });

  it('are not removed with old events until it has been disabled for ninety days', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.pass((LISTENER_MEMORY_DAYS - 1) * DAY);
    expect(await retention().removeOld()).toBe(0);
    await process.emit(1, 2);
    await switchOn();
    expect(seen).toEqual([1, 2]);
  });

  it('are visibly given up after that, and it gets no new ones', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.pass(LISTENER_MEMORY_DAYS * DAY + 1);
    await process.emit(1, 2);
    expect(await states()).toEqual(['pending']);
    await retention().removeOld();
    expect(await process.deadLetters.page({ page: 1, limit: 10 })).toMatchObject({
      total: 1,
      rows: [{ owner: 'shop', error: 'events.written_off_long_off' }],
    });
    expect(await process.deadLetters.retry((await process.deadLetters.page({ page: 1, limit: 1 })).rows[0]!.id)).toBe(false);
    // It may still come back: then the administrator can have the event delivered.
    await switchOn();
    expect(seen).toEqual([]);
    expect(await process.deadLetters.retry((await process.deadLetters.page({ page: 1, limit: 1 })).rows[0]!.id)).toBe(true);
    await process.dispatcher.idle();
    expect(seen).toEqual([1]);
  });

  it('become dead letters with the reason when the plugin returns without the listener', async () => {
    await switchOff();
    await process.emit(1, 1);
    await switchOn('another');
    expect(seen).toEqual([]);
    expect(await process.deadLetters.page({ page: 1, limit: 10 })).toMatchObject({
      total: 1,
      rows: [{ listener: 'shop:host.paused:a', error: 'events.written_off_unheard' }],
    });
    await process.emit(1, 2);
    await process.dispatcher.idle();
    expect(seen).toEqual([2]);
    expect(await states()).toEqual(['dead', 'done']);
  });

  it('do not block others when one was written while its listener was being removed', async () => {
    process.listeners.register({ owner: 'shop', hook: 'host.renewed', id: 'b', listener: (_user, number) => seen.push(number) });
    await process.listeners.sync('shop');
    await process.emit(1, 1);
    await process.dispatcher.idle();
    undo();
    await process.listeners.sync('shop');
    await database.dataSource.manager.update(EventDelivery, { state: 'done' }, { state: 'pending' });
    await process.listeners.writeOffOrphaned();
    expect(await states()).toEqual(['dead']);
  });

  it('do not exist for a plugin that was unknown at the time or uninstalled', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.listeners.forget('shop');
    await process.emit(1, 2);
    await switchOn();
    expect(seen).toEqual([]);
    expect(await database.repository(EventListener).count()).toBe(1);
    expect(await database.repository(EventDelivery).count()).toBe(0);
  });
});

describe('F3 the shop', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();

    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
    await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN);
  });
  afterAll(() => panel.close());

  async function order(username: string): Promise<string> {
    // Again: after a restart the panel has another address.
    const made = await new DemoVisitor(panel.url).json('POST', '/shop/api/create_order', {
      plan_id: '1',
      period: 'month',
      username,
      password: 'a-password-of-my-own',
      type: 'sandbox__test',
    });
    expect(made.code).toBe('ok');
    return String(made.order_no);
  }
  const pay = (number: string): Promise<unknown> =>
    panel.get(Settlement).settle(number, 'sandbox', { money: '9.90', trade_no: `T${number}` });
  const users = async (): Promise<string[]> =>
    ((await panel.admin('listzj')).rows as unknown as { user: string }[]).map(({ user }) => user).sort();

  it('opens what was paid while it was disabled as soon as it is enabled; until then the dashboard shows it', async () => {
    const number = await order('while-off');
    await panel.disable('hosting_shop');
    await pay(number);
    const dashboard = await (await panel.adminFetch('/admin/')).text();
    expect(dashboard).toContain('banner-held-hosting_shop');
    expect(await users()).toEqual([]);
    await panel.tryEnable('hosting_shop');
    await expect.poll(users, { timeout: 10_000 }).toEqual(['while-off']);
    expect(await (await panel.adminFetch('/admin/')).text()).not.toContain('banner-held-hosting_shop');
  });

  it('opens paid orders whose event was lost: at startup and on schedule', async () => {
    for (const [name, wake] of [
      ['at-start', () => panel.restart()],
      ['by-clock', () => panel.get(CronScheduler).tick(new Date(Date.UTC(2041, 0, 1, 0, 7)))],
    ] as const) {
      const number = await order(name);
      // As if no listener had been known: no delivery is written.
      await panel.get(Database).repository(EventListener).update({ owner: 'hosting_shop' }, { active: false, offSince: null });
      await pay(number);
      await panel.get(Database).repository(EventListener).update({ owner: 'hosting_shop' }, { active: true });
      await wake();
      await expect.poll(users, { timeout: 10_000 }).toContain(name);
    }
  });

  it('opens each once, whether event or comparison is first', async () => {
    const names = Array.from({ length: 6 }, (_value, index) => `both-${index}x`);
    const numbers: string[] = [];
    for (const name of names) numbers.push(await order(name));
    await Promise.all([
      ...numbers.map(pay),
      ...[1, 2, 3].map((minute) => panel.get(CronScheduler).tick(new Date(Date.UTC(2042, 0, 1, 0, minute)))),
    ]);
    await panel.get(CronScheduler).tick(new Date(Date.UTC(2042, 0, 1, 0, 9)));
    await expect.poll(async () => (await users()).filter((user) => user.startsWith('both-')), { timeout: 20_000 }).toEqual(names);
    const created = (await panel.get(Database).repository(DurableEvent).findBy({ hook: 'host.created' })).map(({ args }) => args[0]);
    expect(created.filter((user) => String(user).startsWith('both-')).sort()).toEqual(names);
  });
});
