import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { TestStore } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start();
});
afterAll(() => store.close());

describe('a new account', () => {
  it('is a developer and signed in with a cookie scripts cannot read', async () => {
    const client = store.visitor();
    const answer = await client.register('Alice');
    expect(answer).toMatchObject({
      status: 200,
      code: 0,
      msg: '注册成功',
      data: { username: 'Alice', role: 'developer', status: 'active', email: 'alice@example.org' },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^connect\.sid=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await client.get('/auth/me')).data.username).toBe('Alice');
  });

  it.each([
    [{}, '请填写所有必填字段'],
    [{ username: 'bob', password: '', email: 'b@example.org' }, '请填写所有必填字段'],
    [{ username: { $ne: 1 }, password: 'secret-1', email: 'b@example.org' }, '请填写所有必填字段'],
    [{ username: 'b', password: 'secret-1', email: 'b@example.org' }, '用户名长度 2-30 字符'],
    [{ username: 'b'.repeat(31), password: 'secret-1', email: 'b@example.org' }, '用户名长度 2-30 字符'],
    [{ username: 'bob', password: '12345', email: 'b@example.org' }, '密码至少 6 位'],
    [{ username: 'bob', password: 'x'.repeat(257), email: 'b@example.org' }, '密码最长 256 位'],
    [{ username: 'bob', password: DEFAULT_ADMIN_PASSWORD, email: 'b@example.org' }, '此密码是公开的默认密码，请换一个'],
    [{ username: 'bob', password: 'secret-1', email: 'nowhere' }, '邮箱格式不正确'],
    [{ username: 'bob', password: 'secret-1', email: 'a@example.org\r\nBcc: x@example.org' }, '邮箱格式不正确'],
    [{ username: 'bo\u0000b', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: 'b\r\nob', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: '<b>ob', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: 'аdmin', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: 'аеорс', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: 'ｂｏｂ', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
    [{ username: 'bob\u200b', password: 'secret-1', email: 'b@example.org' }, /^用户名只能/],
  ])('is rejected for %j', async (form, msg) => {
    expect(await store.visitor().call('POST', '/auth/register', form)).toMatchObject({
      status: 400,
      code: 400,
      msg: expect.stringMatching(msg) as unknown,
      data: null,
    });
  });

  it.each(['李雷', 'Иван-Щукин', 'a_b.c-1', '工程师A'])('may be named %s', async (name) => {
    const answer = await store.visitor().call('POST', '/auth/register', {
      username: name,
      password: 'secret-1',
      email: `x${[...name].map((c) => c.codePointAt(0)).join('')}@example.org`,
    });
    expect(answer).toMatchObject({ status: 200, data: { username: name } });
  });

  it('has a unique name and address, ignoring case, even when twenty register at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => store.visitor().register(i % 2 ? 'Twin' : 'tWIN')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status, msg }) => `${status} ${msg}`))).toEqual(
      new Set(['400 用户名或邮箱已被注册']),
    );
    const form = { username: 'other', password: 'secret-1', email: 'TWIN@EXAMPLE.ORG' };
    expect((await store.visitor().call('POST', '/auth/register', form)).msg).toBe('用户名或邮箱已被注册');
  });
});

describe('a sign-in', () => {
  it('opens a session with a new id, and ends the previous one', async () => {
    const client = store.visitor();
    await client.register('fixed');
    const [old, stranger] = [client.cookie, store.visitor()];
    stranger.cookie = old;
    expect(await client.login('FIXED', 'secret-1')).toMatchObject({ status: 200, msg: '登录成功', data: { username: 'fixed' } });
    expect(client.cookie).not.toBe(old);
    expect((await stranger.get('/auth/me')).status).toBe(401);
    expect((await client.get('/auth/me')).status).toBe(200);
  });

  it('with an id chosen by someone else gets another one', async () => {
    const client = store.visitor();
    const chosen = `connect.sid=${'A'.repeat(43)}`;
    client.cookie = chosen;
    await client.login('fixed', 'secret-1');
    expect(client.cookie).not.toBe(chosen);
    const attacker = store.visitor();
    attacker.cookie = chosen;
    expect((await attacker.get('/auth/me')).status).toBe(401);
  });

  it('gives the same message for an unknown name and a wrong password', async () => {
    const [unknown, wrong] = await Promise.all([
      store.visitor().login('nobody-here', 'secret-1'),
      store.visitor().login('fixed', 'secret-2'),
    ]);
    expect([unknown.status, unknown.msg]).toEqual([401, '用户名或密码错误']);
    expect([wrong.status, wrong.msg, wrong.data]).toEqual([unknown.status, unknown.msg, unknown.data]);
  });

  it('requires both fields', async () => {
    expect(await store.visitor().call('POST', '/auth/login', {})).toMatchObject({ status: 400, msg: '请填写用户名和密码' });
  });

  it('ends with the logout, which requires one', async () => {
    const client = await store.member('leaver');
    const kept = store.visitor();
    kept.cookie = client.cookie;
    expect(await client.call('POST', '/auth/logout')).toMatchObject({ status: 200, msg: '已退出登录', data: null });
    expect((await kept.get('/auth/me')).status).toBe(401);
    expect(await kept.call('POST', '/auth/logout')).toMatchObject({ status: 401, msg: '请先登录' });
  });
});

