import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel } from '../support/start-panel.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { StoreSignIns } from '../../src/store/accounts/store-sign-ins.js';
import { StoreAudit, StoreUser } from '../../src/store/index.js';
import { createMigratedPlace } from '../support/database.js';
import { submit } from '../support/store-packages.js';
import { StoreClient, TestStore } from '../support/store.js';

interface UserRow {
  id: number;
  username: string;
  status: string;
}

let store: TestStore;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('root', 'admin');
});
afterAll(() => store.close());

describe('accounts', () => {
  it('are listed by page and found by name, role and status', async () => {
    for (const name of ['list-a', 'list-b', 'list_c']) await store.member(name);
    const first = await admin.get<{ users: UserRow[]; total: number; page: number; page_size: number }>(
      '/admin/users?keyword=list&page_size=2',
    );
    expect(first.data).toMatchObject({ total: 3, page: 1, page_size: 2, users: [{ username: 'list_c' }, { username: 'list-b' }] });
    expect(
      (await admin.get<{ users: UserRow[] }>('/admin/users?keyword=list&limit=2&page=2')).data.users.map(({ username }) => username),
    ).toEqual(['list-a']);
    expect((await admin.get<{ total: number }>('/admin/users?keyword=list_')).data.total).toBe(1);
    expect((await admin.get<{ total: number }>('/admin/users?role=admin')).data.total).toBe(2);
    for (const page of ['0', '1000001', '9007199254740993']) {
      expect((await admin.get(`/admin/users?page=${page}`)).msg).toBe('页码须为 1 到 1000000 的整数');
      expect((await admin.call('GET', `/admin/users?page=${page}`, undefined, { 'accept-language': 'en' })).msg).toBe(
        'The page must be a whole number from 1 to 1,000,000',
      );
    }
    expect((await admin.get('/admin/users?page=1000000')).status).toBe(200);
    for (const query of ['page_size=101', 'page=0', 'page=x', 'role=root', 'status=gone'])
      expect((await admin.get(`/admin/users?${query}`)).status, query).toBe(400);
  });

  it('that are banned lose session and token immediately, and do not get them back automatically', async () => {
    const client = store.visitor();
    const { data } = await client.register('villain');
    const token = (await client.call<{ token: string }>('POST', '/auth/tokens', { name: 'x', scopes: ['read'] })).data.token;
    expect(await admin.call('PUT', `/admin/users/${data.id as number}`, { status: 'banned' })).toMatchObject({
      status: 200,
      msg: '更新成功',
      data: { status: 'banned' },
    });
    expect((await client.get('/auth/me')).status).toBe(401);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await store.visitor().call('GET', '/auth/me', undefined, bearer)).status).toBe(401);
    expect(await store.visitor().login('villain', 'secret-1')).toMatchObject({ status: 403, msg: '账号已被封禁' });
    expect((await store.visitor().login('villain', 'wrong-1')).msg).toBe('用户名或密码错误');
    await admin.call('PUT', `/admin/users/${data.id as number}`, { status: 'active' });
    expect((await client.get('/auth/me')).status).toBe(401);
    expect((await store.visitor().call('GET', '/auth/me', undefined, bearer)).status).toBe(401);
    expect((await store.visitor().login('villain', 'secret-1')).status).toBe(200);
  });

  it('get their new rights with the next request', async () => {
    const client = await store.member('riser');
    expect((await client.get('/admin/users')).status).toBe(403);
    await admin.call('PUT', `/admin/users/${client.userId}`, { role: 'admin' });
    expect((await client.get('/admin/users')).status).toBe(200);
    await admin.call('PUT', `/admin/users/${client.userId}`, { role: 'developer' });
    expect((await client.get('/admin/users')).status).toBe(403);
  });

  it.each([
    [{ status: 'deleted' }, 400, '无效的状态值'],
    [{ role: 'root' }, 400, '无效的角色'],
    [{ password_hash: 'x', id: 1 }, 400, '没有需要修改的内容'],
  ])('are not changed by %j', async (form, status, msg) => {
    expect(await admin.call('PUT', `/admin/users/${admin.userId}`, form)).toMatchObject({ status, msg });
  });

  it('that do not exist return 404, and an invalid id 400', async () => {
    expect(await admin.call('PUT', '/admin/users/999999', { status: 'banned' })).toMatchObject({ status: 404, msg: '用户不存在' });
    for (const id of ['0', '-1', '1e3', 'x', '1%00', '99999999999'])
      expect((await admin.call('PUT', `/admin/users/${id}`, { status: 'banned' })).status, id).toBe(400);
  });
});

