/**
 * Names that are bought and renewed on two panels that are killed with -9 at random moments: no payment is lost, nothing is delivered
 * twice, and no name stays reserved. NAMES=200 is the long version; SEED repeats a run.
 */
import { randomInt } from 'node:crypto';

import { In, IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { DurableEvent, EventDelivery } from '../src/hooks/index.js';
import { HostingAccount, monthsAfter, SiteDomain, SoldName } from '../src/hosting/index.js';
import { JobRun } from '../src/jobs/index.js';
import { Order } from '../src/payment/index.js';

import { chances } from './support/chances.js';
import { createStartedPlace, type TestPlace } from './support/database.js';
import { accepted, MortalPanels, type Visitor } from './support/mortal-panels.js';
import { writePlugin } from './support/plugins.js';
import { rushPlugin, signedNotification } from './support/rush-plugin.js';

const NAMES = Number(process.env.NAMES ?? 8);
const SEED = Number(process.env.SEED ?? randomInt(1, 1_000_000_000));
const BUYERS = 4;
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

/** The dead process's claims are free now, not only when they expire. */
async function endClaims(): Promise<void> {
  await database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
  await database.repository(JobRun).update({ running: Not(IsNull()) }, { running: null });
  await database.repository(EventDelivery).update({ state: In(['running', 'pending']) }, { dueAt: PAST });
}

it(`${NAMES} names, seed ${SEED}: each bought once, each renewed once`, { timeout: 300_000 + NAMES * 20_000 }, async () => {
  panels = await MortalPanels.start(place, 2, chances(SEED));
  const admin = await panels.visitor('admin', 'admin', 'svc-panel-admin');
  const operate = async (fields: Record<string, string>) => accepted(await admin[0]!.ajax('admin', fields));
  writePlugin(place.dataDir, 'rush', rushPlugin());
  await operate({ gn: 'plugin_install', slug: 'rush' });
  for (const slug of ['rush', 'domain_shop']) await operate({ gn: 'plugin_enable', slug, enabled: 'true' });
  await operate({ gn: 'addzj', btdh: 'local', user: 'owner01', pass: PASSWORD, ll: '0', ymbds: '0' });
  const { id: zone } = await operate({ gn: 'addym', url: 'names.example.com', bt: 'local', jg: '9.90', ys: '12', sl: '0' });
  const owner = await panels.visitor('user', 'owner01', PASSWORD);
  const anybody = await panels.visitor();
  for (const client of anybody)
    await panels.until([client], 'the shop', async (one) => ((await one.send('/domain')).status === 200 ? true : null));

  const post = async (path: string, fields: Record<string, string>): Promise<string> =>
    panels.until(owner, path, async (client) => {
      const { status, headers, text } = await client.send(path, { method: 'POST', body: new URLSearchParams(fields) });
      if (status !== 303) throw new Error(`${status} ${text.slice(0, 400)}`);
      return new URL(headers.get('location')!, client.url).pathname + new URL(headers.get('location')!, client.url).search;
    });
  const numberOf = async (scene: string) => (await database.repository(Order).findOneByOrFail({ name: scene })).number;

  /** Pays one order, notified twice at once, repeated until it was accepted. */
  async function pay(payPath: string, number: string, money: string): Promise<void> {
    await panels.until(anybody, `${number} sent to the gateway`, async (client) => {
      const sent = await client.send(payPath, { method: 'POST', body: new URLSearchParams({ type: 'rush__card' }) });
      if (sent.status !== 302 && sent.status !== 303) throw new Error(`${sent.status} ${sent.text.slice(0, 300)}`);
      return true;
    });
    const fields = signedNotification(number, `T-${number}`, money);
    await panels.until(anybody, `${number} notified`, async () => {
      const said = await Promise.allSettled(
        anybody.map((one: Visitor[number]) => one.send('/pay/rush/notify', { method: 'POST', body: new URLSearchParams(fields) })),
      );
      return said.some((one) => one.status === 'fulfilled' && one.value.text === 'success') ? true : null;
    });
  }

  async function play(at: number): Promise<void> {
    const prefix = `name${at}`;
    const name = `${prefix}.names.example.com`;
    const bought = await post('/domain/buy', { zone: String(zone), prefix, request: `buy-${at}` });
    await pay(bought, await numberOf(`域名购置 ${name}`), '9.90');
    const sold = await expect
      .poll(() => database.repository(SoldName).findOneBy({ name, state: 'sold' }), { timeout: 120_000, interval: 300 })
      .not.toBeNull()
      .then(() => database.repository(SoldName).findOneByOrFail({ name }));
    const renewed = await post(`/domain/renew/${sold.id}`, { n: '2', request: `renew-${at}` });
    await pay(renewed, await numberOf(`域名续费 ${name}（24 个月）`), '19.80');
  }

  await panels.rush([...Array(NAMES).keys()], BUYERS, play);
  expect(panels.kills).toBeGreaterThan(0);
  await panels.restartAll(endClaims);
  const open = () => database.repository(EventDelivery).countBy({ state: Not('done') });
  await expect.poll(open, { timeout: 120_000, interval: 500 }).toBe(0);

  expect(await database.repository(Order).countBy({ scene: 'ymgm' })).toBe(2 * NAMES);
  expect(await database.repository(Order).countBy({ scene: 'ymgm', status: 'paid' })).toBe(2 * NAMES);
  expect(await database.repository(DurableEvent).countBy({ hook: 'order.paid' })).toBe(2 * NAMES);
  const sales = await database.dataSource.query<{ kind: string; state: string }[]>('SELECT kind, state FROM SVC_plg_domain_shop_sale');
  expect(sales.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    ...Array.from({ length: NAMES }, () => 'buy done'),
    ...Array.from({ length: NAMES }, () => 'renew done'),
  ]);
  const rows = await database.repository(SoldName).find();
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: NAMES }, () => 'sold'));
  const ends = new Set(rows.map(({ expiresOn }) => expiresOn));
  // Exactly three years from the day each was bought.
  for (const end of ends) expect(days(rows[0]!.createdAt).map((day) => monthsAfter(day, 36))).toContain(end);
  await expect.poll(() => database.repository(SiteDomain).count(), { timeout: 90_000, interval: 500 }).toBe(NAMES);
  process.stdout.write(`${NAMES} names, seed ${SEED}: ${panels.kills} kills, 0 lost, 0 delivered twice\n`);
});

/** The possible dates of a moment, in any time zone, and the next day: the run may continue past midnight. */
function days(moment: Date): string[] {
  return [-1, 0, 1].map((day) => new Date(moment.getTime() + day * 86_400_000).toISOString().slice(0, 10));
}
