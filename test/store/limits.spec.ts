import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Captcha } from '../../src/auth/index.js';
import { TestStore, type StoreClient } from '../support/store.js';

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.start({ CAPTCHA: 'fixed:aB3d', RATE_LIMIT: 'on' });
});
afterAll(() => store.close());

const picture = async (client: StoreClient): Promise<Response> => client.send('GET', '/auth/captcha');

describe('a captcha', () => {
  it('is a picture of 120 by 42, bound to the session cookie', async () => {
    const client = store.visitor();
    const response = await picture(client);
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(await response.text()).toMatch(/^<svg [^>]*width="120" height="42"/);
    expect(client.cookie).toMatch(/^connect\.sid=[\w-]{43}$/);
    const { cookie } = client;
    await picture(client);
    expect(client.cookie).toBe(cookie);
  });

  it('allows one attempt, whatever its result, and ignores case', async () => {
    const client = store.visitor();
    expect((await client.register('nocap')).msg).toBe('请输入验证码');
    expect((await client.register('nocap', 'secret-1', 'ab3d')).msg).toBe('请输入验证码');
    await picture(client);
    expect((await client.register('nocap', 'secret-1', 'xxxx')).msg).toBe('验证码错误');
    expect((await client.register('nocap', 'secret-1', 'ab3d')).msg).toBe('验证码错误');
    await picture(client);
    expect(await client.register('nocap', 'secret-1', 'AB3D')).toMatchObject({ status: 200 });
  });

  it('accepts one of six simultaneous uses', async () => {
    const client = store.visitor();
    await picture(client);
    const { cookie } = client;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_none, i) => Object.assign(store.visitor(), { cookie }).register(`atonce${i}`, 'secret-1', 'ab3d')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ msg }) => msg))).toEqual(new Set(['验证码错误']));
  });

  it('is not used up by a form that is rejected anyway', async () => {
    const client = store.visitor();
    await picture(client);
    expect((await client.register('x', 'secret-1', 'ab3d')).msg).toBe('用户名长度 2-30 字符');
    expect((await client.register('longenough', 'secret-1', 'ab3d')).status).toBe(200);
  });

  it('is useless to others, and is no sign-in', async () => {
    const [client, other] = [store.visitor(), store.visitor()];
    await picture(client);
    expect((await other.register('other', 'secret-1', 'ab3d')).status).toBe(400);
    await picture(other);
    await other.register('other', 'secret-1', 'xxxx');
    expect((await other.register('other', 'secret-1', 'ab3d')).msg).toBe('验证码错误');
    expect((await client.get('/auth/me')).status).toBe(401);
  });

  it('is valid for five minutes', async () => {
    const client = store.visitor();
    await picture(client);
    const rows = store.database.repository(Captcha);
    const [row] = await rows.find({ where: { scope: 'store' }, order: { id: 'DESC' }, take: 1 });
    expect(Math.round((row!.expiresAt.getTime() - Date.now()) / 60_000)).toBe(5);
    await rows.update({ id: row!.id }, { expiresAt: new Date() });
    expect((await client.register('late', 'secret-1', 'ab3d')).msg).toBe('验证码错误');
  });
});

describe('sign-ins', () => {
  beforeAll(async () => {
    const client = store.visitor();
    await picture(client);
    await client.register('target', 'secret-1', 'ab3d');
  });

  it('are stopped after ten failures, even with the right password, and the same for an unknown name', async () => {
    const tries = async (name: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let i = 0; i < 11; i += 1) {
        const client = store.visitor();
        await picture(client);
        const { status, code, headers } = await client.login(name, i === 10 ? 'secret-1' : 'wrong-1', 'ab3d');
        seen.push(`${status} ${code} ${status === 429 ? Number(headers.get('retry-after')) > 0 : ''}`);
      }
      return seen;
    };
    expect(await tries('target')).toEqual([...Array.from({ length: 10 }, () => '401 401 '), '429 429 true']);
    // Nothing distinguishes an existing name from an unknown one.
    expect(await tries('nobody')).toEqual([...Array.from({ length: 10 }, () => '401 401 '), '429 429 true']);
  });
});