describe('actions of administrators', () => {
  it('are recorded with who, what and from where, and without addresses', async () => {
    const client = await store.member('noted');
    await admin.call('PUT', `/admin/users/${client.userId}`, { status: 'banned', email: 'secret-address@example.org' });
    const { data } = await admin.get<{ items: object[]; total: number }>(`/admin/logs?subject=user&subject_id=${client.userId}`);
    expect(data).toMatchObject({
      total: 1,
      items: [
        {
          actor_name: 'root',
          action: 'user.update',
          subject: 'user',
          subject_id: client.userId,
          detail: { status: ['active', 'banned'], email: 'changed' },
          ip: '127.0.0.1',
        },
      ],
    });
    expect(JSON.stringify(data)).not.toContain('secret-address');
  });

  it('name their target, even when it is gone, and when older entries contain less', async () => {
    const author = await store.member('maker');
    const { data: kept } = await submit(author, 'kept', { name: 'Kept item', type: 'theme' });
    const { data: gone } = await submit(author, 'gone', { name: 'Gone item' });
    for (const { id } of [kept, gone])
      expect((await admin.call('PUT', `/admin/items/${id}/approve`, { findings_seen: ['manifest.missing'] })).status).toBe(200);
    await author.call('PUT', `/developer/items/${kept.id}`, { name: 'Kept under another name' });
    const [edit] = (await admin.get<{ id: number }[]>('/admin/edit-requests?status=pending')).data;
    await admin.call('PUT', `/admin/edit-requests/${edit!.id}/approve`);
    await author.call('POST', `/items/${kept.id}/report`, { reason: 'broken' });
    const { data: reports } = await admin.get<{ items: { id: number; reporter_name: string }[] }>('/admin/reports');
    const report = reports.items[0]!;
    expect(report.reporter_name).toBe('maker');
    await admin.call('PUT', `/admin/reports/${report.id}/close`, { msg: 'Seen' });
    await admin.call('DELETE', `/admin/items/${gone.id}?msg=Bye`);
    // The former format of report entries.
    const raw = store.database.repository(StoreAudit);
    await raw.insert({
      actorId: admin.userId,
      actorName: 'root',
      action: 'report.close',
      subject: 'report',
      subjectId: report.id,
      detail: { msg: '' },
      ip: '127.0.0.1',
      createdAt: new Date(),
    });

    const keptItem = { id: kept.id, type: 'theme', name: 'Kept under another name', exists: true };
    const goneItem = { id: gone.id, type: 'plugin', name: 'Gone item', exists: false };
    const { data } = await admin.get<{ items: object[] }>(`/admin/logs?page_size=6&actor_id=${admin.userId}`);
    expect(data.items).toMatchObject([
      { action: 'report.close', detail: { msg: '' }, item: keptItem, user: null },
      {
        action: 'item.delete',
        detail: { name: 'Gone item', slug: 'gone', msg: 'Bye' },
        item: goneItem,
        user: { id: author.userId, username: 'maker' },
      },
      { action: 'report.close', detail: { item_id: kept.id, reason: 'broken', msg: 'Seen' }, item: keptItem },
      { action: 'edit.approve', detail: { item_id: kept.id, field: 'name' }, item: keptItem },
      { action: 'item.approve', item: goneItem, user: null },
      { action: 'item.approve', item: keptItem, user: null },
    ]);
    // Earlier deletions did not contain a name.
    await raw.update(
      { action: 'item.delete', subjectId: gone.id },
      { detail: { type: 'theme', slug: 'gone', status: 'approved', author_id: 999_999, msg: '' } as object },
    );
    const { data: before } = await admin.get<{ items: object[] }>(`/admin/logs?action=item.delete&subject_id=${gone.id}`);
    expect(before.items).toMatchObject([{ item: { id: gone.id, type: 'theme', name: 'gone', exists: false }, user: null }]);
    const { data: account } = await admin.get<{ items: object[] }>('/admin/logs?subject=user&page_size=1');
    expect(account.items).toMatchObject([{ item: null, user: { username: 'noted' } }]);
  });
});

describe('the last active administrator', () => {
  it('cannot be removed, even when administrators ban and demote each other at once', async () => {
    const rows = store.database.repository(StoreUser);
    for (let round = 0; round < 5; round += 1) {
      await rows.update({ role: 'admin' }, { role: 'developer' });
      const [a, b] = [await store.member(`duel-a${round}`, 'admin'), await store.member(`duel-b${round}`, 'admin')];
      const answers = await Promise.all([
        a.call('PUT', `/admin/users/${b.userId}`, { status: 'banned' }),
        b.call('PUT', `/admin/users/${a.userId}`, { role: 'developer' }),
        a.call('PUT', `/admin/users/${a.userId}`, { role: 'developer' }),
      ]);
      expect(await rows.countBy({ role: 'admin', status: 'active' }), answers.map(({ status }) => status).join()).toBe(1);
      const [last] = await rows.findBy({ role: 'admin', status: 'active' });
      const lastClient = last!.id === a.userId ? a : b;
      for (const form of [{ status: 'banned' }, { role: 'developer' }]) {
        expect((await lastClient.call('PUT', `/admin/users/${last!.id}`, form)).msg).toBe('至少要保留一位可用的管理员，请先添加另一位');
      }
    }
  });
});

describe('the published default password', () => {
  it.each([{ NODE_ENV: 'production' }, { HOST: '0.0.0.0' }, { BASE_URL: 'https://panel.example' }])(
    'neither signs in nor keeps a session under %j',
    async (env) => {
      const place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
      try {
        const home = await startPanel(place.config);
        const client = new StoreClient(home.url);
        expect((await client.login('admin', DEFAULT_ADMIN_PASSWORD)).status).toBe(200);
        await home.close();
        const moved = await startPanel(
          new AppConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: '0', SITES_PORT: '0', ...env }),
        );
        const there = new StoreClient(moved.url.replace('0.0.0.0', '127.0.0.1'));
        there.cookie = client.cookie;
        expect((await there.get('/auth/me')).status).toBe(401);
        const signIns = moved.app.get(StoreSignIns, { strict: false });
        const attempt = signIns.signIn({ username: 'admin', password: DEFAULT_ADMIN_PASSWORD }, { ip: '127.0.0.1', userAgent: '' }, () =>
          Promise.resolve('right'),
        );
        await expect(attempt).rejects.toMatchObject({
          code: 'DEFAULT_PASSWORD_REFUSED',
          shape: { status: 401, text: 'store.default_password_refused' },
        });
        await moved.close();
      } finally {
        await place.dispose();
      }
    },
  );
});
