import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start();
});
afterAll(() => store.close());

describe('addresses under /api', () => {
  it.each(['/nothing', '/items/../nothing', '/admin', '/AUTH/ME'])('that are nothing answer 404 in the envelope: %s', async (path) => {
    const answer = await store.visitor().get(path);
    expect(answer).toMatchObject({ status: 404, code: 404, msg: '没有这个地址，请检查是否写错；全部接口见 /api/docs', data: null });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it.each([['accept-language', 'en'], ['cookie', 'lang=en']])('say so in the language of whoever asks: %s %s', async (name, value) => {
    const answer = await store.visitor().call('POST', '/nothing', {}, { [name]: value });
    expect(answer).toMatchObject({ status: 404, code: 404, msg: 'There is no such address; check how it is written. /api/docs lists all there are', data: null });
  });

  it('leave the panel its own', async () => {
    const answer = await fetch(`${store.url}/api/api.php?gn=cfif`, { method: 'POST' });
    expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([200, false]);
  });
});
