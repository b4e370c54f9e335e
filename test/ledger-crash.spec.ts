/** Credit, with two panels that deduct it at the same time, and with one that is killed while a gateway refunds. */
import { afterEach, describe, expect, it } from 'vitest';

import { HostingAccount } from '../src/hosting/index.js';
import { CheckQueries } from '../src/ledger/check-queries.js';
import { Credit, CreditTransfer } from '../src/ledger/index.js';
import { Order, Refund } from '../src/payment/index.js';

import { CrashPlace } from './support/crash-place.js';
import { someMoments } from './support/moments.js';
import { accepted, MortalPanels } from './support/mortal-panels.js';
import type { PanelClient } from './support/panel-client.js';
import { writePlugin, type PluginSource } from './support/plugins.js';
import { rushPlugin, signedNotification, type RefundStep } from './support/rush-plugin.js';

const PASSWORD = 'a-password-of-my-own';
const PAST = new Date('2020-01-01T00:00:00Z');

let crash: CrashPlace;
let panels: MortalPanels;
afterEach(async () => {
  await panels.stop();
  await crash.dispose();
});

const post = (client: PanelClient, path: string, body: Record<string, string>) =>
  client.send(path, { method: 'POST', body: new URLSearchParams(body) });

/** Panels with plugins and one host, with its owner and administrator signed in at all of them. */
async function open(processes: number, bundled: readonly string[], own: Readonly<Record<string, PluginSource>> = {}) {
  crash = await CrashPlace.create();
  panels = await MortalPanels.start(crash.place, processes, Math.random);
  const admins = await panels.visitor('admin', 'admin', 'svc-panel-admin');
  const operate = async (fields: Record<string, string>) => accepted(await admins[0]!.ajax('admin', fields));
  for (const [slug, source] of Object.entries(own)) {
    writePlugin(crash.dataDir, slug, source);
    await operate({ gn: 'plugin_install', slug });
  }
  for (const slug of [...bundled, ...Object.keys(own)]) await operate({ gn: 'plugin_enable', slug, enabled: 'true' });
  await operate({
    gn: 'addzj',
    btdh: 'local',
    user: 'spender1',
    pass: PASSWORD,
    datae: '2031-01-31',
    webkj: '10',
    sqlkj: '0',
    ll: '0',
    ymbds: '1',
  });
  const { id } = await crash.database.repository(HostingAccount).findOneByOrFail({ username: 'spender1' });
  return { operate, hostId: id, owners: await panels.visitor('user', 'spender1', PASSWORD) };
}

async function differences(): Promise<unknown[]> {
  const found = await Promise.all(new CheckQueries(crash.database).all(new Date(Date.now() + 60_000)).map((check) => check()));
  return found.flat();
}

describe('credit that two processes deduct at the same time', () => {
  it('pays for as many orders as it covers, each once, and never falls below zero', { timeout: 120_000 }, async () => {
    const { operate, hostId, owners } = await open(2, ['balance']);
    await operate({ gn: 'yetz', user: 'spender1', rmb: '10', yy: 'to begin with' });
    const numbers: string[] = [];
    for (let at = 0; at < 6; at += 1)
      numbers.push(String((await operate({ gn: 'zjxfdd', id: String(hostId), zq: '1', rmb: '3', qqh: `r${at}` })).ddh));
    for (const [at, owner] of owners.entries())
      await panels.until([owner], `the gateway at ${at}`, async (one) =>
        accepted(await one.ajax('user', { gn: 'ddzf', ddh: numbers[0]!, ff: 'balance__balance' })),
      );
    for (const ddh of numbers) accepted(await owners[0]!.ajax('user', { gn: 'ddzf', ddh, ff: 'balance__balance' }));

    // Each order is paid on both panels, twice.
    await Promise.all(
      [...numbers, ...numbers].flatMap((number) => owners.map((owner) => post(owner, '/pay/balance/pay', { out_trade_no: number }))),
    );
    const paid = await crash.database.repository(Order).countBy({ status: 'paid' });
    const [{ balance }] = (await crash.database.repository(Credit).find()) as [Credit];
    expect([paid, balance]).toEqual([3, 100]);
    expect(await crash.database.repository(CreditTransfer).countBy({ kind: 'payment' })).toBe(3);
    expect(await differences()).toEqual([]);
  });
});

describe('a top-up that its gateway refunds, with the panel killed midway', () => {
  const STEPS: [string, RefundStep][] = [
    ['before the gateway has it', 'asked'],
    ['when the gateway has it and nobody knows', 'answered'],
  ];
  it.each(someMoments(STEPS))('%s: the credit is deducted once and refunded once', { timeout: 180_000 }, async (_when, step) => {
    const { operate, owners } = await open(1, [], { rush: rushPlugin(step) });
    const [owner] = owners as [PanelClient];
    const order = accepted(await owner.ajax('user', { gn: 'xdd', scene: 'yecz', rmb: '25' })) as {
      id: number;
      ddh: string;
      pay_path: string;
    };
    expect((await post(owner, order.pay_path, { type: 'rush__card' })).status).toBe(303);
    expect((await post(owner, '/pay/rush/notify', signedNotification(order.ddh, 'T-1', '25.00'))).text).toBe('success');
    const credit = async () => (await crash.database.repository(Credit).find()).map(({ balance }) => balance);
    await expect.poll(credit, { timeout: 20_000 }).toEqual([2_500]);

    const back = { gn: 'ddtk', id: String(order.id), rmb: '10', qd: 'gateway', yy: 'too much' };
    await expect(operate(back)).rejects.toThrow();
    const state = async () => (await crash.database.repository(Refund).find()).map((refund) => refund.state);
    expect([await credit(), await state()]).toEqual([[1_500], ['pending']]);
    // The dead process has just asked the gateway, so nobody asks again for a minute; the test moves that time to the past.
    await panels.restartAll(async () => void (await crash.database.repository(Refund).update({ state: 'pending' }, { askedAt: PAST })));
    await panels.until([owner], 'the refund', async () => {
      await operate({ gn: 'jhrun', id: 'core:refunds' });
      return (await state())[0] === 'done' ? true : null;
    });
    // The previous run may not have ended yet.
    for (let again = 0; again < 2; again += 1)
      await panels.until([owner], 'another run', () => operate({ gn: 'jhrun', id: 'core:refunds' }));

    const asked = await crash.database.dataSource.query<{ refund_no: string }[]>('SELECT refund_no FROM SVC_plg_rush_refund');
    expect(asked).toEqual([{ refund_no: `${order.ddh}R1` }]);
    expect([await credit(), await state()]).toEqual([[1_500], ['done']]);
    expect((await crash.database.repository(Order).find())[0]!.status).toBe('partly_refunded');
    expect(await differences()).toEqual([]);
  });
});
