import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { RateLimiter, SignInDelay } from '../../src/auth/index.js';
import { StoreAudit } from '../../src/store/index.js';
import { StoreAuditLog } from '../../src/store/audit/index.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { formOf, pictureForm, pluginZip, submit, submitVersion } from '../support/store-packages.js';

interface Entry {
  action: string;
  subject: string;
  actor_name: string;
  ip: string;
  detail: Record<string, unknown>;
  created_at: string;
}

let store: TestStore;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ TRUST_PROXY: '127.0.0.1' });
  admin = await store.member('keeper', 'admin');
  vi.spyOn(store.provider(SignInDelay), 'wait').mockResolvedValue();
});
afterAll(() => store.close());

async function logOf(name: string, action?: string): Promise<Entry[]> {
  const { data } = await admin.get<{ items: Entry[] }>(`/admin/logs?page_size=100${action ? `&action=${action}` : ''}`);
  return data.items.filter((entry) => entry.actor_name === name);
}

const login = (username: string, password: string, ip: string) =>
  store.visitor().call('POST', '/auth/login', { username, password, captcha: '' }, { 'x-forwarded-for': ip });

describe('F19 the store’s log records', () => {
  it('who signed in, and from where', async () => {
    await store.visitor().register('Signer');
    await login('signer', 'secret-1', '203.0.113.5');
    const [entry] = await logOf('Signer');
    expect(entry).toMatchObject({ action: 'auth.login', subject: 'user', ip: '203.0.113.5', detail: {} });
    expect(Date.now() - Date.parse(entry!.created_at)).toBeLessThan(60_000);
  });

  it('failed sign-ins, one entry per account, network and hour, so that strangers cannot fill it', async () => {
    await store.visitor().register('Target');
    for (let i = 0; i < 4; i += 1) await login('target', 'wrong-1', '203.0.113.6');
    await login('target', 'wrong-1', '2001:db8::1');
    await login('target', 'wrong-1', '2001:db8::2');
    for (let i = 0; i < 3; i += 1) await login('nobody-at-all', 'wrong-1', '203.0.113.6');
    expect(await logOf('Target', 'auth.login_failed')).toMatchObject([
      { ip: '2001:db8::/64', detail: { failures: 2 } },
      { ip: '203.0.113.6', detail: { failures: 4 } },
    ]);
    expect(await logOf('nobody-at-all')).toEqual([]);
    const log = store.provider(StoreAuditLog);
    for (let i = 0; i < 40; i += 1) await log.recordFailedSignIn({ id: 4_711, username: 'flooded' }, `198.51.100.${i}`);
    const rows = await store.database.repository(StoreAudit).find({ where: { actorName: 'flooded' }, order: { id: 'ASC' } });
    expect(rows).toHaveLength(21);
    expect(rows.at(-1)).toMatchObject({ ip: '', detail: { failures: 20 } });
  });

  it('password changes, and their effect on tokens', async () => {
    const client = store.visitor();
    await client.register('changer');
    const tokens: string[] = [];
    for (const name of ['ci', 'desk'])
      tokens.push((await client.call<{ token: string }>('POST', '/auth/tokens', { name, scopes: ['read'] })).data.token);
    const works = async (): Promise<number[]> =>
      Promise.all(
        tokens.map(
          async (token) =>
            (await store.visitor().send('GET', '/developer/items', { headers: { authorization: `Bearer ${token}` } })).status,
        ),
      );
    expect(await works()).toEqual([200, 200]);

    const kept = await client.call(
      'PUT',
      '/auth/password',
      { oldPassword: 'secret-1', newPassword: 'secret-2' },
      { 'accept-language': 'en' },
    );
    expect(kept).toMatchObject({
      status: 200,
      msg: 'The password was changed; 2 API tokens still work',
      data: { tokens_ended: 0, tokens_left: 2 },
    });
    expect(await works()).toEqual([200, 200]);

    const ended = await client.call('PUT', '/auth/password', { oldPassword: 'secret-2', newPassword: 'secret-3', endTokens: true });
    expect(ended).toMatchObject({ status: 200, msg: '密码修改成功，2 个 API 令牌已一并失效', data: { tokens_ended: 2, tokens_left: 0 } });
    expect(await works()).toEqual([401, 401]);
    expect(
      await client.call('PUT', '/auth/password', { oldPassword: 'secret-3', newPassword: 'secret-4', endTokens: 'yes' }),
    ).toMatchObject({ status: 400 });
    expect(await client.call('PUT', '/auth/password', { oldPassword: 'secret-3', newPassword: 'secret-4' })).toMatchObject({
      msg: '密码修改成功',
    });

    expect((await logOf('changer', 'auth.password')).map(({ detail }) => detail)).toEqual([
      { tokens_ended: 0 },
      { tokens_ended: 2 },
      { tokens_ended: 0 },
    ]);
  });

  it('which tokens were created and revoked, never their values', async () => {
    const client = store.visitor();
    await client.register('builder');
    const { data } = await client.call<{ id: number; token: string }>('POST', '/auth/tokens', { name: 'release', scopes: ['publish'] });
    await client.call('DELETE', `/auth/tokens/${data.id}`);
    expect((await client.call('DELETE', `/auth/tokens/${data.id}`)).status).toBe(404);
    const entries = (await logOf('builder')).filter(({ subject }) => subject === 'token');
    expect(entries).toMatchObject([
      { action: 'token.revoke', subject: 'token', detail: { token: 'release', scopes: ['publish'] } },
      { action: 'token.create', subject: 'token', detail: { token: 'release', scopes: ['publish'] } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(data.token);
  });

  it('what accounts change for themselves and what visitors report, once it is done', async () => {
    const client = store.visitor();
    await client.register('Doer');
    const other = store.visitor();
    await other.login('doer', 'secret-1');
    const { data: sessions } = await client.get<{ id: number; current: boolean }[]>('/auth/sessions');
    expect((await client.call('DELETE', `/auth/sessions/${sessions.find(({ current }) => !current)!.id}`)).status).toBe(200);
    expect((await client.call('DELETE', '/auth/sessions/999999')).status).toBe(404);
    await client.call('PUT', '/auth/profile', { bio: 'Makes things' });
    await client.call('POST', '/auth/failed-sign-ins/seen');
    const image = await pictureForm();
    const { data: uploaded } = await client.call<{ filename: string }>('POST', '/upload/image', image);
    const { data: item } = await submit(client, 'done-by-doer');
    await client.call('POST', '/developer/validate', formOf({ type: 'plugin' }, await pluginZip('done-by-doer', '1.0.1')));
    expect((await admin.call('PUT', `/admin/items/${item.id}/approve`)).status).toBe(200);
    expect((await submitVersion(client, item.id, 'done-by-doer', '1.0.1')).status).toBe(200);
    await client.call('PUT', `/developer/items/${item.id}`, { name: 'Another name' });
    await client.call('PUT', `/developer/items/${item.id}`, { name: 'Another name' });
    expect((await store.visitor().call('POST', `/items/${item.id}/report`, { reason: 'spam' })).status).toBe(200);
    await client.call('POST', '/auth/logout');

    const user = { subject: 'user', ip: '127.0.0.1' };
    const own = { subject: 'item', item: { id: item.id } };
    expect((await logOf('Doer')).reverse()).toMatchObject([
      { action: 'auth.register', ...user },
      { action: 'auth.login', ...user },
      { action: 'auth.session_end', ...user },
      { action: 'auth.profile', ...user },
      { action: 'auth.failures_seen', ...user },
      { action: 'image.upload', ...user, detail: { file: uploaded.filename } },
      { action: 'item.submit', ...own, detail: { version: '1.0.0' } },
      { action: 'item.version', ...own, detail: { version: '1.0.1' } },
      { action: 'item.edit', ...own },
      { action: 'auth.logout', ...user },
    ]);
    expect(await logOf('')).toMatchObject([{ action: 'item.report', actor_id: 0, ...own }]);
  });

  it('at most sixty entries an hour per action and account, and removes them after 400 days; decisions stay', async () => {
    const { database } = store;
    const rows = database.repository(StoreAudit);
    const limiter = store.provider(RateLimiter);
    const hit = vi.spyOn(limiter, 'hit').mockResolvedValue({ allowed: false, retryAfterSeconds: 1 } as never);
    const client = await store.member('Busy');
    expect((await client.call('POST', '/auth/failed-sign-ins/seen')).status).toBe(200);
    expect(hit).toHaveBeenCalledWith(`store-audit:auth.failures_seen:${client.userId}`, { limit: 60, windowSeconds: 3_600 });
    hit.mockRestore();
    expect(await logOf('Busy')).toEqual([]);

    const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    const row = { actorId: 1, actorName: 'aged', subject: 'user', subjectId: 1, detail: {}, ip: '' };
    await rows.insert([
      { ...row, action: 'auth.login', createdAt: ago(401) },
      { ...row, action: 'item.report', createdAt: ago(401) },
      { ...row, action: 'auth.login', createdAt: ago(399) },
      { ...row, action: 'user.update', createdAt: ago(4_000) },
    ]);
    await store.provider(StoreAuditLog).removeOld();
    expect((await rows.find({ where: { actorName: 'aged' }, order: { id: 'ASC' } })).map(({ action }) => action)).toEqual([
      'auth.login',
      'user.update',
    ]);
  });
});
