import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Clock } from '../../src/common/index.js';
import { StoreDownload, StoreItem, StoreReport } from '../../src/store/index.js';
import { DownloadCounter } from '../../src/store/downloads/download-counter.js';
import { Moderation } from '../../src/store/review/moderation.js';
import { TestStore } from '../support/store.js';
import { submit } from '../support/store-packages.js';

let store: TestStore;
let itemId: number;
beforeAll(async () => {
  store = await TestStore.start({ RATE_LIMIT: 'on' });
  itemId = (await submit(await store.member('RowsAuthor'), 'rows-item')).data.id;
});
afterAll(() => store?.close());

describe('F8 rows of the store', () => {
  const rows = () => store.database.repository(StoreDownload).countBy({ itemId });

  it('from one address a thousand downloads an hour are logged and counted; others continue', async () => {
    const counter = store.provider(DownloadCounter);
    const download = (ip: string) => counter.count({ itemId, version: '1.0.0', userId: null, ip });
    for (let n = 0; n < 1_050; n += 1) await download('192.0.2.1');
    expect(await rows()).toBe(1_000);
    await download('192.0.2.2');
    expect(await rows()).toBe(1_001);
    expect((await store.database.repository(StoreItem).findOneByOrFail({ id: itemId })).downloads).toBe(1_001);
  }, 60_000);

  it('old downloads and reports closed long ago are removed', async () => {
    const ago = (days: number): Date => new Date(store.provider(Clock).now().getTime() - days * 86_400_000);
    const downloads = store.database.repository(StoreDownload);
    const before = await rows();
    await downloads.insert({ itemId, version: '1.0.0', userId: null, ip: '192.0.2.3', createdAt: ago(401) });
    await store.provider(DownloadCounter).removeVisitors();
    expect(await rows()).toBe(before);
    const reports = store.database.repository(StoreReport);
    const report = { itemId, reason: 'spam', text: '', reporterId: null, ip: '', status: 'closed' as const, createdAt: ago(400) };
    await reports.insert([
      { ...report, closedAt: ago(181) },
      { ...report, closedAt: ago(1) },
      { ...report, status: 'open', closedAt: null },
    ]);
    await store.provider(Moderation).removeOldReports();
    expect((await reports.findBy({ itemId })).map(({ status }) => status).sort()).toEqual(['closed', 'open']);
  });
});
