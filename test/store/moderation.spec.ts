import { createHash } from 'node:crypto';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreAudit, StoreImage } from '../../src/store/index.js';
import { StoreSweep } from '../../src/store/items/store-sweep.js';
import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { filesIn, formOf, pluginZip, submit, submitVersion, zipOf } from '../support/store-packages.js';

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

const pixels = (): Promise<Buffer> =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();

function imageForm(data: Buffer, name = 'a.png'): FormData {
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(data)]), name);
  return form;
}

describe('a picture', () => {
  it('is accepted from signed-in users, and served only as a picture', async () => {
    const answer = await alice.call<{ url: string; filename: string }>('POST', '/upload/image', imageForm(await pixels()));
    expect(answer).toMatchObject({ status: 200, msg: '上传成功' });
    expect(answer.data.url).toMatch(/^\/uploads\/images\/[\w-]+\.png$/);
    const served = await fetch(store.url + answer.data.url);
    expect(served.status).toBe(200);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(4);
    for (const path of ['/uploads/images/none.png', '/uploads/images/..%2fsigning-key.pem', '/uploads/packages', '/uploads/'])
      expect((await fetch(store.url + path)).status).toBe(404);

    expect((await alice.call('POST', '/upload/image', imageForm(Buffer.from('<svg/>'), 'a.svg'))).status).toBe(400);
    expect((await alice.call('POST', '/upload/image', new FormData())).status).toBe(400);
    expect((await alice.call('POST', '/upload/image', imageForm(Buffer.alloc(5 * 1024 * 1024 + 1)))).status).toBe(400);
    expect((await store.visitor().call('POST', '/upload/image', imageForm(await pixels()))).status).toBe(401);
    expect(filesIn(store, 'images')).toEqual([answer.data.filename]);
  });

  it('that is not used is cleaned up', async () => {
    const { data } = await alice.call<{ url: string; filename: string }>('POST', '/upload/image', imageForm(await pixels()));
    await submit(alice, 'shown', { main_image: data.url });
    expect(await store.provider(StoreSweep).pictures(0)).toBe(1);
    expect(filesIn(store, 'images')).toEqual([data.filename]);
    expect(await store.database.repository(StoreImage).count()).toBe(1);
  });
});

describe('a report', () => {
  it('is stored for administrators, who close it once', async () => {
    const { data: item } = await submit(alice, 'reported');
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'malware' })).status).toBe(404);
    await admin.call('PUT', `/admin/items/${item.id}/approve`);
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'x' })).status).toBe(400);
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'malware', text: 'bad' })).status).toBe(200);
    const list = await admin.get<{ items: { id: number }[]; total: number }>('/admin/reports?status=open');
    expect(list.data).toMatchObject({ total: 1, items: [{ reason: 'malware', text: 'bad', slug: 'reported', reporter_id: null }] });
    const close = `/admin/reports/${list.data.items[0]!.id}/close`;
    expect((await Promise.all([admin.call('PUT', close), admin.call('PUT', close)])).map(({ status }) => status).sort()).toEqual([
      200, 400,
    ]);
    expect((await alice.get('/admin/reports')).status).toBe(403);
  });
});

describe('a blocked file', () => {
  it('is found in packages until it is removed from the list', async () => {
    const code = 'module.exports = () => {};\n';
    const sha256 = createHash('sha256').update(code).digest('hex');
    const added = await admin.call<{ id: number }>('POST', '/admin/blocked-digests', { sha256: sha256.toUpperCase(), reason: 'bad' });
    expect(added.status).toBe(200);
    expect((await admin.call('POST', '/admin/blocked-digests', { sha256 })).status).toBe(400);
    const { data: item } = await submit(alice, 'blocked');
    const rules = (await alice.get<{ findings: { rule: string }[] }>(`/developer/items/${item.id}/review`)).data.findings.map(
      ({ rule }) => rule,
    );
    expect(rules).toContain('blocked');
    expect((await admin.get<{ total: number }>('/admin/blocked-digests')).data.total).toBe(1);
    expect((await admin.call('DELETE', `/admin/blocked-digests/${added.data.id}`)).status).toBe(200);
    expect((await admin.call('DELETE', `/admin/blocked-digests/${added.data.id}`)).status).toBe(404);
    expect(await store.database.repository(StoreAudit).countBy({ subject: 'digest' })).toBe(2);
  });
});

