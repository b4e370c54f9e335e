/** Receipts while the panel is killed: no confirmed receipt is lost, no number is used twice, and there is no gap. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { Orders, payPagePath, type Order } from '../src/payment/index.js';
import { Receipt } from '../src/receipts/index.js';

import { createStartedPlace, type TestPlace } from './support/database.js';
import { TestPanel } from './support/panel.js';
import { ServerProcess } from './support/server-process.js';

const ORDERS = 40;
let place: TestPlace;
let server: ServerProcess | undefined;
beforeAll(async () => void (place = await createStartedPlace({ RATE_LIMIT: 'off', CAPTCHA: 'off' })));
afterAll(async () => {
  await server?.stop('SIGKILL');
  await place.dispose();
});

const start = async (): Promise<ServerProcess> => (await ServerProcess.start(place, { RATE_LIMIT: 'off' })).ready();
const make = async (url: string, order: Order): Promise<boolean> => {
  const body = new URLSearchParams({ name: `Buyer of ${order.number}` });
  const answer = await fetch(url + payPagePath(order, '/receipt'), { method: 'POST', body, redirect: 'manual' }).catch(() => null);
  return answer?.status === 303;
};

it('a kill midway leaves no gap, no duplicate number, and every confirmed receipt', { timeout: 120_000 }, async () => {
  const before = await TestPanel.on(place);
  const orders: Order[] = [];
  for (let n = 0; n < ORDERS; n += 1) {
    const values = { user: 'kim', owner: null, name: 'Starter', amount: 100, type: '', scene: 'other', context: {}, ip: '127.0.0.1' };
    const order = await before.get(Orders).create(values);
    await before.admin('ddbz', { id: String(order.id), yy: 'cash' });
    orders.push(order);
  }
  await before.stop();

  server = await start();
  const { url } = server;
  let made = 0;
  const answered = await Promise.all(
    orders.map(async (order) => {
      const isMade = await make(url, order);
      if (isMade && (made += 1) === ORDERS / 4) await server!.stop('SIGKILL');
      return isMade;
    }),
  );
  expect(answered).toContain(true);
  expect(answered).toContain(false);
  const after = await TestPanel.on(place);
  for (const order of orders) expect(await make(after.url, order)).toBe(true);
  const receipts = await after.get(Database).repository(Receipt).find();
  await after.stop();
  expect(receipts.map(({ place: at }) => at).sort((a, b) => a - b)).toEqual(orders.map((_order, at) => at + 1));
  expect(new Set(receipts.map(({ orderId }) => orderId)).size).toBe(ORDERS);
});
