import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { verifyPackage } from '../../src/store/packages/index.js';
import { StoreAudit, StoreDownload, StoreDownloadDay, StoreItem } from '../../src/store/index.js';
import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { pluginZip, submit, submitVersion } from '../support/store-packages.js';

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
let bob: StoreClient;
let visitor: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
  bob = await store.member('Bob');
  visitor = store.visitor();
});
afterAll(() => store.close());

async function published(slug: string, fields: Record<string, string> = {}): Promise<number> {
  const { data } = await submit(alice, slug, fields);
  expect(await admin.call('PUT', `/admin/items/${data.id}/approve`)).toMatchObject({ status: 200, msg: '已审核通过' });
  return data.id;
}

describe('a decision', () => {
  it('follows the states, and names the current one when it is not possible', async () => {
    const { data: item } = await submit(alice, 'states');
    const decide = (what: string, body?: object) => admin.call('PUT', `/admin/items/${item.id}/${what}`, body);
    expect((await visitor.get(`/items/${item.id}`)).status).toBe(404);
    expect(await decide('suspend')).toMatchObject({ status: 400, msg: '当前状态为 pending，不能执行此操作；请刷新后查看' });
    expect(await decide('reject', { msg: '缺少说明' })).toMatchObject({ status: 200, msg: '已驳回' });
    expect((await alice.get(`/developer/items/${item.id}`)).data).toMatchObject({ status: 'rejected', review_msg: '缺少说明' });
    expect((await decide('approve')).msg).toContain('rejected');
    await submitVersion(alice, item.id, 'states', '1.0.1');
    expect((await alice.get(`/developer/items/${item.id}`)).data).toMatchObject({ status: 'pending', version: '1.0.1' });
    expect((await decide('approve')).status).toBe(200);
    expect((await decide('approve')).msg).toContain('approved');
    expect((await decide('suspend')).msg).toBe('已下架');
    expect((await visitor.get(`/items/${item.id}`)).status).toBe(404);
    expect((await decide('approve')).status).toBe(200);
    expect((await visitor.get(`/items/${item.id}`)).data).toMatchObject({ status: 'approved', version: '1.0.1' });
    const actions = await store.database
      .repository(StoreAudit)
      .find({ where: { subject: 'item', subjectId: item.id, actorId: admin.userId }, order: { id: 'ASC' } });
    expect(actions.map(({ action }) => action)).toEqual(['item.reject', 'item.approve', 'item.suspend', 'item.approve']);
    expect((await admin.call('PUT', '/admin/items/999999/approve')).status).toBe(404);
    expect((await bob.call('PUT', `/admin/items/${item.id}/suspend`)).status).toBe(403);
  });

  it('by two reviewers at once counts once', async () => {
    const { data: item } = await submit(alice, 'race');
    const answers = await Promise.all([
      admin.call('PUT', `/admin/items/${item.id}/approve`),
      admin.call('PUT', `/admin/items/${item.id}/reject`, { msg: 'no' }),
      admin.call('PUT', `/admin/items/${item.id}/approve`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const { status } = (await alice.get<{ status: string }>(`/developer/items/${item.id}`)).data;
    for (const lost of answers.filter((answer) => answer.status === 400)) expect(lost.msg).toContain(status);
    expect(await store.database.repository(StoreAudit).countBy({ subject: 'item', subjectId: item.id, actorId: admin.userId })).toBe(1);
  });

  it('about a waiting version keeps the published one until it is approved', async () => {
    const id = await published('waits');
    const old = (await visitor.get(`/items/${id}`)).data;
    await submitVersion(alice, id, 'waits', '2.0.0', 'module.exports = 2;\n');
    expect((await visitor.get(`/items/${id}`)).data).toMatchObject({ version: '1.0.0', sha256: old.sha256 });
    expect(
      (await admin.get<{ item_id: number; version: string }[]>('/admin/versions')).data.find(({ item_id }) => item_id === id),
    ).toMatchObject({ version: '2.0.0', item_name: 'waits' });
    await admin.call('PUT', `/admin/items/${id}/reject`, { msg: '不行' });
    expect((await visitor.get(`/items/${id}`)).data).toMatchObject({ status: 'approved', version: '1.0.0' });
    await submitVersion(alice, id, 'waits', '2.0.1', 'module.exports = 3;\n');
    await admin.call('PUT', `/admin/items/${id}/suspend`);
    await admin.call('PUT', `/admin/items/${id}/approve`);
    const item = (await visitor.get<{ version: string; sha256: string; zip_size: number }>(`/items/${id}`)).data;
    expect(item).toMatchObject({ status: 'approved', version: '2.0.1' });
    const versions = (
      await visitor.get<{ version: string; signature: string; signed_at: string; key_id: string }[]>(`/items/${id}/versions`)
    ).data;
    expect(versions.map(({ version }) => version)).toEqual(['2.0.1', '1.0.0']);
    const { data: key } = await visitor.get<{ key_id: string; algorithm: string; public_key: string }>('/signing-key');
    expect([key.algorithm, key.key_id]).toEqual(['ed25519', versions[0]!.key_id]);
    expect(
      verifyPackage(
        { type: 'plugin', slug: 'waits', version: '2.0.1', sha256: item.sha256, size: item.zip_size, signedAt: versions[0]!.signed_at },
        versions[0]!.signature,
        key.public_key,
      ),
    ).toBe(true);
  });

  it('to delete frees the slug for its author only, and no version number', async () => {
    const id = await published('gone');
    expect(await admin.call('DELETE', `/admin/items/${id}`)).toMatchObject({ status: 200, msg: '已删除' });
    expect((await admin.call('DELETE', `/admin/items/${id}`)).status).toBe(404);
    expect(await submit(bob, 'Gone')).toMatchObject({ status: 400, msg: '插件 "Gone" 已存在' });
    expect(await submit(alice, 'gone')).toMatchObject({ status: 400, msg: '版本号 "1.0.0" 已使用过，请换一个版本号' });
    expect((await submit(alice, 'gone', { version: '1.0.1' })).status).toBe(200);
  });
});

describe('edit requests', () => {
  it('change the item after approval, once', async () => {
    const id = await published('editable');
    await alice.call('PUT', `/developer/items/${id}`, { price: 9.9, tags: '["x"]', name: 'Better' });
    const list = (
      await admin.get<{ id: number; field: string; item_id: number }[]>('/admin/edit-requests?status=pending&page=1&limit=10')
    ).data.filter(({ item_id }) => item_id === id);
    expect(list).toHaveLength(3);
    expect(list[0]).toMatchObject({ slug: 'editable', type: 'plugin', item_name: 'editable' });
    for (const { id: request, field } of list) {
      const what = field === 'name' ? 'reject' : 'approve';
      const answers = await Promise.all([
        admin.call('PUT', `/admin/edit-requests/${request}/${what}`),
        admin.call('PUT', `/admin/edit-requests/${request}/${what}`),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)!.msg).toBe('申请不存在或已处理');
    }
    expect((await visitor.get(`/items/${id}`)).data).toMatchObject({ price: 9.9, tags: '["x"]', name: 'editable', status: 'approved' });
    expect((await admin.call('PUT', '/admin/edit-requests/99999/approve')).status).toBe(404);
  });
});

describe('the public list', () => {
  it('filters, sorts and pages over approved items only', async () => {
    const own = await store.member('Carol');
    for (const [i, price] of ['3', '1', '2', '2'].entries()) {
      const { data } = await submit(own, `list${i}`, { price, category: 'C%', description: `<p>Needle_${i}</p>` });
      if (i < 3) await admin.call('PUT', `/admin/items/${data.id}/approve`);
    }
    const slugs = async (query: string): Promise<unknown> => {
      const { data } = await visitor.get<{ items: { slug: string }[]; total: number }>(`/items?author_id=${own.userId}&${query}`);
      return [data.total, ...data.items.map(({ slug }) => slug)];
    };
    expect(await slugs('')).toEqual([3, 'list2', 'list1', 'list0']);
    expect(await slugs('sort=price')).toEqual([3, 'list1', 'list2', 'list0']);
    expect(await slugs('sort=price&page=2&page_size=1')).toEqual([3, 'list2']);
    expect(await slugs('min_price=2&max_price=2.00')).toEqual([1, 'list2']);
    expect(await slugs('keyword=NEEDLE_1')).toEqual([1, 'list1']);
    expect(await slugs('keyword=%25')).toEqual([0]);
    expect(await slugs('category=C%25')).toEqual([3, 'list2', 'list1', 'list0']);
    expect(await slugs('type=theme')).toEqual([0]);
    for (const bad of ['page_size=101', 'page=0', 'sort=x', 'min_price=x', 'type=x'])
      expect((await visitor.get(`/items?${bad}`)).status).toBe(400);
    expect((await visitor.get<string[]>('/items/categories')).data).toEqual(expect.arrayContaining(['支付', '其他', 'C%']));
    expect((await visitor.get<unknown[]>('/items/categories?with=counts')).data).toContainEqual({ name: 'C%', count: 3 });
    expect((await visitor.get('/items/by-slug/plugin/LIST1')).data).toMatchObject({ slug: 'list1', price: 1 });
    expect((await visitor.get('/items/by-slug/theme/list1')).status).toBe(404);
    expect((await visitor.get('/items/x')).msg).toBe('无效的 ID');
    expect((await visitor.get('/items/999999')).msg).toBe('项目不存在');
  });
});

describe('a download', () => {
  it('is the package, complete or in parts, counted when it is complete', async () => {
    const id = await published('loaded');
    const zip = await pluginZip('loaded');
    const whole = await bob.send('GET', `/items/${id}/download`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([whole.status, bytes.length]).toEqual([200, zip.length]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/zip',
      etag: `"${sha256}"`,
      'x-checksum-sha256': sha256,
      'content-disposition': 'attachment; filename="loaded-v1.0.0.zip"',
      'accept-ranges': 'bytes',
    });

    const part = await visitor.send('GET', `/items/${id}/download`, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range'), Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      `bytes 10-19/${zip.length}`,
      bytes.subarray(10, 20),
    ]);
    const stale = await visitor.send('GET', `/items/${id}/versions/1.0.0/download`, {
      headers: { range: 'bytes=10-19', 'if-range': '"old"' },
    });
    expect([stale.status, (await stale.arrayBuffer()).byteLength]).toEqual([200, zip.length]);
    const head = await visitor.send('HEAD', `/items/${id}/download`);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(zip.length)]);
    for (const known of [`W/"x", "${sha256}"`, `W/"${sha256}"`, '*']) {
      const answer = await visitor.send('GET', `/items/${id}/download`, { headers: { 'if-none-match': known } });
      expect([known, answer.status]).toEqual([known, 304]);
    }
    expect((await visitor.send('GET', `/items/${id}/download`, { headers: { range: `bytes=${zip.length}-` } })).status).toBe(416);

    const log = await store.database.repository(StoreDownload).find({ where: { itemId: id }, order: { id: 'ASC' } });
    expect(log.map(({ userId, version, ip }) => [userId, version, ip])).toEqual([
      [bob.userId, '1.0.0', '127.0.0.1'],
      [null, '1.0.0', '127.0.0.1'],
    ]);
    await Promise.all(Array.from({ length: 8 }, () => visitor.send('GET', `/items/${id}/download`).then((answer) => answer.arrayBuffer())));
    expect((await visitor.get(`/items/${id}`)).data).toMatchObject({ downloads: 10 });
    expect(await store.database.repository(StoreDownloadDay).findBy({ itemId: id })).toMatchObject([{ downloads: 10, visitors: 2 }]);
  });

  it('of unpublished versions is for author and administrators, and not counted', async () => {
    const { data: item } = await submit(alice, 'secret');
    const path = `/items/${item.id}/download`;
    expect(await visitor.get(path)).toMatchObject({ status: 404, msg: '项目不存在或未审核' });
    expect((await bob.get(path)).status).toBe(404);
    for (const client of [alice, admin]) {
      const answer = await client.send('GET', path);
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    }
    expect(await store.database.repository(StoreDownload).countBy({ itemId: item.id })).toBe(0);
    const id = await published('half');
    await submitVersion(alice, id, 'half', '2.0.0');
    expect((await visitor.get(`/items/${id}/versions/2.0.0/download`)).status).toBe(404);
    expect((await admin.send('GET', `/items/${id}/versions/2.0.0/download`)).status).toBe(200);
  });
});

