import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start();
});
afterAll(() => store.close());

const MARKUP_ADDRESSES = [
  '"<svg/onload=alert(1)>"@x.example',
  '"a b"@x.example',
  '"quoted"@x.example',
  '<b>a@x.example',
  'a<b@x.example',
  "o'brien@x.example",
  'a&lt;b@x.example',
  'a`b@x.example',
  'a"b@x.example',
  'A <a@x.example>',
  'a@x.example>',
  'a@<script>.example',
  'javascript:alert(1)@x.example',
  'a@[127.0.0.1]',
];
const MARKUP_TEXTS = ['<svg/onload=alert(1)>', 'a <img src=x onerror=alert(1)>', 'unclosed <b', '-->', '&lt;b&gt; is fine, > is not'];

describe('F9 e-mail addresses and texts as markup', () => {
  it.each(MARKUP_ADDRESSES)('%s is not a valid address, whoever enters it', async (email) => {
    expect(await store.visitor().call('POST', '/auth/register', { username: 'marker', password: 'secret-1', email })).toMatchObject({
      status: 400,
      data: null,
    });
    const member = await store.member(`m${MARKUP_ADDRESSES.indexOf(email)}`);
    expect((await member.call('PUT', '/auth/profile', { email })).status).toBe(400);
    const admin = await store.member(`a${MARKUP_ADDRESSES.indexOf(email)}`, 'admin');
    expect((await admin.call('PUT', `/admin/users/${member.userId}`, { email })).status).toBe(400);
  });

  it.each(['first.last+tag@example.org', 'o-b_1@sub.example.co', 'x!#$%*/=?^{|}~@example.org', '用户@例子.公司'])(
    '%s is valid',
    async (email) => {
      const member = await store.member(`ok${Buffer.from(email).toString('hex').slice(0, 20)}`);
      expect(await member.call('PUT', '/auth/profile', { email })).toMatchObject({ status: 200, data: { email } });
    },
  );

  it('a biography is plain text', async () => {
    const member = await store.member('author');
    const admin = await store.member('overseer', 'admin');
    for (const bio of MARKUP_TEXTS) {
      expect([bio, (await member.call('PUT', '/auth/profile', { bio })).status]).toEqual([bio, 400]);
      expect([bio, (await admin.call('PUT', `/admin/users/${member.userId}`, { bio })).status]).toEqual([bio, 400]);
    }
    expect(await member.call('PUT', '/auth/profile', { bio: 'Tom & Jerry "quote" it\'s\n1 + 1 = 2' })).toMatchObject({ status: 200 });
    expect((await member.call('PUT', '/auth/profile', { bio: '<' }, { 'accept-language': 'en' })).msg).toBe(
      'Your bio can have up to 500 visible characters, without < and >',
    );
  });
});
