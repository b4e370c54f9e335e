import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { DownloadCounter } from '../../src/store/downloads/download-counter.js';
import { WriteProbe } from '../../src/app/write-probe.js';
import { submit } from '../support/store-packages.js';
import { TestStore } from '../support/store.js';

let store: TestStore;
let path: string;
beforeAll(async () => {
  store = await TestStore.start();
  const [author, admin] = [await store.member('Alice'), await store.member('Root', 'admin')];
  const { data } = await submit(author, 'wanted');
  await admin.call('PUT', `/admin/items/${data.id}/approve`);
  path = `/items/${data.id}`;
});
afterAll(() => store.close());

const full = (): Promise<never> => Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
const readiness = async () => {
  // As if five seconds had passed.
  Object.assign(store.provider(WriteProbe), { askedAt: -Infinity });
  const response = await fetch(`${store.url}/readyz`);
  return { ...((await response.json()) as { unwritable: string[] }), status: response.status };
};

describe('F23 full disk', () => {
  it('downloads are served while they cannot be logged, and logged once they can', async () => {
    const counter = store.provider(DownloadCounter);
    const visitor = store.visitor();
    const writes = vi.spyOn(counter as unknown as { write: () => Promise<void> }, 'write').mockImplementation(full);
    for (let i = 0; i < 3; i += 1) expect((await visitor.send('GET', `${path}/download`)).status).toBe(200);
    expect(writes).toHaveBeenCalledTimes(3);
    writes.mockRestore();
    expect((await visitor.send('GET', `${path}/download`)).status).toBe(200);
    const downloads = async (): Promise<unknown> =>
      (await store.database.query<{ n: number }>('SELECT COUNT(*) AS n FROM SVC_store_download'))[0]!.n;
    await expect.poll(async () => Number(await downloads())).toBe(4);
  });

  it('downloads that could not be logged are logged on schedule, even without further downloads', async () => {
    const counter = store.provider(DownloadCounter);
    counter.retryAfter = 20;
    const count = async (): Promise<number> =>
      Number((await store.database.query<{ n: number }>('SELECT COUNT(*) AS n FROM SVC_store_download'))[0]!.n);
    const before = await count();
    const writes = vi.spyOn(counter as unknown as { write: () => Promise<void> }, 'write').mockImplementation(full);
    expect((await store.visitor().send('GET', `${path}/download`)).status).toBe(200);
    await expect.poll(() => writes.mock.calls.length).toBeGreaterThan(2);
    writes.mockRestore();
    await expect.poll(count).toBe(before + 1);
  });

  it.each([
    ['data folder', 'writeFile'],
    ['database', 'writeRow'],
  ] as const)('readyz names the %s that cannot be written, and recovers once it can', async (name, method) => {
    expect(await readiness()).toMatchObject({ status: 200, database: true });
    const writes = vi.spyOn(store.provider(WriteProbe), method).mockImplementation(full);
    expect(await readiness()).toMatchObject({ status: 503, unwritable: [name] });
    writes.mockRestore();
    expect(await readiness()).toMatchObject({ status: 200, database: true });
  });
});
