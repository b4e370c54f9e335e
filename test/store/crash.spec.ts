import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { MoreThan } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Task } from '../../src/jobs/index.js';
import { StoreAudit, StoreBlockedDigest, StoreCoAuthor, StoreItem, StoreRating, StoreVersion } from '../../src/store/index.js';
import { StoreSweep } from '../../src/store/items/store-sweep.js';
import { TrustedAuthors } from '../../src/store/review/trusted-authors.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { someMoments } from '../support/moments.js';
import { ServerProcess } from '../support/server-process.js';
import { StoreClient, TestStore } from '../support/store.js';
import { filesIn, submit, submitVersion } from '../support/store-packages.js';

/** Requests in progress when the process is killed. */
const AT_ONCE = 8;

let place: TestPlace;
let alice: StoreClient;
let bob: StoreClient;
let admin: StoreClient;
const running: ServerProcess[] = [];
beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  const store = await TestStore.on(place);
  alice = await store.member('Alice');
  bob = await store.member('Bob');
  await alice.call('POST', '/developer/webhooks', { url: 'https://hooks.example.com/store' });
  admin = await store.member('Root', 'admin');
  await store.stop();
});
afterAll(async () => {
  await Promise.all(running.map((panel) => panel.stop('SIGKILL')));
  await place.dispose();
});

/** Runs `work` with the process and kills it, hard, when `when` is true. */
async function killed(
  when: () => boolean,
  work: (clients: { alice: StoreClient; bob: StoreClient; admin: StoreClient }) => Promise<unknown>[],
): Promise<void> {
  const panel = await ServerProcess.start(place, { RATE_LIMIT: 'off' });
  running.push(panel);
  await panel.ready();
  const as = (client: StoreClient): StoreClient => Object.assign(new StoreClient(panel.url, client.userId), { cookie: client.cookie });
  let answers = 0;
  const under = work({ alice: as(alice), bob: as(bob), admin: as(admin) }).map((answer) =>
    answer.then(() => (answers += 1)).catch(() => undefined),
  );
  await expect.poll(() => answers > 0 || when(), { interval: 1, timeout: 20_000 }).toBe(true);
  await panel.stop('SIGKILL');
  await Promise.all(under);
}

/** Moves earlier submissions to another day: authors have a daily limit. */
async function letADayPass({ database }: TestStore): Promise<void> {
  await database.repository(StoreVersion).update({ id: MoreThan(0) }, { createdAt: new Date(Date.now() - 2 * 86_400_000) });
}

/** Restarts the store, cleans up, and compares rows with rows and files. */
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

/** Loaded into a server first: the process kills itself at one step of storing an upload. */
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

/** Loaded into a server first: the process kills itself while deciding whether a version is reviewed anyway. */
const SPOT_KILLER = `
const crypto = require('node:crypto');
const original = crypto.randomInt;
crypto.randomInt = (...args) => (args[0] === 100 ? process.kill(process.pid, 'SIGKILL') : original(...args));
require('node:module').syncBuiltinESMExports();
`;

