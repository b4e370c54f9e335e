import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { UpdateCheck } from '../../src/store/updates/index.js';
import { testEngine } from '../support/database.js';
import { planOf, readsOf } from '../support/query-plans.js';
import { submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

interface Checked {
  updates: { slug: string; version: string }[];
  closed: { type: string; slug: string; reason: string; since: string }[];
  readonly withdrawn: readonly object[];
}

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

const decide = async (id: number, what: string, msg?: string): Promise<void> => {
  expect(await admin.call('PUT', `/admin/items/${id}/${what}`, msg === undefined ? {} : { msg })).toMatchObject({ status: 200 });
};
const remove = async (id: number, msg = ''): Promise<void> => {
  expect(await admin.call('DELETE', `/admin/items/${id}${msg && `?msg=${encodeURIComponent(msg)}`}`)).toMatchObject({
    status: 200,
    msg: '已删除',
  });
};
/** What a panel with its version 1.0.0 receives. */
async function told(slug: string): Promise<Checked> {
  const { data } = await store
    .visitor()
    .call<Checked>('POST', '/items/update-check', { panel_version: '1.84.0', items: [{ type: 'plugin', slug, version: '1.0.0' }] });
  return data;
}
async function published(slug: string): Promise<number> {
  const { data } = await submit(alice, slug);
  await decide(data.id, 'approve');
  return data.id;
}
const nothing: Checked = { updates: [], closed: [], withdrawn: [] };

describe('a panel with an item', () => {
  it('learns that it was suspended, why and since when, until it is back', async () => {
    const id = await published('Paused');
    expect(await told('paused')).toEqual(nothing);
    await decide(id, 'suspend', '管理员下架');
    const { closed } = await told('paused');
    expect(closed).toEqual([
      { type: 'plugin', slug: 'paused', reason: '管理员下架', since: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    ]);
    // Events of a version in review are no reason.
    await submitVersion(alice, id, 'Paused', '1.1.0');
    await decide(id, 'reject', 'Not like this');
    expect((await told('paused')).closed).toEqual(closed);
    await submitVersion(alice, id, 'Paused', '1.2.0');
    await decide(id, 'approve');
    expect(await told('paused')).toMatchObject({ updates: [{ slug: 'paused', version: '1.2.0' }], closed: [] });
  });

  it('learns that it was deleted', async () => {
    await remove(await published('deleted'), '含有恶意代码');
    await remove(await published('silent'));
    expect((await told('deleted')).closed).toMatchObject([{ slug: 'deleted', reason: '含有恶意代码' }]);
    expect((await told('silent')).closed).toMatchObject([{ slug: 'silent', reason: '已删除' }]);
    expect(Math.abs(Date.now() - new Date((await told('silent')).closed[0]!.since).getTime())).toBeLessThan(60_000);
  });

  it('that was suspended and then deleted learns since when it is unavailable', async () => {
    const id = await published('twice');
    await decide(id, 'suspend', 'first');
    const [{ since }] = (await told('twice')).closed as [Checked['closed'][0]];
    await remove(id, 'second');
    expect((await told('twice')).closed).toEqual([{ type: 'plugin', slug: 'twice', reason: 'second', since }]);
  });

  it('learns nothing about unpublished items', async () => {
    const { data: waiting } = await submit(alice, 'waiting');
    const { data: rejected } = await submit(alice, 'rejected');
    await decide(rejected.id, 'reject', 'no');
    expect([await told('waiting'), await told('rejected')]).toEqual([nothing, nothing]);
    await remove(waiting.id);
    await remove(rejected.id);
    expect([await told('waiting'), await told('rejected'), await told('never-heard-of')]).toEqual([nothing, nothing, nothing]);
  });

  it('gets it again once its author publishes it again', async () => {
    await remove(await published('again'), 'gone');
    const { data } = await submit(alice, 'again', { version: '2.0.0' });
    const [first] = (await told('again')).closed;
    expect(first).toMatchObject({ reason: 'gone' });
    await decide(data.id, 'approve');
    expect(await told('again')).toMatchObject({ updates: [{ version: '2.0.0' }], closed: [] });
    // Another deletion has its own time and reason; one of an unpublished version has none.
    await remove(data.id, 'gone once more');
    const { data: third } = await submit(alice, 'again', { version: '3.0.0' });
    await remove(third.id);
    const [second] = (await told('again')).closed;
    expect(second).toMatchObject({ reason: 'gone once more' });
    expect(second!.since > first!.since).toBe(true);
  });

  it.runIf(testEngine === 'sqlite')('and 99 others takes three statements, each with an index', async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({
      type: i % 2 ? ('plugin' as const) : ('theme' as const),
      slug: `slug-${i}`,
      version: '1',
    }));
    const asked = await readsOf(store.database, () => store.provider(UpdateCheck).check('1.84.0', items));
    expect(asked).toHaveLength(3);
    const steps = asked.flatMap((sql) => planOf(store.database, sql));
    expect(steps.filter((step) => /SCAN/.test(step))).toEqual([]);
    expect(steps.filter((step) => /SEARCH .*USING/.test(step)).length).toBeGreaterThanOrEqual(4);
  });
});

describe('a deletion', () => {
  it('and a simultaneous approval run one after the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { data } = await submit(alice, `raced-${round}`);
      const [removed, approved] = await Promise.all([
        admin.call('DELETE', `/admin/items/${data.id}`),
        admin.call('PUT', `/admin/items/${data.id}/approve`),
      ]);
      expect([removed.status, approved.status]).toContain(200);
      const isGone = (await admin.get(`/items/${data.id}`)).status === 404;
      expect(isGone).toBe(removed.status === 200);
      // An item deleted before publication was never published.
      expect((await told(`raced-${round}`)).closed).toHaveLength(isGone && approved.status === 200 ? 1 : 0);
    }
  });
});
