/** If two people, or two tabs, change the same thing in the store, the second one sees the current values, and the input is kept. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { pictureForm, submit } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { tidyHtml } from '../support/tidy-html.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
let carol: StoreClient;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  [alice, bob, carol] = await Promise.all([store.member('Alice'), store.member('Bob'), store.member('Carol')]);
  admin = await store.member('Root', 'admin');
});
afterAll(() => store.close());

/** An item of Alice's with Bob as co-author. */
let id: number;
let path: string;
let nth = 0;
beforeEach(async () => {
  id = Number((await submit(alice, `tabs${(nth += 1)}`, { name: 'First', price: '3', tags: '["a","b"]' })).data.id);
  path = `/store/developer/items/${id}`;
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
  expect((await alice.call('PUT', `/developer/items/${id}/authors`, { username: 'Bob' })).status).toBe(200);
  expect((await bob.call('POST', `/developer/items/${id}/authors/accept`)).status).toBe(200);
});

const english = { 'accept-language': 'en' };
const pageOf = async (address: string, client: StoreClient): Promise<string> =>
  tidyHtml(await (await fetch(store.url + address, { headers: { ...english, cookie: client.cookie } })).text());
/** Submits a form of a page. @param headers `hx-request` as with a script */
async function send(client: StoreClient, address: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(store.url + address, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { ...english, cookie: client.cookie, ...headers },
  });
  return { status: response.status, html: tidyHtml(await response.text()) };
}
/** The values in a page's form, as a browser would send them. */
function formIn(html: string, action: string): Record<string, string> {
  const [, form = ''] = new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`).exec(html)!;
  const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', '#34': '"', '#39': "'" };
  const plain = (text = ''): string => text.replace(/&(#?\w+);/g, (_, name: string) => characters[name]!).trim();
  const value = (tag: string): string => plain(/ value="([^"]*)"/.exec(tag)?.[1]);
  const inputs = [...form.matchAll(/<input[^>]* name="(\w+)"[^>]*>/g)].map(([tag, name]) => [name!, value(tag)]);
  const areas = [...form.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>(.*?)<\/textarea>/g)].map(([, name, text]) => [name!, plain(text)]);
  return Object.fromEntries([...inputs, ...areas]) as Record<string, string>;
}
const formOf = async (page: string, action: string, client: StoreClient): Promise<Record<string, string>> =>
  formIn(await pageOf(page, client), action);
/** The pending requests. */
const waiting = async (): Promise<Record<string, string>> => {
  const { data } = await alice.get<{ edit_requests: { field: string; new_value: string; status: string }[] }>(
    `/developer/items/${id}/review`,
  );
  return Object.fromEntries(data.edit_requests.filter(({ status }) => status === 'pending').map((one) => [one.field, one.new_value]));
};

describe('the form of an item', () => {
  it('is shown again with the current values and the input, and accepted when it is sent again', async () => {
    const [first, second] = await Promise.all([formOf(path, `${path}/edit`, alice), formOf(path, `${path}/edit`, bob)]);
    expect(first).toMatchObject({ name: 'First', price: '3', tags: 'a, b' });
    expect((await send(alice, `${path}/edit`, { ...first, name: 'Of Alice', tags: 'c, d' })).status).toBe(303);
    const late = await send(bob, `${path}/edit`, { ...second, name: 'Of Bob', tags: 'e', price: '5' });
    expect(late.status).toBe(409);
    expect(late.html).toContain('Your input is kept.');
    expect(late.html).toContain('<strong>Name</strong>Changed in the meantime. Current value: Of Alice');
    expect(late.html).toContain('<strong>Tags</strong>Changed in the meantime. Current value: c, d');
    expect(late.html).toMatch(
      /aria-invalid="true"[^>]*><div class="invalid-feedback d-block" role="alert">Changed in the meantime. Current value: Of Alice/,
    );
    expect(late.html.match(/aria-invalid/g)).toHaveLength(2);
    expect(await waiting()).toEqual({ name: 'Of Alice', tags: '["c","d"]' });

    const again = formIn(late.html, `${path}/edit`);
    expect(again).toMatchObject({ name: 'Of Bob', tags: 'e', price: '5' });
    expect((await send(bob, `${path}/edit`, again)).status).toBe(303);
    expect(await waiting()).toEqual({ name: 'Of Bob', tags: '["e"]', price: '5.00' });
  });

  it('is compared with pending changes, and only with those it would affect', async () => {
    const second = await formOf(path, `${path}/edit`, bob);
    await alice.call('PUT', `/developer/items/${id}`, { name: 'Of Alice' });
    // Bob leaves the name unchanged: hers stays pending.
    expect((await send(bob, `${path}/edit`, { ...second, price: '5' })).status).toBe(303);
    expect(await waiting()).toEqual({ name: 'Of Alice', price: '5.00' });
    // A form opened from now on includes it.
    const third = await formOf(path, `${path}/edit`, bob);
    expect((await send(bob, `${path}/edit`, { ...third, name: 'Of Bob' })).status).toBe(303);
    expect(await waiting()).toEqual({ name: 'Of Bob', price: '5.00' });
    const asked = await admin.get<{ id: number; item_id: number }[]>('/admin/edit-requests?status=pending');
    for (const { id: request } of asked.data.filter(({ item_id }) => item_id === id))
      await admin.call('PUT', `/admin/edit-requests/${request}/approve`);
    // Saved as opened, it would revert name and price.
    const late = await send(bob, `${path}/edit`, { ...second, category: 'Tools' });
    expect([late.status, late.html]).toEqual([
      409,
      expect.stringContaining('<strong>Price (¥)</strong>Changed in the meantime. Current value: 5.00'),
    ]);
    expect(await waiting()).toEqual({});
  });

  it('gives a script the fields and the version to continue with', async () => {
    const second = await formOf(path, `${path}/edit`, bob);
    await alice.call('PUT', `/developer/items/${id}`, { homepage: 'https://example.com/' });
    const sent = { ...second, homepage: 'https://example.org/' };
    const told = await send(bob, `${path}/edit`, sent, { 'hx-request': 'true' });
    const [, version] = /^<div class="alert alert-danger"[^>]* data-row-version="([^"]+)"/.exec(told.html)!;
    expect([told.status, told.html]).toEqual([409, expect.stringContaining('<li class="text-break" data-field="homepage">')]);
    expect((await send(bob, `${path}/edit`, { ...sent, row_version: version! }, { 'hx-request': 'true' })).status).toBe(200);
    expect(await waiting()).toEqual({ homepage: 'https://example.org/' });
  });

  it('keeps its original version when it is rejected for another reason', async () => {
    const second = await formOf(path, `${path}/edit`, bob);
    await alice.call('PUT', `/developer/items/${id}`, { name: 'Of Alice' });
    const refused = await send(bob, `${path}/edit`, { ...second, name: 'Of Bob', homepage: 'nowhere' });
    expect(refused.status).toBe(400);
    expect((await send(bob, `${path}/edit`, { ...formIn(refused.html, `${path}/edit`), homepage: '' })).status).toBe(409);
  });

  it('is rejected in Chinese as well', async () => {
    const second = await formOf(path, `${path}/edit`, bob);
    await alice.call('PUT', `/developer/items/${id}`, { category: 'Tools' });
    const told = await send(bob, `${path}/edit`, { ...second, category: 'Fun' }, { 'accept-language': 'zh-CN' });
    expect(told.html).toContain('您输入的内容都还在');
    expect(told.html).toContain('在此期间已改为：Tools');
  });
});

it('the order of screenshots is stored and reported as changed, without addresses', async () => {
  const paths: string[] = [];
  for (let i = 0; i < 3; i++) paths.push((await alice.call<{ url: string }>('POST', '/upload/image', await pictureForm())).data.url);
  const [one, two, three] = paths as [string, string, string];
  const second = await formOf(path, `${path}/screenshots`, bob);
  expect((await alice.call('PUT', `/developer/items/${id}/screenshots`, { screenshots: [one] })).status).toBe(200);
  const sent = { ...second, screenshot_1: two, place_1: '2', screenshot_2: three, place_2: '1' };
  const late = await send(bob, `${path}/screenshots`, sent);
  expect([late.status, late.html]).toEqual([409, expect.stringContaining('<strong>Screenshots</strong>Changed in the meantime</li>')]);
  const again = formIn(late.html, `${path}/screenshots`);
  expect(again).toMatchObject({ screenshot_1: three, screenshot_2: two });
  expect((await send(bob, `${path}/screenshots`, again)).status).toBe(303);
  expect(await waiting()).toEqual({ screenshots: JSON.stringify([three, two]) });
});

it('a profile', async () => {
  const action = '/store/account';
  const second = await formOf(action, action, carol);
  const { url } = (await carol.call<{ url: string }>('POST', '/upload/image', await pictureForm())).data;
  await carol.call('PUT', '/auth/profile', { bio: 'First tab', avatar: url });
  const late = await send(carol, action, { ...second, bio: 'Second tab', email: 'second@example.org' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('<strong>Avatar</strong>Changed in the meantime</li>');
  expect(late.html).toContain('<strong>About you</strong>Changed in the meantime. Current value: First tab</li>');
  expect((await carol.get('/auth/me')).data).toMatchObject({ bio: 'First tab', avatar: url, email: 'carol@example.com' });
  const again = formIn(late.html, action);
  expect(again).toMatchObject({ bio: 'Second tab', email: 'second@example.org', avatar: '' });
  expect((await send(carol, action, again)).status).toBe(303);
  expect((await carol.get('/auth/me')).data).toMatchObject({ bio: 'Second tab', avatar: '', email: 'second@example.org' });
});

it('the signing key is replaced once, unless requested again', async () => {
  const [page, action] = ['/store/review/key', '/store/review/key'];
  const [first, second] = await Promise.all([formOf(page, action, admin), formOf(page, action, admin)]);
  const present = async (): Promise<string> => (await admin.get<{ key_id: string }>('/signing-key')).data.key_id;
  expect((await send(admin, action, first)).status).toBe(303);
  const made = await present();
  const late = await send(admin, action, second);
  expect([late.status, await present()]).toEqual([409, made]);
  expect(late.html).toContain(`<strong>Key</strong>Changed in the meantime. Current value: ${made}`);
  expect((await send(admin, action, formIn(late.html, action))).status).toBe(303);
  expect(await present()).not.toBe(made);
});

describe('a rating', () => {
  const page = () => `/store/items/${id}`;

  it('is compared with the one that was submitted meanwhile, including the first one', async () => {
    const action = `${page()}/rate`;
    const second = await formOf(page(), action, carol);
    expect((await send(carol, action, { ...second, stars: '5', text: 'Good' })).status).toBe(303);
    const late = await send(carol, action, { ...second, stars: '1', text: 'Bad' });
    expect(late.status).toBe(409);
    expect(late.html).toContain('<strong>Stars</strong>Changed in the meantime. Current value: 5</li>');
    expect(late.html).toContain('Current value: Good</li>');
    expect(late.html).toContain('<option value="1" selected>');
    // The problem is shown in its own form, and nowhere else.
    expect(late.html.match(/role="alert"/g)).toHaveLength(1);
    expect(late.html).not.toContain('aria-invalid');
    const again = formIn(late.html, action);
    expect(again).toMatchObject({ text: 'Bad' });
    expect((await send(carol, action, { ...again, stars: '1' })).status).toBe(303);
    expect((await carol.get<object[]>(`/items/${id}/ratings/mine`)).data).toMatchObject([{ stars: 1, text: 'Bad' }]);
  });

  it('has a separate answer, whatever its writer changes', async () => {
    const { data: given } = await carol.call<{ id: number }>('PUT', `/items/${id}/rating`, { stars: 3, text: 'Fair' });
    const action = `${page()}/reply`;
    const second = await formOf(page(), action, alice);
    await carol.call('PUT', `/items/${id}/rating`, { stars: 4, text: 'Better' });
    expect((await bob.call('PUT', `/ratings/${given.id}/reply`, { text: 'Of Bob' })).status).toBe(200);
    const late = await send(alice, action, { ...second, text: 'Of Alice' });
    expect(late.status).toBe(409);
    expect(late.html).toContain('<strong>Reply</strong>Changed in the meantime. Current value: Of Bob</li>');
    expect(late.html).not.toContain('Current value: Better');
    const again = formIn(late.html, action);
    expect(again).toMatchObject({ text: 'Of Alice' });
    expect((await send(alice, action, again)).status).toBe(303);
    expect((await carol.get<object[]>(`/items/${id}/ratings/mine`)).data).toMatchObject([{ text: 'Better', reply: 'Of Alice' }]);
  });
});

describe('a program using the API', () => {
  const change = (body: object) => bob.call('PUT', `/developer/items/${id}`, body, english);

  it('reads a version, and gets 409 with the fields when it is outdated', async () => {
    const read = async () => (await bob.get<{ row_version: string }>(`/developer/items/${id}`)).data.row_version;
    const row_version = await read();
    await alice.call('PUT', `/developer/items/${id}`, { name: 'Of Alice', price: 4 });
    expect(await change({ name: 'Of Bob', price: 5, row_version })).toMatchObject({
      status: 409,
      code: 409,
      msg: expect.stringContaining('Someone else has changed this since you loaded it: name, price'),
      data: null,
    });
    expect(await change({ name: 'Of Bob', price: 5, row_version: await read() })).toMatchObject({ status: 200, data: { requests: 2 } });
  });

  it('without a version changes everything as before; an invalid version is rejected', async () => {
    await alice.call('PUT', `/developer/items/${id}`, { name: 'Of Alice' });
    for (const [n, body] of [{}, { row_version: '' }, { row_version: null }].entries())
      expect(await change({ name: `Of Bob ${n}`, ...body })).toMatchObject({ status: 200, data: { requests: 1 } });
    for (const row_version of ['x', 7, {}, ['name:aaaaaa'], 'name:short', 'name:aaaaaa,'.repeat(1_000)])
      for (const [method, target, body] of [
        ['PUT', `/developer/items/${id}`, { name: 'x' }],
        ['PUT', `/developer/items/${id}/screenshots`, { screenshots: [] }],
        ['PUT', '/auth/profile', { bio: 'x' }],
      ] as const)
        expect([target, row_version, await bob.call(method, target, { ...body, row_version }, english)]).toEqual([
          target,
          row_version,
          expect.objectContaining({ status: 400, msg: expect.stringContaining('"row_version"') as string, data: null }),
        ]);
    const page = await send(bob, `${path}/edit`, { name: 'x', description: 'x', row_version: 'x' });
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('row_version')]);
    // Unknown fields are not compared.
    expect((await change({ price: 8, row_version: 'nothing:aaaaaa' })).status).toBe(200);
  });

  it('saving several times at once succeeds once', async () => {
    const each = async (attempt: (n: number) => Promise<{ status: number }>): Promise<number[]> => {
      const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => attempt(n)));
      return answers.map(({ status }) => status).sort();
    };
    const oneOfSix = [200, 409, 409, 409, 409, 409];
    const { row_version } = (await bob.get<{ row_version: string }>(`/developer/items/${id}`)).data;
    expect(await each((n) => change({ name: `Of tab ${n}`, row_version }))).toEqual(oneOfSix);
    const { data: me } = await bob.get<{ row_version: string }>('/auth/me');
    expect(await each((n) => bob.call('PUT', '/auth/profile', { bio: `tab ${n}`, row_version: me.row_version }))).toEqual(oneOfSix);
    const { data: given } = await carol.call<{ id: number; row_version: string }>('PUT', `/items/${id}/rating`, { stars: 3 });
    const rate = (n: number) => carol.call('PUT', `/items/${id}/rating`, { stars: 4, text: `tab ${n}`, row_version: given.row_version });
    expect(await each(rate)).toEqual(oneOfSix);
    const reply = (n: number) => alice.call('PUT', `/ratings/${given.id}/reply`, { text: `tab ${n}`, row_version: given.row_version });
    expect(await each(reply)).toEqual(oneOfSix);
  });
});
