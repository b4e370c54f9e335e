import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreVersion } from '../../src/store/index.js';
import { StoreToken } from '../../src/store/entities/index.js';
import { formOf, pluginZip, submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreAnswer, type StoreClient } from '../support/store.js';

// docs/store-api.md "Publishing" and "Tokens": each sentence about the limits of one author or one token.

let store: TestStore;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ RATE_LIMIT: 'on', LOG_LEVEL: 'silent' });
  admin = await store.member('Root', 'admin');
});
afterAll(() => store.close());

type Bearer = Record<'authorization', string>;
const published = async (author: StoreClient, slug: string): Promise<number> => {
  const { data } = await submit(author, slug);
  const id = Number(data.id);
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
  return id;
};
const together = async (author: StoreClient, other: StoreClient, name: string, id: number): Promise<void> => {
  expect((await author.call('PUT', `/developer/items/${id}/authors`, { username: name })).status).toBe(200);
  expect((await other.call('POST', `/developer/items/${id}/authors/accept`)).status).toBe(200);
};
const tokenFor = async (client: StoreClient, fields: object = {}): Promise<{ id: number; headers: Bearer }> => {
  const form = { name: 'ci', scopes: ['read', 'publish'], ...fields };
  const { status, data } = await client.call<{ id: number; token: string }>('POST', '/auth/tokens', form);
  expect(status).toBe(200);
  return { id: data.id, headers: { authorization: `Bearer ${data.token}` } };
};
/** How many identical requests are accepted before 429, which says when to retry. */
async function letIn(send: (at: number) => Promise<StoreAnswer>, most: number): Promise<{ before: number; seconds: number }> {
  for (let before = 0; before <= most; before += 1) {
    const { status, headers } = await send(before);
    if (status === 429) return { before, seconds: Number(headers.get('retry-after')) };
  }
  throw new Error(`More than ${most} were let in.`);
}