describe('the administrator’s numbers and lists', () => {
  it('show the automatic findings, as the author sees them', async () => {
    const { data: item } = await submit(alice, 'noticed', {}, await pluginZip('noticed', '1.0.0', 'eval("1");\n'));
    const seen = await admin.get<{ findings: { rule: string; file: string; line: number }[] }>(`/admin/items/${item.id}/review`);
    expect(seen.data.findings).toContainEqual(expect.objectContaining({ rule: 'eval', file: 'index.js', line: 1 }));
    expect(seen.data).toEqual({
      ...(await alice.get<object>(`/developer/items/${item.id}/review`)).data,
      waiting_seconds: expect.any(Number),
    });
    expect((await admin.get('/admin/items/999999/review')).status).toBe(404);
  });

  it('include every version of an item in any state; the public only sees approved ones', async () => {
    const id = await published('states-of');
    await submitVersion(alice, id, 'states-of', '1.1.0');
    await admin.call('PUT', `/admin/items/${id}/reject`, { msg: '缺少说明' });
    await submitVersion(alice, id, 'states-of', '1.2.0');
    await submitVersion(alice, id, 'states-of', '1.3.0');
    const versions = await admin.get<{ version: string; status: string }[]>(`/admin/items/${id}/versions`);
    expect(versions.data.map(({ version, status }) => `${version} ${status}`)).toEqual([
      '1.3.0 pending',
      '1.2.0 superseded',
      '1.1.0 rejected',
      '1.0.0 approved',
    ]);
    expect(versions.data[2]).toMatchObject({ review_msg: '缺少说明', decided_at: expect.any(String) as string });
    expect(versions.data).toEqual((await alice.get(`/developer/items/${id}/versions`)).data);
    for (const client of [visitor, admin])
      expect((await client.get<{ version: string }[]>(`/items/${id}/versions`)).data.map(({ version }) => version)).toEqual(['1.0.0']);
    for (const [client, status] of [
      [visitor, 401],
      [alice, 403],
    ] as const)
      expect((await client.get(`/admin/items/${id}/versions`)).status).toBe(status);
    const { data: unpublished } = await submit(bob, 'states-of-bob');
    expect((await admin.get<object[]>(`/admin/items/${unpublished.id}/versions`)).data).toMatchObject([{ status: 'pending' }]);
    expect((await admin.get('/admin/items/999999/versions')).status).toBe(404);
  });

  it('include everything', async () => {
    const { data } = await admin.get<Record<string, number>>('/admin/stats');
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(['plugins', 'themes', 'pending', 'users', 'downloads', 'pendingEdits', 'days', 'top']),
    );
    // The first administrator in addition to those of this test.
    expect(data.users).toBe(5);
    const list = await admin.get<{ items: { status: string }[]; total: number }>('/admin/items?status=pending&type=plugin&page=1&limit=5');
    expect(list.data.total).toBe(data.pending);
    expect(list.data.items.every(({ status }) => status === 'pending')).toBe(true);
    expect((await admin.get<{ items: { slug: string }[] }>('/admin/items?keyword=loaded')).data.items.map(({ slug }) => slug)).toEqual([
      'loaded',
    ]);
  });

  it('are searched in any state, however many there are, newest first', async () => {
    for (const slug of ['pincushion-a', 'pincushion-b'])
      await submit(alice, slug, { description: slug === 'pincushion-b' ? '<p>100% sure</p>' : '<p>x</p>' });
    // Gaps wider than one batch.
    const rows = store.database.repository(StoreItem);
    const { id, ...row } = await rows.findOneByOrFail({ slugKey: 'pincushion-a' });
    await rows.insert({ ...row, id: id + 50_000, slug: 'pincushion-c', slugKey: 'pincushion-c' });
    const found = async (query: string) => (await admin.get<{ items: { slug: string }[]; total: number }>(`/admin/items?${query}`)).data;
    const slugs = async (query: string) => (await found(query)).items.map(({ slug }) => slug);
    expect(await found('keyword=PINCUSHION&limit=2')).toMatchObject({
      total: 3,
      items: [{ slug: 'pincushion-c' }, { slug: 'pincushion-b' }],
    });
    expect(await slugs('keyword=pincushion&limit=2&page=2')).toEqual(['pincushion-a']);
    expect(await slugs('keyword=pincushion&limit=2&page=3')).toEqual([]);
    expect(await slugs('keyword=pincushion&status=approved')).toEqual([]);
    expect(await slugs('keyword=100%25&type=plugin&status=pending')).toEqual(['pincushion-b']);
    expect(await slugs('keyword=pincushion_a')).toEqual([]);
  });
});
