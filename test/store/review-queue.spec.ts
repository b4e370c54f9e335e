import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreVersion } from '../../src/store/index.js';
import { TrustedAuthors } from '../../src/store/review/index.js';
import { formOf, pluginZip, submit, zipOf } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

let store: TestStore;
let alice: StoreClient;
let first: StoreClient;
let second: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  alice = await store.member('Alice');
  [first, second] = [await store.member('First', 'admin'), await store.member('Second', 'admin')];
});
afterAll(() => store.close());

interface Waiting {
  id: number;
  item_id: number;
  version: string;
  spot_check: boolean;
}
const waiting = async () => (await first.get<Waiting[]>('/admin/versions')).data;
const waitingOf = async (itemId: number) => (await waiting()).find(({ item_id: id }) => id === itemId)!;
const idOf = async (answer: ReturnType<typeof submit>) => Number((await answer).data.id);
const page = async (path: string) => (await fetch(store.url + path, { headers: { 'accept-language': 'en', cookie: first.cookie } })).text();

describe('reviewers', () => {
  it('claim a version, visibly for others, and release it', async () => {
    const item = await idOf(submit(alice, 'taken'));
    const { id } = await waitingOf(item);
    const claim = (client: StoreClient) => client.call('POST', `/admin/versions/${id}/claim`);
    const both = await Promise.all([claim(first), claim(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    await second.call('DELETE', `/admin/versions/${id}/claim`);
    expect((await claim(first)).status).toBe(200);
    expect(await claim(second)).toMatchObject({ status: 400, msg: expect.stringContaining('First') as string });
    expect(await page('/store/review/')).toContain('First is reviewing it');
    expect(await page(`/store/review/items/${item}`)).toContain('Release');
    // It does not prevent others from deciding.
    expect((await second.call('PUT', `/admin/items/${item}/approve`)).status).toBe(200);
    expect((await claim(first)).status).toBe(400);
    expect((await first.call('POST', '/admin/versions/2000000/claim')).status).toBe(404);
  });

  it('decide many at once, each individually, and nothing serious', async () => {
    const good = await idOf(submit(alice, 'good'));
    const bad = await idOf(
      submit(alice, 'bad', {}, await zipOf('bad', { 'plugin.json': '{"id":"bad","version":"1.0.0"}', 'index.js': 'eval("1")' })),
    );
    const ids = [(await waitingOf(good)).id, (await waitingOf(bad)).id, 2_000_000];
    const decide = (decision: string) =>
      first.call<{ done: boolean }[]>('POST', '/admin/versions/decide', { decision, versions: ids, msg: 'Together' });
    expect((await decide('approve')).data.map(({ done }) => done)).toEqual([true, false, false]);
    // Repeating the request does not confirm the findings, unlike a single decision.
    expect((await decide('approve')).data.map(({ done }) => done)).toEqual([false, false, false]);
    expect((await decide('reject')).data.map(({ done }) => done)).toEqual([false, true, false]);
    expect((await first.call('POST', '/admin/versions/decide', { decision: 'approve', versions: [] })).status).toBe(400);
    expect((await store.visitor().get<{ name: string }>(`/items/${good}`)).status).toBe(200);
  });

  it('first see the files changed since the published version', async () => {
    const item = await idOf(submit(alice, 'changed'));
    await first.call('PUT', `/admin/items/${item}/approve`);
    const zip = await zipOf('changed', {
      'plugin.json': '{"id":"changed","version":"1.1.0"}',
      'index.js': 'module.exports = 2;\n',
      'new.js': '',
    });
    await alice.call('POST', `/developer/items/${item}/versions`, formOf({ version: '1.1.0' }, zip));
    const shown = await page(`/store/review/items/${item}`);
    expect(shown.indexOf('diff?from=1.0.0')).toBeGreaterThan(0);
    expect(shown.indexOf('diff?from=1.0.0')).toBeLessThan(shown.indexOf('Findings'));
    expect(await page(`/store/review/items/${item}/diff?from=1.0.0&to=1.1.0`)).toMatch(/new<\/span> <code>new\.js/);
  });
});

describe('a trusted author', () => {
  it('publishes versions immediately, except for spot checks, serious findings and new permissions; never items and edits', async () => {
    const trusted = await store.member('Trusted');
    const item = await idOf(submit(trusted, 'steady'));
    await first.call('PUT', `/admin/items/${item}/approve`);
    const trust = (on: boolean) => first.call('PUT', `/admin/users/${trusted.userId}`, { trusted: on });
    const authors = store.provider(TrustedAuthors);
    authors.chance = () => 99;
    const send = async (version: string, files?: Record<string, string>) => {
      const zip = files ? await zipOf('steady', files) : await pluginZip('steady');
      return (await trusted.call<{ status: string }>('POST', `/developer/items/${item}/versions`, formOf({ version }, zip))).data.status;
    };
    expect(await send('1.1.0')).toBe('pending');
    expect(await trust(true)).toMatchObject({ status: 200, data: { trusted: true } });
    expect(await send('1.2.0')).toBe('approved');
    expect((await store.visitor().get<{ version: string }>(`/items/${item}`)).data.version).toBe('1.2.0');
    const log = await first.get<{ items: object[] }>('/admin/logs?action=item.approve_trusted');
    expect(log.data.items).toMatchObject([{ actor_name: 'Trusted', detail: { version: '1.2.0' } }]);
    expect(await send('1.3.0', { 'plugin.json': '{"id":"steady","version":"1.3.0"}', 'index.js': 'eval("1")' })).toBe('pending');
    const manifest = '{"id":"steady","version":"1.4.0","permissions":["sql"]}';
    expect(await send('1.4.0', { 'plugin.json': manifest, 'index.js': '' })).toBe('pending');
    authors.chance = () => 0;
    expect(await send('1.5.0')).toBe('pending');
    expect(await waitingOf(item)).toMatchObject({ version: '1.5.0', spot_check: true });
    authors.chance = () => 99;
    // A version that is still reviewed is not published by the check that runs after a crash.
    const { id } = await store.database.repository(StoreVersion).findOneByOrFail({ itemId: item, version: '1.5.0' });
    await authors.retryPublish({ id, actor: { caller: { id: trusted.userId, username: 'Trusted' }, ip: '127.0.0.1' } });
    expect(await waitingOf(item)).toMatchObject({ version: '1.5.0' });
    expect((await submit(trusted, 'another')).data).toMatchObject({ status: 'pending' });
    await trusted.call('PUT', `/developer/items/${item}`, { name: 'Other' });
    expect((await store.visitor().get<{ name: string }>(`/items/${item}`)).data.name).not.toBe('Other');
    await trust(false);
    expect(await send('1.6.0')).toBe('pending');
  });
});

describe('a token for one item', () => {
  it('publishes versions of that one and has no other access to its account', async () => {
    const [one, other] = [await idOf(submit(alice, 'one')), await idOf(submit(alice, 'other'))];
    const made = (item_id: number) =>
      alice.call<{ token: string }>('POST', '/auth/tokens', { name: 'ci', scopes: ['read', 'publish'], item_id });
    expect((await made(2_000_000)).status).toBe(404);
    const { data } = await made(one);
    const headers = { authorization: `Bearer ${data.token}` };
    const program = store.visitor();
    const send = async (id: number, slug: string) =>
      (await program.call('POST', `/developer/items/${id}/versions`, formOf({ version: '1.0.1' }, await pluginZip(slug)), headers)).status;
    expect([await send(one, 'one'), await send(other, 'other')]).toEqual([200, 403]);
    for (const path of ['/developer/items', `/developer/items/${other}`, '/auth/me'])
      expect([path, (await program.call('GET', path, undefined, headers)).status]).toEqual([path, 403]);
    expect((await program.call('GET', `/developer/items/${one}/review`, undefined, headers)).status).toBe(200);
    // Unpublished data of other items is unavailable to it.
    expect((await program.call('GET', `/items/${other}`, undefined, headers)).status).toBe(404);
    expect((await program.call('GET', `/items/${one}`, undefined, headers)).status).toBe(200);
  });
});
