import { randomBytes } from 'node:crypto';
import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreFinding, StoreItem, StoreVersion } from '../../src/store/index.js';
import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { filesIn, formOf, pluginZip, submit, submitVersion, zipOf } from '../support/store-packages.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  alice = await store.member('Alice');
  bob = await store.member('Bob');
});
afterAll(() => store.close());

describe('a version whose manifest names the panels it runs on', () => {
  it('is offered to those panels only, whatever earlier versions required', async () => {
    const admin = await store.member('range-admin', 'admin');
    const zip = (version: string, manifest: object) =>
      zipOf('ranged', { 'plugin.json': JSON.stringify({ id: 'ranged', name: 'ranged', version, ...manifest }), 'index.js': '' });
    const { id } = (await submit(alice, 'ranged', {}, await zip('1.0.0', { requires: '^1.84.0' }))).data;
    expect(await admin.call('PUT', `/admin/items/${id}/approve`)).toMatchObject({ code: 0 });
    const offeredTo = async (panel_version: string) =>
      (
        await store.visitor().call<{ updates: { version: string; requires: string }[] }>('POST', '/items/update-check', {
          panel_version,
          items: [{ type: 'plugin', slug: 'ranged', version: '0.1' }],
        })
      ).data.updates.map(({ version, requires }) => [version, requires]);
    expect(await offeredTo('1.84.0')).toEqual([['1.0.0', '^1.84.0']]);
    expect(await offeredTo('1.83.0')).toEqual([]);
    for (const [version, manifest, requires] of [
      ['2.0.0', { requires_svc: '2.0' }, '>=2.0'],
      ['3.0.0', { requires: 'whatever' }, ''],
      ['4.0.0', { requires: 7 }, ''],
    ] as [string, object, string][]) {
      expect(await alice.call('POST', `/developer/items/${id}/versions`, formOf({ version }, await zip(version, manifest)))).toMatchObject({
        code: 0,
        data: { requires_svc: requires },
      });
      await admin.call('PUT', `/admin/items/${id}/approve`, { findings_seen: ['manifest.requires'] });
      expect(await offeredTo('2.1.0')).toEqual([[version, requires]]);
      expect(await offeredTo('1.84.0')).toEqual(requires ? [] : [[version, '']]);
    }
  });
});

