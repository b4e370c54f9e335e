import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreAudit, StoreItem, StoreVersion } from '../../src/store/index.js';
import { StoreSweep } from '../../src/store/items/store-sweep.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { someMoments } from '../support/moments.js';
import { ServerProcess } from '../support/server-process.js';
import { StoreClient, TestStore } from '../support/store.js';
import { filesIn, submit } from '../support/store-packages.js';

/** Requests that are under way when the process is killed. */
const AT_ONCE = 8;

let place: TestPlace;
let alice: StoreClient;
let admin: StoreClient;
const running: ServerProcess[] = [];
beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  const store = await TestStore.on(place);
  alice = await store.member('Alice');
  admin = await store.member('Root', 'admin');
  await store.stop();
});
afterAll(async () => {
  await Promise.all(running.map((panel) => panel.stop('SIGKILL')));
  await place.dispose();
});

/** Runs `work` with the process and kills it, the hard way, when `when` holds. */
async function killed(
  when: () => boolean,
  work: (clients: { alice: StoreClient; admin: StoreClient }) => Promise<unknown>[],
): Promise<void> {
  const panel = await ServerProcess.start(place, { RATE_LIMIT: 'off' });
  running.push(panel);
  await panel.ready();
  const as = (client: StoreClient): StoreClient => Object.assign(new StoreClient(panel.url, client.userId), { cookie: client.cookie });
  let answers = 0;
  const under = work({ alice: as(alice), admin: as(admin) }).map((answer) => answer.then(() => (answers += 1)).catch(() => undefined));
  await expect.poll(() => answers > 0 || when(), { interval: 1, timeout: 20_000 }).toBe(true);
  await panel.stop('SIGKILL');
  await Promise.all(under);
}

/** Starts the store again, sweeps, and compares rows with rows and with files. */
async function checkAgreement(): Promise<{ items: StoreItem[]; audit: StoreAudit[] }> {
  const store = await TestStore.on(place);
  try {
    await store.provider(StoreSweep).packages(0);
    const items = await store.database.repository(StoreItem).find();
    const versions = await store.database.repository(StoreVersion).find();
    expect(filesIn(store, 'incoming')).toEqual([]);
    expect(filesIn(store, 'packages').sort()).toEqual([...new Set(versions.map(({ sha256 }) => `${sha256}.zip`))].sort());
    const folder = join(place.dataDir, 'store', 'packages');
    for (const { sha256 } of versions) {
      const bytes = readFileSync(join(folder, sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.zip`));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    for (const item of items) {
      const own = versions.filter(({ itemId }) => itemId === item.id);
      expect(own).toMatchObject([{ status: item.status, sha256: item.sha256, version: item.version }]);
      expect(own[0]!.signature === '').toBe(item.status === 'pending');
    }
    return { items, audit: await store.database.repository(StoreAudit).find() };
  } finally {
    await store.stop();
  }
}

/** Loaded into a server before anything else: the process kills itself at one step of keeping an upload. */
const KILLER = `
const fs = require('node:fs');
const [name, when] = process.env.KILL_AT.split(' ');
const original = fs.promises[name];
fs.promises[name] = async (...args) => {
  // Taking the upload away is the last step; the part beside the package goes before.
  const isMeant = name === 'rm' ? String(args[0]).includes('incoming') : true;
  if (isMeant && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await original(...args);
  if (isMeant && when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
};
require('node:module').syncBuiltinESMExports();
`;

describe('the store, killed in the middle of', { timeout: 120_000 }, () => {
  it('uploads, has each wholly or not at all', async () => {
    const incoming = join(place.dataDir, 'store', 'incoming');
    mkdirSync(incoming, { recursive: true });
    await killed(
      () => readdirSync(incoming).length > 0,
      ({ alice: author }) => Array.from({ length: AT_ONCE }, (_none, i) => submit(author, `first-${i}`)),
    );
    await checkAgreement();
    await killed(
      () => false,
      ({ alice: author }) => Array.from({ length: AT_ONCE }, (_none, i) => submit(author, `second-${i}`)),
    );
    const { items } = await checkAgreement();
    expect(items.length).toBeGreaterThan(0);
  });

  const MOMENTS = [
    ['link before', 'received, and nowhere else', 0],
    ['link after', 'beside its place', 0],
    ['rename after', 'in its place', 0],
    ['utimes after', 'kept, without a row', 0],
    ['rm before', 'kept, with a row', 1],
  ] as const;
  it.each(someMoments(MOMENTS, ([, , kept]) => kept))(
    'an upload at %s (%s), has it wholly or not at all, and takes it when it is sent again',
    async (moment, _what, kept) => {
      const killer = join(place.dataDir, 'killer.cjs');
      writeFileSync(killer, KILLER);
      const slug = `at-${moment.replace(' ', '-')}`;
      const panel = await ServerProcess.start(place, { RATE_LIMIT: 'off', NODE_OPTIONS: `--require ${killer}`, KILL_AT: moment });
      running.push(panel);
      await panel.ready();
      const author = Object.assign(new StoreClient(panel.url, alice.userId), { cookie: alice.cookie });
      expect(await submit(author, slug).catch(() => 'broke off')).toBe('broke off');
      expect(await panel.ended).toBe('SIGKILL');
      const { items } = await checkAgreement();
      expect(items.filter((item) => item.slug === slug)).toHaveLength(kept);
      const store = await TestStore.on(place);
      const again = Object.assign(new StoreClient(store.url, alice.userId), { cookie: alice.cookie });
      expect((await submit(again, slug)).status).toBe(kept ? 400 : 200);
      await store.stop();
    },
  );

  it('approvals and deletions, has made each with its record or not at all', async () => {
    const store = await TestStore.on(place);
    const author = Object.assign(new StoreClient(store.url, alice.userId), { cookie: alice.cookie });
    for (let i = 0; i < AT_ONCE; i += 1) expect((await submit(author, `third-${i}`)).status).toBe(200);
    const ids = (await store.database.repository(StoreItem).find()).map(({ id }) => id);
    await store.stop();

    await killed(
      () => false,
      ({ admin: reviewer }) => ids.map((id) => reviewer.call('PUT', `/admin/items/${id}/approve`)),
    );
    const approved = await checkAgreement();
    const isApproved = approved.items.filter(({ status }) => status === 'approved').length;
    expect(isApproved).toBeGreaterThan(0);
    expect(approved.audit.filter(({ action }) => action === 'item.approve')).toHaveLength(isApproved);

    await killed(
      () => false,
      ({ admin: reviewer }) => ids.map((id) => reviewer.call('DELETE', `/admin/items/${id}`)),
    );
    const deleted = await checkAgreement();
    expect(deleted.items.length).toBeLessThan(ids.length);
    expect(deleted.audit.filter(({ action }) => action === 'item.delete')).toHaveLength(ids.length - deleted.items.length);
  });
});
