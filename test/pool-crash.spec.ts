/**
 * Sub-resellers who open hosts at the same time on two panels that are killed with -9 at random moments: the quota is never exceeded, no
 * host is opened twice, and nothing stays reserved without a host. HOSTS=200 is the long version; SEED repeats a run.
 */
import { randomInt } from 'node:crypto';

import { IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { JobRun } from '../src/jobs/index.js';

import { chances } from './support/chances.js';
import { createStartedPlace, type TestPlace } from './support/database.js';
import { accepted, MortalPanels } from './support/mortal-panels.js';

/** Requested hosts; there is room for three quarters of them. */
const HOSTS = Number(process.env.HOSTS ?? 8);
const ROOM = Math.floor((HOSTS * 3) / 4);
const SEED = Number(process.env.SEED ?? randomInt(1, 1_000_000_000));
const PAST = new Date('2020-01-01T00:00:00Z');
const MEMBER = 'SVC_plg_resource_pool_member';

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

it(`${HOSTS} hosts in room for ${ROOM}, seed ${SEED}`, { timeout: 300_000 + HOSTS * 20_000 }, async () => {
  panels = await MortalPanels.start(place, 2, chances(SEED));
  const admin = await panels.visitor('admin', 'admin', 'svc-panel-admin');
  accepted(await admin[0]!.ajax('admin', { gn: 'plugin_enable', slug: 'resource_pool', enabled: 'true' }));
  const pool = { gn: 'p_respool_save', name: 'Rush', username: 'rush', password: 'rush-pass-1', web_space: String(ROOM * 10) };
  const saved = await panels.until(admin, 'the pool', async (client) => {
    const answer = await client.ajax('admin', pool);
    return answer.json.success === true ? (answer.json as { id?: number }) : null;
  });
  const pool_id = String(saved.id);

  /** Repeats until the host is open, or there is no room for it; returns whether it is open. */
  const open = (at: number): Promise<boolean> =>
    panels.until(admin, `host ${at}`, async (client) => {
      const fields = { gn: 'p_respool_open_host', pool_id, node: 'local', host_user: `rush-host-${at}`, host_pass: 'secret-pass-1' };
      const { json, text } = await client.ajax('admin', { ...fields, web_space: '10', request: `rush-${at}` });
      if (json.success === true) return true;
      if (!/额度不够/.test(String(json.code))) throw new Error(text.slice(0, 300));
      // Reservations without a host may become free.
      const opening = (await members()).filter(({ state }) => state !== 'open');
      if (opening.length > 0) throw new Error(`no room, and still open: ${JSON.stringify(opening)}`);
      return false;
    });
  const members = (): Promise<{ host_id: number | null; host_user: string; state: string }[]> =>
    database.dataSource.query(`SELECT host_id, host_user, state FROM ${MEMBER} ORDER BY id`);

  let opened = 0;
  await panels.rush([...Array(HOSTS).keys()], 4, async (at) => {
    if (await open(at)) opened += 1;
  });
  expect(panels.kills).toBeGreaterThan(0);
  await panels.restartAll(async () => {
    await database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
    await database.repository(JobRun).update({ running: Not(IsNull()) }, { running: null });
    // The interruption was long ago.
    await database.dataSource.query(`UPDATE ${MEMBER} SET since = '2020-01-01T00:00:00.000Z'`);
  });
  await panels.until(admin, 'the repair', async (client) => {
    await client.ajax('admin', { gn: 'p_respool_repair' });
    return (await members()).every(({ state }) => state === 'open') ? true : null;
  });

  const rows = await members();
  const accounts = await database.repository(HostingAccount).find();
  expect(opened).toBe(ROOM);
  expect(rows.map(({ host_id }) => Number(host_id)).sort((a, b) => a - b)).toEqual(accounts.map(({ id }) => id).sort((a, b) => a - b));
  expect(new Set(accounts.map(({ userKey }) => userKey)).size).toBe(ROOM);
  expect(accounts.map(({ state, webQuotaMb }) => `${state} ${webQuotaMb}`)).toEqual(accounts.map(() => 'active 10'));
  process.stdout.write(`${HOSTS} hosts, seed ${SEED}: ${panels.kills} kills, ${opened} opened, quota kept\n`);
});