describe('a blocked item', () => {
  const revoked = async (): Promise<{ sha256: string; reason: string }[]> => {
    const { list } = (await store.visitor().get<{ list: string }>('/revocations')).data;
    return (JSON.parse(list) as { blocked: { sha256: string; reason: string }[] }).blocked;
  };

  it('is unavailable with every version it ever had, which panels disable, until it is unblocked and its suspension lifted', async () => {
    const { data: item } = await submit(alice, 'banned');
    const decide = (what: string, body: object = {}) => admin.call('PUT', `/admin/items/${item.id}/${what}`, body);
    await decide('approve');
    for (const version of ['1.1.0', '1.2.0']) {
      expect((await submitVersion(alice, item.id, 'banned', version, `module.exports = () => '${version}';\n`)).status).toBe(200);
      if (version === '1.1.0') await decide('approve');
    }
    const digests = (await admin.get<{ sha256: string }[]>(`/admin/items/${item.id}/versions`)).data.map(({ sha256 }) => sha256).sort();
    expect(digests).toHaveLength(3);
    expect((await alice.call('PUT', `/admin/items/${item.id}/block`)).status).toBe(403);
    expect((await decide('block', { msg: 'x'.repeat(256) })).status).toBe(400);
    // One of two simultaneous requests blocks it.
    const both = await Promise.all([decide('block', { msg: 'steals keys' }), decide('block', { msg: 'steals keys' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(
      (await revoked())
        .filter(({ reason }) => reason === 'steals keys')
        .map(({ sha256 }) => sha256)
        .sort(),
    ).toEqual(digests);
    expect([(await store.visitor().get(`/items/${item.id}`)).status, (await decide('block')).status]).toEqual([404, 400]);
    expect((await decide('unblock')).status).toBe(200);
    expect([(await revoked()).length, (await decide('unblock')).status]).toEqual([0, 400]);
    expect((await store.visitor().get(`/items/${item.id}`)).status).toBe(404);
    expect((await decide('approve')).status).toBe(200);
    const actions = await store.database
      .repository(StoreAudit)
      .find({ where: { subject: 'item', subjectId: item.id }, order: { id: 'ASC' } });
    expect(actions.map(({ action }) => action).filter((action) => /block|suspend/.test(action))).toEqual([
      'item.suspend',
      'item.block',
      'item.unblock',
    ]);
    for (const what of ['block', 'unblock']) expect((await admin.call('PUT', `/admin/items/2000000/${what}`)).status).not.toBe(200);
  });
});

describe('a file blocked after its upload', () => {
  interface Seen {
    readonly findings: readonly { rule: string; severity: string; file: string; excerpt: string; text: string }[];
  }
  const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
  const block = async (sha256: string): Promise<number> =>
    (await admin.call<{ id: number }>('POST', '/admin/blocked-digests', { sha256, reason: 'bad' })).data.id;
  const approve = (client: StoreClient, id: number, body?: object) => client.call('PUT', `/admin/items/${id}/approve`, body);
  const blockedIn = async (client: StoreClient, path: string) =>
    (await client.get<Seen>(path)).data.findings.filter(({ rule }) => rule === 'blocked');
  const isPublic = async (id: number): Promise<boolean> => (await store.visitor().get(`/items/${id}`)).status === 200;

  it('is found when the version is viewed, by its author as well, as long as it is on the list', async () => {
    const code = 'module.exports = 11;\n';
    const { data: item } = await submit(alice, 'later', {}, await pluginZip('later', '1.0.0', `eval("1");\n${code}`));
    const sha256 = digest(`eval("1");\n${code}`);
    const id = await block(sha256);
    const package_ = await block(item.sha256);
    for (const [client, path] of [
      [admin, `/admin/items/${item.id}/review`],
      [alice, `/developer/items/${item.id}/review`],
    ] as const) {
      const { findings } = (await client.get<Seen>(path)).data;
      // The most serious first.
      expect(findings.slice(0, 3)).toMatchObject([
        { rule: 'blocked', severity: 'danger', file: '', line: null, excerpt: item.sha256, text: '管理员已禁止发布与此完全相同的安装包' },
        { rule: 'blocked', severity: 'danger', file: 'index.js', line: null, excerpt: sha256, text: '管理员已禁止发布与此完全相同的文件' },
        { rule: 'eval' },
      ]);
    }
    for (const entry of [id, package_]) await admin.call('DELETE', `/admin/blocked-digests/${entry}`);
    expect(await blockedIn(admin, `/admin/items/${item.id}/review`)).toEqual([]);
    expect((await approve(admin, item.id, { findings_seen: ['eval'] })).status).toBe(200);
  });

  it('is reported once to each reviewer who approves without naming it, and named in the log', async () => {
    const { data: item } = await submit(alice, 'told', {}, await pluginZip('told', '1.0.0', 'module.exports = 12;\n'));
    const other = await store.member('Second', 'admin');
    await block(digest('module.exports = 12;\n'));
    const refusal = {
      status: 400,
      code: 400,
      data: null,
      msg: '版本 1.0.0 含有已被管理员封禁的文件：index.js。请先查看；如仍要发布，请再次通过',
    };
    expect(await approve(admin, item.id, { msg: 'ok' })).toMatchObject(refusal);
    expect(await isPublic(item.id)).toBe(false);
    // The finding was shown to the first administrator only, so the second one must see it, too.
    expect(await approve(other, item.id)).toMatchObject(refusal);
    expect((await admin.get(`/admin/items/${item.id}/review`)).data).toMatchObject({
      item_status: 'pending',
      version: { status: 'pending', signature: '' },
    });
    expect(await store.database.repository(StoreAudit).countBy({ action: 'item.approve', subjectId: item.id })).toBe(0);
    expect((await approve(admin, item.id, { msg: 'ok' })).status).toBe(200);
    expect(await isPublic(item.id)).toBe(true);
    const log = await admin.get<{ items: { action: string; detail: object }[] }>(
      `/admin/logs?action=item.approve&subject=item&subject_id=${item.id}`,
    );
    expect(log.data.items).toMatchObject([
      { action: 'item.approve', detail: { version: '1.0.0', blocked: [digest('module.exports = 12;\n')] } },
    ]);
  });

  it('may be named as seen, and no other passes with it', async () => {
    const files = {
      'plugin.json': '{"id":"seen","name":"seen","version":"1.0.0"}',
      'index.js': 'module.exports = 13;\n',
      'b.js': 'b = 13;\n',
    };
    const { data: item } = await submit(alice, 'seen', {}, await zipOf('seen', files));
    await block(digest(files['index.js']));
    const seen = (await blockedIn(admin, `/admin/items/${item.id}/review`)).map(({ excerpt }) => excerpt.toUpperCase());
    // A file is blocked between viewing and decision.
    await block(digest(files['b.js']));
    expect(await approve(admin, item.id, { version: '1.0.0', blocked_seen: seen })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('：b.js。') as string,
    });
    expect((await approve(admin, item.id, { blocked_seen: [...seen, digest(files['b.js'])] })).status).toBe(200);
    for (const wrong of ['x', ['x'], [1], Array.from({ length: 502 }, () => 'a'.repeat(64))]) {
      expect(await approve(admin, item.id, { blocked_seen: wrong })).toMatchObject({
        status: 400,
        msg: expect.stringContaining('blocked_seen') as string,
      });
    }
  });

  it('does not return to the catalogue unnoticed with its item', async () => {
    const { data: item } = await submit(alice, 'back', {}, await pluginZip('back', '1.0.0', 'module.exports = 14;\n'));
    expect((await approve(admin, item.id)).status).toBe(200);
    await admin.call('PUT', `/admin/items/${item.id}/suspend`);
    await block(digest('module.exports = 14;\n'));
    expect((await approve(admin, item.id)).status).toBe(400);
    expect(await isPublic(item.id)).toBe(false);
    expect((await approve(admin, item.id)).status).toBe(200);
    // A version without it is not affected.
    await submitVersion(alice, item.id, 'back', '1.0.1', 'module.exports = 15;\n');
    expect((await approve(admin, item.id)).status).toBe(200);
  });

  it('does not prevent a rejection', async () => {
    const { data: item } = await submit(alice, 'turned', {}, await pluginZip('turned', '1.0.0', 'module.exports = 16;\n'));
    await block(digest('module.exports = 16;\n'));
    expect((await admin.call('PUT', `/admin/items/${item.id}/reject`, { msg: 'no' })).status).toBe(200);
  });

  it('is found by a dry run', async () => {
    await block(digest('module.exports = 17;\n'));
    const zip = await pluginZip('dry', '1.0.0', 'module.exports = 17;\n');
    await block(digest(zip));
    const { data } = await alice.call<Seen>('POST', '/developer/validate', formOf({ type: 'plugin', slug: 'dry' }, zip));
    expect(data.findings.filter(({ rule }) => rule === 'blocked').map(({ file }) => file)).toEqual(['', 'index.js']);
  });
});

describe('the cleanup', () => {
  it('removes packages of deleted items, and no others', async () => {
    const { data: kept } = await submit(alice, 'kept');
    const { data: gone } = await submit(alice, 'swept');
    await admin.call('DELETE', `/admin/items/${gone.id}`);
    expect(await store.provider(StoreSweep).packages(3_600_000)).toBe(0);
    expect(await store.provider(StoreSweep).packages(0)).toBe(1);
    expect(filesIn(store, 'packages')).toContain(`${kept.sha256}.zip`);
    expect(filesIn(store, 'packages')).not.toContain(`${gone.sha256}.zip`);
  });
});
