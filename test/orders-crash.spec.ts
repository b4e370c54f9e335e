/**
 * Orders of all scenes, paid, paid twice and refunded, on two panels that are killed with -9 at random moments: nothing is lost, nothing is
 * delivered twice, and credit and orders agree. ORDERS=500 is the long version; SEED repeats a run.
 */
import { randomInt } from 'node:crypto';

import { In, IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { Clock } from '../src/common/index.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { DurableEvent, EventDelivery } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { JobRun } from '../src/jobs/index.js';
import { CheckQueries } from '../src/ledger/check-queries.js';
import { Order, PaymentTransaction, Refund, SecondPayment } from '../src/payment/index.js';
import { Renewal } from '../src/renewal/index.js';

import { chances } from './support/chances.js';
import { createStartedPlace, type TestPlace } from './support/database.js';
import { accepted, MortalPanels, type Visitor } from './support/mortal-panels.js';
import { OrderRush, planRush, type Regular, type RushOrder } from './support/order-rush.js';
import { writePlugin } from './support/plugins.js';
import { rushPlugin } from './support/rush-plugin.js';
import { STARTER_PLAN } from './support/shop.js';

const ORDERS = Number(process.env.ORDERS ?? 30);
const SEED = Number(process.env.SEED ?? randomInt(1, 1_000_000_000));
const PROCESSES = 2;
const REGULARS = 5;
/** Concurrent buyers. */
const BUYERS = 6;
const PASSWORD = 'a-password-of-my-own';
const PAST = new Date('2020-01-01T00:00:00Z');

let place: TestPlace;
let database: Database;
let panels: MortalPanels;
beforeAll(async () => {
  place = await createStartedPlace();
  database = createDatabase(ormOptions(place.config));
  await database.dataSource.initialize();
}, 120_000);
afterAll(async () => {
  await panels?.stop();
  await database.dataSource.destroy();
  await place.dispose();
});

/** Everything that is enabled and exists before the first order. */
async function prepare(admin: Visitor): Promise<Regular[]> {
  const operate = async (fields: Record<string, string>) => accepted(await admin[0]!.ajax('admin', fields));
  writePlugin(place.dataDir, 'rush', rushPlugin());
  await operate({ gn: 'plugin_install', slug: 'rush' });
  for (const slug of ['rush', 'balance', 'hosting_shop']) await operate({ gn: 'plugin_enable', slug, enabled: 'true' });
  await operate({ gn: 'p_hosting_shop_plan_save', ...STARTER_PLAN });
  const regulars: Regular[] = [];
  for (let at = 0; at < REGULARS; at += 1) {
    const user = `regular${at}`;
    await operate({ gn: 'addzj', btdh: 'local', user, pass: PASSWORD, datae: '2031-01-31', webkj: '10', sqlkj: '0', ll: '0', ymbds: '1' });
    await operate({ gn: 'yetz', user, rmb: '20000', yy: 'to begin with' });
    const { id } = await database.repository(HostingAccount).findOneByOrFail({ username: user });
    regulars.push({ id, visitor: await panels.visitor('user', user, PASSWORD) });
  }
  // Every process must know the plugins before the first one dies.
  const anybody = await panels.visitor();
  for (const client of anybody) await panels.until([client], 'the shop', async (one) => accepted(await one.send('/shop/api/plan/1')));
  return regulars;
}

/** The dead process's claims are free now, not only when they expire. */
async function endClaims(): Promise<void> {
  await database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
  await database.repository(JobRun).update({ running: Not(IsNull()) }, { running: null });
  await database.repository(EventDelivery).update({ state: In(['running', 'pending']) }, { dueAt: PAST });
  await database.repository(Refund).update({ state: 'pending' }, { askedAt: PAST });
}

it(`${ORDERS} orders, seed ${SEED}: none lost, none delivered twice`, { timeout: 600_000 + ORDERS * 6_000 }, async () => {
  const begin = Date.now();
  const chance = chances(SEED);
  const orders = planRush(ORDERS, REGULARS, chance);
  panels = await MortalPanels.start(place, PROCESSES, chance);
  const admin = await panels.visitor('admin', 'admin', 'svc-panel-admin');
  const regulars = await prepare(admin);
  const play = new OrderRush(panels, admin, await panels.visitor(), regulars, chance);

  await panels.rush(orders, BUYERS, (order) => play.play(order));
  expect(panels.kills).toBeGreaterThan(0);
  await panels.restartAll(endClaims);
  const open = () => database.repository(EventDelivery).countBy({ state: Not('done') });
  await expect.poll(open, { timeout: 120_000, interval: 500 }).toBe(0);
  const waiting = () => database.repository(Refund).countBy({ state: 'pending' });
  await expect
    .poll(
      async () => {
        if ((await waiting()) > 0)
          await panels.until(admin, 'refunds', async (client) => accepted(await client.ajax('admin', { gn: 'jhrun', id: 'core:refunds' })));
        return waiting();
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBe(0);

  const of = (...scenes: RushOrder['scene'][]) => orders.filter(({ scene }) => scenes.includes(scene));
  const rows = await database.repository(Order).find();
  const numbers = new Set(play.numbers.values());
  expect(numbers.size).toBe(ORDERS);
  // A repeated request after a missing response is the same order.
  expect(rows.map(({ number }) => number).sort()).toEqual([...numbers].sort());
  const status = new Map(rows.map((row) => [row.number, row.status]));
  for (const order of orders) expect([order, status.get(play.numbers.get(order.at)!)]).toEqual([order, order.refund ? 'refunded' : 'paid']);
  expect(await database.repository(PaymentTransaction).count()).toBe(ORDERS);
  expect(await database.repository(SecondPayment).count()).toBe(orders.filter(({ twice }) => twice).length);
  expect(await database.repository(DurableEvent).countBy({ hook: 'order.paid' })).toBe(ORDERS);
  const refunds = await database.repository(Refund).findBy({ state: 'done' });
  expect(refunds).toHaveLength(orders.filter(({ refund }) => refund).length);

  const hosts = await database.repository(HostingAccount).find();
  const bought = hosts.filter(({ username }) => username.startsWith('rush-'));
  expect(bought.map(({ username }) => username).sort()).toEqual(of('hosting').map(({ at }) => `rush-${String(at).padStart(4, '0')}`));
  expect(new Set(bought.map(({ state }) => state))).toEqual(new Set(['active']));
  expect(await database.repository(DurableEvent).countBy({ hook: 'host.created' })).toBe(hosts.length);
  expect(await database.repository(Renewal).count()).toBe(of('xf').length);
  for (const [at, { id }] of regulars.entries()) {
    const months = 2 * of('xf').filter(({ regular }) => regular === at).length;
    const { expiresOn } = hosts.find((host) => host.id === id)!;
    const [year, month] = expiresOn!.split('-').map(Number) as [number, number];
    expect([at, (year - 2031) * 12 + month - 1]).toEqual([at, months]);
  }
  const gifts = await database.dataSource.query<{ delivered: number }[]>('SELECT delivered FROM SVC_plg_rush_gift');
  expect(gifts).toEqual(of('gift').map(() => ({ delivered: 1 })));
  const asked = await database.dataSource.query<unknown[]>('SELECT refund_no FROM SVC_plg_rush_refund');
  expect(asked).toHaveLength(orders.filter(({ refund }) => refund === 'gateway').length);

  // The nightly check, over everything paid so far.
  const until = new Date(new Clock().now().getTime() + 60_000);
  for (const check of new CheckQueries(database).all(until)) expect(await check()).toEqual([]);
  const seconds = Math.round((Date.now() - begin) / 1_000);
  process.stdout.write(
    `${ORDERS} orders (${of('hosting').length} new hosts, ${of('xf').length} renewals, ` +
      `${of('yecz').length} top-ups, ${of('gift').length} of a plugin; ` +
      `${refunds.length} given back, ${orders.filter(({ twice }) => twice).length} paid twice), ` +
      `seed ${SEED}: ${panels.kills} kills in ${seconds} s, 0 lost, 0 doubled\n`,
  );
});