describe('one author', () => {
  it('has 100 versions in 24 hours, for all authors together and however many arrive at once', { timeout: 60_000 }, async () => {
    const [author, other] = [await store.member('Busy'), await store.member('Helper')];
    const id = await published(author, 'busy');
    await together(author, other, 'Helper', id);
    const rows = store.database.repository(StoreVersion);
    const { id: _id, item: _item, ...first } = await rows.findOneByOrFail({ itemId: id });
    const old = (n: number) => rows.create({ ...first, version: `0.0.${n}`, versionKey: `0.0.${n}`, status: 'superseded' });
    await rows.save(Array.from({ length: 96 }, (_none, n) => old(n)));
    const send = (client: StoreClient, version: string) => submitVersion(client, id, 'busy', version);
    // 97 exist: three more.
    const answers = await Promise.all(Array.from({ length: 8 }, (_none, n) => send(n % 2 ? author : other, `1.1.${n}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 400, msg: expect.stringContaining('100') as string });
    for (const client of [author, other]) expect((await send(client, '1.2.0')).status).toBe(400);
    // Neither another author nor an administrator is affected.
    expect((await submit(other, 'of-the-helper')).status).toBe(200);
    expect((await submit(admin, 'of-the-admin')).status).toBe(200);
    // A day later.
    await rows.update({ itemId: id }, { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1_000) });
    expect((await send(other, '1.2.0')).status).toBe(200);
  });

  it('has 20 new items in review at a time, however many arrive at once', { timeout: 60_000 }, async () => {
    const author = await store.member('Eager');
    const ids: number[] = [];
    for (let n = 0; n < 17; n += 1) ids.push(Number((await submit(author, `eager-${n}`)).data.id));
    const answers = await Promise.all(Array.from({ length: 8 }, (_none, n) => submit(author, `at-once-${n}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await submit(author, 'one-more')).toMatchObject({ status: 400, msg: expect.stringContaining('20') as string });
    // A new version of an item in review is no new item.
    expect((await submitVersion(author, ids[0]!, 'eager-0', '1.0.1')).status).toBe(200);
    expect((await admin.call('PUT', `/admin/items/${ids[0]}/approve`)).status).toBe(200);
    expect((await submit(author, 'one-more')).status).toBe(200);
  });

  const empty = () => formOf({});
  it.each<[string, number, number, (client: StoreClient, id: number) => Promise<StoreAnswer>]>([
    ['uploads', 60, 3_600, (client) => client.call('POST', '/developer/validate', empty())],
    ['pictures', 60, 3_600, (client) => client.call('POST', '/upload/image', empty())],
    ['previews', 60, 600, (client) => client.call('POST', '/developer/preview', { description: 'x' })],
    ['ratings', 30, 3_600, (client, id) => client.call('PUT', `/items/${id}/rating`, { stars: 4 })],
    ['tries at the old password', 10, 600, (client) => client.call('PUT', '/auth/password', { oldPassword: 'x', newPassword: 'secret-2' })],
  ])('has this many %s: %i in %i seconds, without affecting others', { timeout: 60_000 }, async (what, most, window, send) => {
    const slug = what.split(' ')[0]!;
    const id = await published(await store.member(`Author ${slug}`), slug);
    const [one, other] = [await store.member(`One ${slug}`), await store.member(`Other ${slug}`)];
    const { before, seconds } = await letIn(() => send(one, id), most);
    expect(before).toBe(most);
    expect([seconds > 0, seconds <= window]).toEqual([true, true]);
    expect((await send(other, id)).status).not.toBe(429);
  });

  it('cannot upload more with tokens or another form', { timeout: 60_000 }, async () => {
    const author = await store.member('By-tokens');
    const id = await published(author, 'by-tokens');
    const tokens = [(await tokenFor(author)).headers, (await tokenFor(author, { item_id: id })).headers];
    const paths = ['/developer/validate', `/developer/items/${id}/versions`];
    const send = (at: number) => store.visitor().call('POST', paths[at % 2]!, empty(), tokens[(at >> 1) % 2]);
    // The version that came with the item counts.
    expect(await letIn(send, 60)).toMatchObject({ before: 59 });
    expect((await submitVersion(author, id, 'by-tokens', '1.0.1')).status).toBe(429);
  });
});

it('reports are limited to 10 per address and hour, for items and ratings together', async () => {
  const author = await store.member('Reported');
  const id = await published(author, 'reported');
  const rating = await (await store.member('Rater')).call<{ id: number }>('PUT', `/items/${id}/rating`, { stars: 1 });
  const of = [`/items/${id}/report`, `/ratings/${rating.data.id}/report`];
  expect((await letIn((at) => store.visitor().call('POST', of[at % 2]!, { reason: 'spam' }), 10)).before).toBe(10);
});

describe('a token', () => {
  it('is valid for 90 days by default, from 1 to 365 on request, and then expires', async () => {
    const author = await store.member('Keeper');
    const rows = store.database.repository(StoreToken);
    const lasts = async (fields: object): Promise<number> => {
      const { id } = await tokenFor(author, fields);
      return Math.round(((await rows.findOneByOrFail({ id })).expiresAt.getTime() - Date.now()) / 86_400_000);
    };
    expect([await lasts({}), await lasts({ days: 1 }), await lasts({ days: 365 })]).toEqual([90, 1, 365]);
    for (const days of [0, 366, 1.5, 'x'])
      expect((await author.call('POST', '/auth/tokens', { name: 'x', scopes: ['read'], days })).status).toBe(400);
    const { id, headers } = await tokenFor(author);
    const status = async () => (await store.visitor().call('GET', '/developer/items', undefined, headers)).status;
    expect(await status()).toBe(200);
    await rows.update({ id }, { expiresAt: new Date() });
    expect(await status()).toBe(401);
  });

  it('stays valid when the password changes, unless its owner ends it', async () => {
    const author = store.visitor();
    await author.register('Changing', 'secret-1');
    const { headers } = await tokenFor(author);
    const status = async () => (await store.visitor().call('GET', '/developer/items', undefined, headers)).status;
    const change = (oldPassword: string, newPassword: string, more: object = {}) =>
      author.call('PUT', '/auth/password', { oldPassword, newPassword, ...more });
    expect(await change('secret-1', 'secret-2')).toMatchObject({ status: 200, data: { tokens_ended: 0, tokens_left: 1 } });
    expect(await status()).toBe(200);
    expect(await change('secret-2', 'secret-3', { endTokens: true })).toMatchObject({ data: { tokens_ended: 1, tokens_left: 0 } });
    expect(await status()).toBe(401);
  });
});

describe('a token for one item', () => {
  it('has no access to the rest of its account, except for calls that store nothing', async () => {
    const author = await store.member('Owner');
    const [one, other] = [await published(author, 'owned'), await published(author, 'owned-too')];
    const foreign = await published(await store.member('Somebody'), 'foreign');
    const { headers } = await tokenFor(author, { item_id: one });
    const program = store.visitor();
    const status = async (method: string, path: string, body?: object) => (await program.call(method, path, body, headers)).status;
    const version = async (version: string) => formOf({ version }, await pluginZip('owned', version));
    // All operations on its own item.
    for (const path of ['', '/versions', '/review'])
      expect([path, await status('GET', `/developer/items/${one}${path}`)]).toEqual([path, 200]);
    expect(await status('POST', `/developer/items/${one}/versions`, await version('1.1.0'))).toBe(200);
    expect(await status('PUT', `/developer/items/${one}`, { price: 2 })).toBe(200);
    expect(await status('DELETE', `/developer/items/${one}/versions/1.1.0`)).toBe(200);
    // No access to other items, nothing new.
    for (const [method, path, body] of [
      ['GET', '/developer/items'],
      [
        'POST',
        '/developer/items',
        formOf({ type: 'plugin', slug: 'fresh', name: 'F', version: '1.0.0', description: 'd' }, await pluginZip('fresh')),
      ],
      ['POST', `/developer/items/${other}/versions`, await version('1.1.0')],
      ['PUT', `/developer/items/${other}`, { price: 2 }],
      ['GET', `/developer/items/${other}/versions`],
      ['GET', `/developer/items/${foreign}`],
      ['PUT', `/items/${foreign}/rating`, { stars: 5 }],
      ['GET', '/developer/webhooks'],
      ['GET', '/auth/me'],
    ] as const)
      expect([method, path, await status(method, path, body)]).toEqual([method, path, 403]);
    expect(await status('POST', '/developer/preview', { description: 'x' })).toBe(200);
    expect(await status('POST', '/developer/validate', formOf({ type: 'plugin', slug: 'owned' }, await pluginZip('owned')))).toBe(200);
    expect(await status('POST', '/upload/image', formOf({}))).toBe(400);
  });

  it('is available to authors of the item as long as they are authors', async () => {
    const [author, other] = [await store.member('First-author'), await store.member('Second-author')];
    const { data } = await submit(author, 'common');
    const id = Number(data.id);
    const ask = (client: StoreClient) => client.call('POST', '/auth/tokens', { name: 'x', scopes: ['read'], item_id: id });
    expect((await author.call('PUT', `/developer/items/${id}/authors`, { username: 'Second-author' })).status).toBe(200);
    expect((await ask(other)).status).toBe(404);
    expect((await other.call('POST', `/developer/items/${id}/authors/accept`)).status).toBe(200);
    const { headers } = await tokenFor(other, { item_id: id });
    const status = async (path: string) => (await store.visitor().send('GET', path, { headers })).status;
    const version = async () =>
      (
        await store
          .visitor()
          .call('POST', `/developer/items/${id}/versions`, formOf({ version: '1.0.1' }, await pluginZip('common', '1.0.1')), headers)
      ).status;
    // Nothing of it is published yet.
    expect([await status(`/developer/items/${id}`), await status(`/items/${id}/versions/1.0.0/download`)]).toEqual([200, 200]);
    expect(await version()).toBe(200);
    expect((await author.call('POST', `/developer/items/${id}/authors/remove`, { user_id: other.userId })).status).toBe(200);
    expect([await status(`/developer/items/${id}`), await status(`/items/${id}/versions/1.0.0/download`), await version()]).toEqual([
      404, 404, 404,
    ]);
  });
});