describe('a new item', () => {
  it('waits for review, with the automatic findings', async () => {
    const zip = await zipOf('first', { 'plugin.json': '{"id":"other","version":"1.0.0"}', 'index.js': 'eval("1")\n' });
    const answer = await submit(
      alice,
      'first',
      { price: '12.5', tags: '["a","b"]', category: '支付', description: '<p onclick="x()">Hi<script>1</script></p>' },
      zip,
    );
    expect(answer).toMatchObject({ status: 200, code: 0, msg: '提交成功，等待审核' });
    expect(answer.data).toMatchObject({
      status: 'pending',
      price: 12.5,
      tags: '["a","b"]',
      author_name: 'Alice',
      description: '<p>Hi</p>',
      zip_size: zip.length,
      downloads: 0,
    });
    expect(answer.data).not.toHaveProperty('zip_path');

    const review = await alice.get<{ findings: { rule: string; text: string }[]; queue_position: number }>(
      `/developer/items/${answer.data.id}/review`,
    );
    expect(review.data.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['eval', 'manifest.slug']));
    expect(review.data.findings.find(({ rule }) => rule === 'eval')!.text).toBe('把文本当作代码执行（eval）');
    expect(review.data.queue_position).toBe(1);
    expect((await alice.get<unknown[]>(`/developer/items/${answer.data.id}/versions`)).data).toMatchObject([
      { version: '1.0.0', status: 'pending' },
    ]);
    expect(filesIn(store, 'incoming')).toEqual([]);
  });

  it('is rejected by the first rule it breaks, in the words front ends know, and leaves nothing', async () => {
    const before = filesIn(store, 'packages').length;
    const zip = await pluginZip('second');
    const fields = { type: 'plugin', slug: 'second', name: 'S', version: '1', description: 'd' };
    const cases: [Record<string, string>, Buffer | undefined, string][] = [
      [{ ...fields, type: 'x', slug: '' }, zip, '请选择提交类型（plugin/theme）'],
      [{ ...fields, slug: '', name: '' }, zip, '请填写标识（slug）'],
      [{ ...fields, name: ' ', version: '' }, zip, '请填写名称'],
      [{ ...fields, version: '' }, undefined, '请填写版本号'],
      [{ ...fields, description: '' }, undefined, '请上传 zip 文件'],
      [{ ...fields, description: '', slug: 'a b' }, zip, '请填写简介'],
      [{ ...fields, slug: 'a b' }, zip, '标识仅允许字母数字下划线横线，最长63字符'],
      [{ ...fields, price: '-1' }, zip, '价格须为不小于 0、最多两位小数的数字'],
      [{ ...fields, homepage: 'javascript:alert(1)' }, zip, '项目主页须为以 http:// 或 https:// 开头的网址，最长 500 个字符'],
      [{ ...fields, requires_svc: '<img src=x onerror=location=name>' }, zip, '面板版本要求的格式不正确，例如 1.81 或 >=1.80'],
      [{ ...fields, slug: 'other' }, zip, 'zip 根目录名 "second" 与填写的标识 "other" 不一致，请修改'],
      [{ ...fields, slug: 'FIRST' }, await pluginZip('FIRST'), '插件 "FIRST" 已存在'],
      [fields, Buffer.from('no zip'), '无法解析 zip 文件：文件不完整或已损坏，请重新打包后再上传'],
    ];
    for (const [form, file, msg] of cases) {
      expect(await alice.call('POST', '/developer/items', formOf(form, file))).toMatchObject({ status: 400, code: 400, msg, data: null });
    }
    expect(await alice.call('POST', '/developer/items', formOf(fields, zip, 'a.tar'))).toMatchObject({
      status: 400,
      msg: '仅支持 zip 格式文件',
    });
    expect(await alice.call('POST', '/developer/items', { type: 'plugin' })).toMatchObject({ status: 400 });
    expect(filesIn(store, 'incoming')).toEqual([]);
    expect(filesIn(store, 'packages')).toHaveLength(before);
  });

  it('over 50 MB is stopped while it is sent', async () => {
    const answer = await alice.call(
      'POST',
      '/developer/items',
      formOf({ type: 'plugin', slug: 'large', name: 'L', version: '1', description: 'd' }, randomBytes(51 * 1024 * 1024)),
    );
    expect(answer).toMatchObject({ status: 400, msg: 'zip 文件不能超过 50MB，请去掉运行时不需要的文件' });
    expect(filesIn(store, 'incoming')).toEqual([]);
  });

  it('whose upload breaks off leaves nothing', async () => {
    const port = new URL(store.url).port;
    const req = request({
      port,
      path: '/api/developer/items',
      method: 'POST',
      headers: { cookie: alice.cookie, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1_000_000 },
    });
    req.on('error', () => undefined);
    req.write('--x\r\nContent-Disposition: form-data; name="zipfile"; filename="a.zip"\r\n\r\n');
    req.write(randomBytes(100_000));
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(1);
    req.destroy();
    await expect.poll(() => filesIn(store, 'incoming')).toEqual([]);
  });

  it('sent twice at once exists once', async () => {
    const answers = await Promise.all([submit(alice, 'twice'), submit(bob, 'Twice'), submit(alice, 'TWICE')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await store.database.repository(StoreItem).countBy({ slugKey: 'twice' })).toBe(1);
  });

  it('requires a developer', async () => {
    expect(await submit(store.visitor(), 'nobody')).toMatchObject({ status: 401, msg: '请先登录' });
  });
});

