import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start();
});
afterAll(() => store.close());

describe('addresses under /api', () => {
  it.each(['/nothing', '/items/../nothing', '/admin', '/AUTH/ME'])('that do not exist return 404 in the envelope: %s', async (path) => {
    const answer = await store.visitor().get(path);
    expect(answer).toMatchObject({ status: 404, code: 404, msg: 'Not Found', data: null });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('leave the panel its own addresses', async () => {
    const answer = await fetch(`${store.url}/api/api.php?gn=cfif`, { method: 'POST' });
    expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([200, false]);
  });
});