describe('the store, killed during', { timeout: 120_000 }, () => {
  it('uploads, has each completely or not at all', async () => {
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
    'an upload at %s (%s), has it completely or not at all, and accepts it when it is sent again',
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

  it('approvals and deletions, has each with its record or not at all', async () => {
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

  /** The state of one item after a crash during a bulk action: whether it was done. */
  interface After {
    readonly item: StoreItem;
    readonly versions: readonly StoreVersion[];
    readonly authors: readonly StoreCoAuthor[];
    readonly ratings: readonly StoreRating[];
    readonly actions: readonly string[];
    readonly blocked: ReadonlySet<string>;
    readonly messages: readonly string[];
  }
  type Change = (clients: { alice: StoreClient; bob: StoreClient; admin: StoreClient }, id: number, slug: string) => Promise<unknown>;
  const deleteWaiting: Change = ({ alice: author }, id) => author.call('DELETE', `/developer/items/${id}/versions/1.2.0`);
  const sendTrusted: Change = ({ alice: author }, id, slug) =>
    submitVersion(author, id, slug, '1.2.0', `module.exports = () => '${slug} 1.2.0';\n`);
  const CHANGES: [string, Change, (after: After) => void][] = [
    [
      'withdrawals',
      ({ alice: author }, id) => author.call('PUT', `/developer/items/${id}/versions/1.1.0/withdraw`, { reason: 'It loses settings' }),
      ({ item, versions }) => {
        const [old, fresh] = ['1.0.0', '1.1.0'].map((version) => versions.find((one) => one.version === version)!);
        const offered = fresh!.status === 'withdrawn' ? old! : fresh!;
        expect([item.version, item.sha256]).toEqual([offered.version, offered.sha256]);
      },
    ],
    [
      'deletions of versions that wait',
      deleteWaiting,
      ({ item, versions }) => expect([item.version, [2, 3].includes(versions.length)]).toEqual(['1.1.0', true]),
    ],
    [
      'hand-overs',
      ({ bob: other }, id) => other.call('POST', `/developer/items/${id}/authors/accept`),
      ({ item, authors }) => {
        expect([item.authorId, ...authors.map(({ userId }) => userId)].sort()).toEqual([alice.userId, bob.userId].sort());
        expect(authors.map(({ offeredAt }) => offeredAt !== null)).toEqual([item.authorId === alice.userId]);
      },
    ],
    [
      'ratings',
      ({ admin: rater }, id) => rater.call('PUT', `/items/${id}/rating`, { stars: 4, version: '1.1.0' }),
      ({ item, ratings }) => expect([item.ratingCount, item.ratingSum]).toEqual([ratings.length, ratings.length * 4]),
    ],
    [
      'items that are blocked, and of what webhooks are told',
      ({ admin: reviewer }, id) => reviewer.call('PUT', `/admin/items/${id}/block`, { msg: 'steals keys' }),
      ({ item, versions, actions, blocked, messages }) => {
        const isBlocked = item.status === 'suspended';
        expect(versions.map(({ sha256 }) => blocked.has(sha256))).toEqual(versions.map(() => isBlocked));
        expect(['item.suspend', 'item.block'].map((action) => actions.includes(action))).toEqual([isBlocked, isBlocked]);
        expect(messages.length).toBe(isBlocked ? 1 : 0);
      },
    ],
    // The last one: its author is trusted from then on.
    [
      'versions of a trusted author, which are published at once or wait for a reviewer',
      sendTrusted,
      ({ item, versions, actions, messages }) => {
        const [old, fresh] = ['1.1.0', '1.2.0'].map((version) => versions.find((one) => one.version === version));
        const isPublished = fresh?.status === 'approved';
        const offered = isPublished ? fresh : old!;
        expect([item.status, item.version, item.sha256]).toEqual(['approved', offered.version, offered.sha256]);
        if (fresh) expect([fresh.status, fresh.signature === '']).toEqual(isPublished ? ['approved', false] : ['pending', true]);
        expect(actions.filter((action) => action === 'item.approve_trusted').length).toBe(isPublished ? 1 : 0);
        expect(messages.length).toBe(isPublished ? 1 : 0);
      },
    ],
  ];
  it.each(someMoments(CHANGES))('%s, has each completely or not at all', async (name, change, check) => {
    const store = await TestStore.on(place);
    await letADayPass(store);
    const as = (client: StoreClient): StoreClient => Object.assign(new StoreClient(store.url, client.userId), { cookie: client.cookie });
    const [author, other, reviewer] = [as(alice), as(bob), as(admin)];
    const slugs = new Map<number, string>();
    const ok = async (answer: Promise<{ status: number; msg?: string }>): Promise<void> =>
      expect(await answer).toMatchObject({ status: 200 });
    for (let at = 0; at < AT_ONCE; at += 1) {
      const slug = `${name.slice(0, 5).replace(/\W/g, '-')}-${at}`;
      const { id } = (await submit(author, slug)).data;
      await ok(reviewer.call('PUT', `/admin/items/${id}/approve`));
      await ok(submitVersion(author, id, slug, '1.1.0', `module.exports = () => '${slug} 1.1.0';\n`));
      await ok(reviewer.call('PUT', `/admin/items/${id}/approve`));
      // Authors have a limit of items in review.
      if (change === deleteWaiting) await ok(submitVersion(author, id, slug, '1.2.0', `module.exports = () => '${slug} 1.2.0';\n`));
      await ok(author.call('PUT', `/developer/items/${id}/authors`, { username: 'Bob' }));
      await ok(other.call('POST', `/developer/items/${id}/authors/accept`));
      await ok(author.call('POST', `/developer/items/${id}/transfer`, { user_id: bob.userId }));
      slugs.set(id, slug);
    }
    if (change === sendTrusted) await ok(reviewer.call('PUT', `/admin/users/${alice.userId}`, { trusted: true }));
    await store.database.repository(Task).delete({ name: 'store.webhook' });
    await store.stop();

    await killed(
      () => false,
      (clients) => [...slugs].map(([id, slug]) => change(clients, id, slug)),
    );
    const again = await TestStore.on(place);
    const { database } = again;
    const blocked = new Set((await database.repository(StoreBlockedDigest).find()).map(({ sha256 }) => sha256));
    const messages = (await database.repository(Task).findBy({ name: 'store.webhook' })).map(({ payload }) => payload);
    for (const id of slugs.keys()) {
      const actions = (await database.repository(StoreAudit).findBy({ subject: 'item', subjectId: id })).map(({ action }) => action);
      check({
        item: await database.repository(StoreItem).findOneByOrFail({ id }),
        versions: await database.repository(StoreVersion).findBy({ itemId: id }),
        authors: await database.repository(StoreCoAuthor).findBy({ itemId: id }),
        ratings: await database.repository(StoreRating).findBy({ itemId: id }),
        actions,
        blocked,
        messages: messages.filter((payload) => payload.includes(`"id":${id},`)),
      });
    }
    await again.provider(StoreSweep).packages(0);
    const kept = (await database.repository(StoreVersion).find()).map(({ sha256 }) => `${sha256}.zip`);
    expect(filesIn(again, 'packages').sort()).toEqual([...new Set(kept)].sort());
    await again.stop();
  });

  it('the check of a trusted author’s version, publishes it after the next start, automatically and once', async () => {
    const [slug, version] = ['looked-at', '1.1.0'];
    const store = await TestStore.on(place);
    await letADayPass(store);
    const as = (client: StoreClient, url: string): StoreClient =>
      Object.assign(new StoreClient(url, client.userId), { cookie: client.cookie });
    const { id } = (await submit(as(alice, store.url), slug)).data;
    const reviewer = as(admin, store.url);
    expect(await reviewer.call('PUT', `/admin/items/${id}/approve`)).toMatchObject({ status: 200 });
    expect(await reviewer.call('PUT', `/admin/users/${alice.userId}`, { trusted: true })).toMatchObject({ status: 200 });
    await store.stop();

    const killer = join(place.dataDir, 'killer.cjs');
    writeFileSync(killer, SPOT_KILLER);
    const panel = await ServerProcess.start(place, { RATE_LIMIT: 'off', NODE_OPTIONS: `--require ${killer}` });
    running.push(panel);
    await panel.ready();
    const code = `module.exports = () => '${slug} ${version}';\n`;
    expect(await submitVersion(as(alice, panel.url), id, slug, version, code).catch(() => 'broke off')).toBe('broke off');
    expect(await panel.ended).toBe('SIGKILL');

    const again = await TestStore.on(place);
    again.provider(TrustedAuthors).chance = () => 99;
    const { database } = again;
    const state = async () => (await database.repository(StoreVersion).findOneByOrFail({ itemId: id, version })).status;
    const tasks = {
      name: 'store.trusted-version',
      key: String((await database.repository(StoreVersion).findOneByOrFail({ itemId: id, version })).id),
    };
    expect([await state(), await database.repository(Task).countBy(tasks)]).toEqual(['pending', 1]);
    // A minute later.
    await database.repository(Task).update(tasks, { dueAt: new Date() });
    await expect.poll(state, { timeout: 20_000 }).toBe('approved');
    await expect.poll(() => database.repository(Task).countBy(tasks), { timeout: 20_000 }).toBe(0);
    expect((await again.visitor().get<{ version: string }>(`/items/${id}`)).data.version).toBe(version);
    const log = await database.repository(StoreAudit).findBy({ subject: 'item', subjectId: id, action: 'item.approve_trusted' });
    expect(log.map(({ actorId, detail }) => [actorId, detail])).toMatchObject([[alice.userId, { version }]]);
    await again.stop();
  });
});
