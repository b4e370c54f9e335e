import { createHash } from 'node:crypto';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreAudit, StoreImage } from '../../src/store/index.js';
import { StoreSweep } from '../../src/store/items/store-sweep.js';
import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { filesIn, submit } from '../support/store-packages.js';

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

const pixels = (): Promise<Buffer> => sharp({ create: { width: 4, height: 3, channels: 3, background: '#f00' } }).png().toBuffer();

function imageForm(data: Buffer, name = 'a.png'): FormData {
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(data)]), name);
  return form;
}

describe('a picture', () => {
  it('is taken from whoever is signed in, and served as a picture only', async () => {
    const answer = await alice.call<{ url: string; filename: string }>('POST', '/upload/image', imageForm(await pixels()));
    expect(answer).toMatchObject({ status: 200, msg: '上传成功' });
    expect(answer.data.url).toMatch(/^\/uploads\/images\/[\w-]+\.png$/);
    const served = await fetch(store.url + answer.data.url);
    expect(served.status).toBe(200);
    expect(Object.fromEntries(served.headers)).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" });
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(4);
    for (const path of ['/uploads/images/none.png', '/uploads/images/..%2fsigning-key.pem', '/uploads/packages', '/uploads/']) expect((await fetch(store.url + path)).status).toBe(404);

    expect((await alice.call('POST', '/upload/image', imageForm(Buffer.from('<svg/>'), 'a.svg'))).status).toBe(400);
    expect((await alice.call('POST', '/upload/image', new FormData())).status).toBe(400);
    expect((await alice.call('POST', '/upload/image', imageForm(Buffer.alloc(5 * 1024 * 1024 + 1)))).status).toBe(400);
    expect((await store.visitor().call('POST', '/upload/image', imageForm(await pixels()))).status).toBe(401);
    expect(filesIn(store, 'images')).toEqual([answer.data.filename]);
  });

  it('that nothing shows is swept', async () => {
    const { data } = await alice.call<{ url: string; filename: string }>('POST', '/upload/image', imageForm(await pixels()));
    await submit(alice, 'shown', { main_image: data.url });
    expect(await store.provider(StoreSweep).pictures(0)).toBe(1);
    expect(filesIn(store, 'images')).toEqual([data.filename]);
    expect(await store.database.repository(StoreImage).count()).toBe(1);
  });
});

describe('a report', () => {
  it('is kept for administrators, who close it once', async () => {
    const { data: item } = await submit(alice, 'reported');
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'malware' })).status).toBe(404);
    await admin.call('PUT', `/admin/items/${item.id}/approve`);
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'x' })).status).toBe(400);
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'malware', text: 'bad' })).status).toBe(200);
    const list = await admin.get<{ items: { id: number }[]; total: number }>('/admin/reports?status=open');
    expect(list.data).toMatchObject({ total: 1, items: [{ reason: 'malware', text: 'bad', slug: 'reported', reporter_id: null }] });
    const close = `/admin/reports/${list.data.items[0]!.id}/close`;
    expect((await Promise.all([admin.call('PUT', close), admin.call('PUT', close)])).map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await alice.get('/admin/reports')).status).toBe(403);
  });
});

describe('a blocked file', () => {
  it('is found in packages until it is taken off the list', async () => {
    const code = 'module.exports = () => {};\n';
    const sha256 = createHash('sha256').update(code).digest('hex');
    const added = await admin.call<{ id: number }>('POST', '/admin/blocked-digests', { sha256: sha256.toUpperCase(), reason: 'bad' });
    expect(added.status).toBe(200);
    expect((await admin.call('POST', '/admin/blocked-digests', { sha256 })).status).toBe(400);
    const { data: item } = await submit(alice, 'blocked');
    const rules = (await alice.get<{ findings: { rule: string }[] }>(`/developer/items/${item.id}/review`)).data.findings.map(({ rule }) => rule);
    expect(rules).toContain('blocked');
    expect((await admin.get<{ total: number }>('/admin/blocked-digests')).data.total).toBe(1);
    expect((await admin.call('DELETE', `/admin/blocked-digests/${added.data.id}`)).status).toBe(200);
    expect((await admin.call('DELETE', `/admin/blocked-digests/${added.data.id}`)).status).toBe(404);
    expect(await store.database.repository(StoreAudit).countBy({ subject: 'digest' })).toBe(2);
  });
});

describe('the sweep', () => {
  it('takes packages whose item was deleted, and no others', async () => {
    const { data: kept } = await submit(alice, 'kept');
    const { data: gone } = await submit(alice, 'swept');
    await admin.call('DELETE', `/admin/items/${gone.id}`);
    expect(await store.provider(StoreSweep).packages(3_600_000)).toBe(0);
    expect(await store.provider(StoreSweep).packages(0)).toBe(1);
    expect(filesIn(store, 'packages')).toContain(`${kept.sha256}.zip`);
    expect(filesIn(store, 'packages')).not.toContain(`${gone.sha256}.zip`);
  });
});