describe('a new version', () => {
  it('replaces one in review, and its version number can never be reused', async () => {
    const { data: item } = await submit(alice, 'vers');
    expect(await submitVersion(alice, item.id, 'vers', '1.1.0')).toMatchObject({
      status: 200,
      msg: '新版本上传成功，等待审核',
      data: { status: 'pending', changelog: 'New in 1.1.0' },
    });
    expect((await alice.get(`/developer/items/${item.id}`)).data).toMatchObject({ version: '1.1.0', status: 'pending' });
    expect(await submitVersion(alice, item.id, 'vers', '1.0.0')).toMatchObject({
      status: 400,
      msg: '版本号 "1.0.0" 已使用过，请换一个版本号',
    });
    const versions = await alice.get<{ version: string; status: string }[]>(`/developer/items/${item.id}/versions`);
    expect(versions.data.map(({ version, status }) => [version, status])).toEqual([
      ['1.1.0', 'pending'],
      ['1.0.0', 'superseded'],
    ]);
    expect(await store.database.repository(StoreVersion).countBy({ itemId: item.id })).toBe(2);
  });

  it('of another author is refused', async () => {
    const { data: item } = await submit(alice, 'mine');
    expect(await submitVersion(bob, item.id, 'mine', '2')).toMatchObject({ status: 404, msg: '项目不存在或无权操作' });
    await store.database.repository(StoreItem).update(item.id, { status: 'approved' });
    expect(await submitVersion(bob, item.id, 'mine', '2')).toMatchObject({ status: 403 });
    expect((await bob.get(`/developer/items/${item.id}`)).status).toBe(403);
  });
});

describe('a dry run', () => {
  it('shows the findings and stores nothing', async () => {
    const [files, findings] = [filesIn(store, 'packages').length, await store.database.repository(StoreFinding).count()];
    const zip = await zipOf('dry', { 'index.js': 'require("child_process")\n' });
    const answer = await alice.call('POST', '/developer/validate', formOf({ type: 'plugin', slug: 'dry' }, zip));
    expect(answer).toMatchObject({ status: 200, data: { files: 1, installable: false, zip_size: zip.length } });
    expect((answer.data.findings as { rule: string }[]).map(({ rule }) => rule)).toContain('child_process');
    expect(filesIn(store, 'packages')).toHaveLength(files);
    expect(await store.database.repository(StoreFinding).count()).toBe(findings);
  });
});

describe('the developer’s list', () => {
  it('has own items only, in pages by page_size or limit', async () => {
    await submit(bob, 'bobs');
    const list = await bob.get<{ items: { slug: string; price: number }[]; total: number }>('/developer/items?page=1&limit=1&type=plugin');
    expect(list.data).toMatchObject({
      total: 1 + (await store.database.repository(StoreItem).countBy({ slugKey: 'twice', authorId: bob.userId })),
      page: 1,
      page_size: 1,
    });
    expect(list.data.items[0]).toMatchObject({ slug: 'bobs', price: 0 });
    expect((await bob.get('/developer/items?page_size=101')).status).toBe(400);
    expect((await bob.get<{ total: number }>('/developer/items?type=theme')).data.total).toBe(0);
  });
});

describe('edits', () => {
  it('wait, one per field, and leave the item as it is', async () => {
    const { data: item } = await submit(alice, 'edits', { price: '3' });
    const path = `/developer/items/${item.id}`;
    expect(await alice.call('PUT', path, { price: 3, category: '' })).toMatchObject({ status: 200, msg: '没有需要修改的内容' });
    expect(await alice.call('PUT', path, { price: '4.50', description: '<b>New</b><script>x</script>' })).toMatchObject({
      msg: '已提交 2 项修改，等待管理员审核',
      data: { requests: 2 },
    });
    expect(await alice.call('PUT', path, { price: 5 })).toMatchObject({ msg: '已提交 1 项修改，等待管理员审核' });
    expect(await alice.call('PUT', path, { price: 6, slug: 'x' })).toMatchObject({ status: 400 });
    expect((await alice.get(path)).data).toMatchObject({ price: 3, status: 'pending' });
    const review = await alice.get<{ edit_requests: { field: string; new_value: string; old_value: string; status: string }[] }>(
      `${path}/review`,
    );
    expect(review.data.edit_requests.map(({ field, new_value, status }) => [field, new_value, status])).toEqual([
      ['price', '5.00', 'pending'],
      ['description', '<b>New</b>', 'pending'],
      ['price', '4.50', 'superseded'],
    ]);
    expect(await bob.call('PUT', path, { price: 1 })).toMatchObject({ status: 404, msg: '项目不存在或无权操作' });
  });
});