describe('a password change', () => {
  it('keeps the caller with a new id and ends all other sessions', async () => {
    const [here, there] = [store.visitor(), store.visitor()];
    await here.register('mover');
    await there.login('mover', 'secret-1');
    const before = store.visitor();
    before.cookie = here.cookie;
    expect(await here.call('PUT', '/auth/password', { oldPassword: 'wrong', newPassword: 'secret-2' })).toMatchObject({
      status: 400,
      msg: '旧密码错误',
    });
    expect(await here.call('PUT', '/auth/password', { oldPassword: 'secret-1', newPassword: '12345' })).toMatchObject({
      status: 400,
      msg: '新密码至少 6 位',
    });
    expect(await here.call('PUT', '/auth/password', {})).toMatchObject({ status: 400, msg: '请填写旧密码和新密码' });
    expect(await here.call('PUT', '/auth/password', { oldPassword: 'secret-1', newPassword: 'secret-2' })).toMatchObject({
      status: 200,
      msg: '密码修改成功',
    });
    expect((await here.get('/auth/me')).status).toBe(200);
    expect([(await there.get('/auth/me')).status, (await before.get('/auth/me')).status]).toEqual([401, 401]);
    expect((await store.visitor().login('mover', 'secret-1')).status).toBe(401);
    expect((await store.visitor().login('mover', 'secret-2')).status).toBe(200);
  });

  it('succeeds once out of two at the same time', async () => {
    const client = store.visitor();
    await client.register('racer');
    const other = store.visitor();
    other.cookie = client.cookie;
    const change = (who: typeof client, newPassword: string) => who.call('PUT', '/auth/password', { oldPassword: 'secret-1', newPassword });
    const answers = await Promise.all([change(client, 'secret-a'), change(other, 'secret-b')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("one's own account", () => {
  it('changes email address, avatar and text', async () => {
    const client = await store.member('profile');
    const avatar = '/uploads/images/0f8fad5b-d9cb-469f-a165-70867728950e.png';
    expect(
      await client.call('PUT', '/auth/profile', { email: 'New@Example.org', avatar, bio: 'two\nlines', role: 'admin', status: 'banned' }),
    ).toMatchObject({
      status: 200,
      data: { email: 'New@Example.org', avatar, bio: 'two\nlines', role: 'developer', status: 'active' },
    });
    for (const form of [
      { avatar: 'https://evil.example/x.png' },
      { avatar: '/uploads/images/../../x.png' },
      { bio: 'a\u202eb' },
      { bio: 'x'.repeat(501) },
      { email: 'twin@example.org' },
      {},
    ]) {
      expect((await client.call('PUT', '/auth/profile', form)).status, JSON.stringify(form)).toBe(400);
    }
  });

  it('lists its sessions and ends one, and cannot end others’', async () => {
    const [here, stranger] = [store.visitor(), await store.member('stranger')];
    await here.register('lister');
    const there = store.visitor();
    await there.login('lister', 'secret-1');
    const { data } = await here.get<{ id: number; current: boolean }[]>('/auth/sessions');
    expect(data.map(({ current }) => current)).toEqual([false, true]);
    const other = data.find(({ current }) => !current)!;
    expect((await stranger.call('DELETE', `/auth/sessions/${other.id}`)).status).toBe(404);
    expect((await there.get('/auth/me')).status).toBe(200);
    expect((await here.call('DELETE', `/auth/sessions/${other.id}`)).status).toBe(200);
    expect((await there.get('/auth/me')).status).toBe(401);
  });

  it('creates tokens that are shown once, work nowhere in auth and admin, and can be revoked', async () => {
    const client = await store.member('builder', 'admin');
    const made = await client.call<{ id: number; token: string; scopes: string[] }>('POST', '/auth/tokens', {
      name: 'ci',
      scopes: ['publish'],
      days: 30,
    });
    expect(made.data.token).toMatch(/^svcs_[\w-]{43}$/);
    const listed = await client.send('GET', '/auth/tokens');
    expect(await listed.text()).not.toContain(made.data.token);
    const program = store.visitor();
    const headers = { authorization: `Bearer ${made.data.token}` };
    for (const path of ['/auth/me', '/auth/tokens', '/admin/users'])
      expect((await program.call('GET', path, undefined, headers)).status, path).toBe(403);
    expect((await program.call('PUT', '/auth/password', { oldPassword: 'x', newPassword: 'secret-2' }, headers)).status).toBe(403);
    expect((await (await store.member('thief')).call('DELETE', `/auth/tokens/${made.data.id}`)).status).toBe(404);
    expect((await client.call('DELETE', `/auth/tokens/${made.data.id}`)).status).toBe(200);
    expect((await program.call('GET', '/auth/me', undefined, headers)).status).toBe(401);
    for (const form of [
      { name: '', scopes: ['read'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['admin'] },
      { name: 'x', scopes: 'read' },
      { name: 'x', scopes: ['read'], days: 366 },
      { name: 'x' },
    ]) {
      expect((await client.call('POST', '/auth/tokens', form)).status, JSON.stringify(form)).toBe(400);
    }
  });

  it('has at most twenty tokens, even when thirty are requested at once', async () => {
    const client = await store.member('hoarder');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => client.call('POST', '/auth/tokens', { name: `t${i}`, scopes: ['read'] })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect((await client.get<object[]>('/auth/tokens')).data).toHaveLength(20);
  });
});

describe('the first start', () => {
  it('creates an administrator with the published default password on this machine', async () => {
    const client = store.visitor();
    expect(await client.login('admin', DEFAULT_ADMIN_PASSWORD)).toMatchObject({ status: 200, data: { role: 'admin' } });
    expect((await client.get('/admin/users')).status).toBe(200);
  });
});
