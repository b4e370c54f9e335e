import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { FailedSignIn, KnownDevice, RateLimit, SignInDelay } from '../../src/auth/index.js';
import { TestStore, StoreClient, type StoreAnswer } from '../support/store.js';

let store: TestStore;
let waited: number[] = [];
beforeAll(async () => {
  store = await TestStore.start({ CAPTCHA: 'fixed:abcd', RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
  vi.spyOn(store.provider(SignInDelay), 'wait').mockImplementation(async (seconds) => void (seconds > 0 && waited.push(seconds)));
  const victim = new Browser('198.51.100.200');
  await victim.send('GET', '/auth/captcha');
  expect(await victim.register('victim', 'secret-1', 'abcd')).toMatchObject({ status: 200 });
});
afterEach(async () => {
  for (const entity of [RateLimit, FailedSignIn, KnownDevice]) await store.database.repository(entity).clear();
  waited = [];
});
afterAll(() => store.close());

/** A browser with its own address and device cookie. */
class Browser extends StoreClient {
  device = '';

  constructor(readonly address: string) {
    super(store.url);
  }

  override async send(method: string, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const cookie = [this.cookie, this.device].filter(Boolean).join('; ');
    const response = await super.send(method, path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': this.address, ...(cookie ? { cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) if (line.startsWith('store_device=')) this.device = line.split(';')[0]!;
    return response;
  }

  async signIn(password: string, name = 'victim'): Promise<StoreAnswer> {
    await this.send('GET', '/auth/captcha');
    return this.login(name, password, 'abcd');
  }

  async page(path: string): Promise<string> {
    return (await fetch(`${store.url}${path}`, { headers: { cookie: this.cookie, 'accept-language': 'en' } })).text();
  }
}

describe('F2 lock-out of others, in the store', () => {
  it('attempts without the right captcha do not count', async () => {
    const stranger = new Browser('203.0.113.1');
    for (let i = 0; i < 40; i += 1) expect((await stranger.login('victim', 'guess-1', i % 2 ? 'zzzz' : '')).status).toBe(400);
    expect(await new Browser('203.0.113.1').signIn('secret-1')).toMatchObject({ status: 200 });
  });

  it('a stranger locks out only his own network; many strangers only delay responses', async () => {
    const stranger = new Browser('203.0.113.1');
    for (let i = 0; i < 10; i += 1) expect((await stranger.signIn('guess-1')).status).toBe(401);
    const refused = await stranger.signIn('guess-1');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    for (let i = 0; i < 8; i += 1) expect((await new Browser(`192.0.2.${i}`).signIn('guess-1')).status).toBe(401);
    expect(waited).toEqual([1, 2, 4, 8, 15, 15, 15, 15]);
    expect(await new Browser('198.51.100.1').signIn('secret-1')).toMatchObject({ status: 200 });
  });

  it("a device that signed in before can sign in even from the stranger's network, until the password changes", async () => {
    const owner = new Browser('203.0.113.1');
    const first = await owner.signIn('secret-1');
    expect(first.headers.getSetCookie().find((line) => line.startsWith('store_device='))).toMatch(
      /^store_device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    for (let i = 0; i < 11; i += 1) await new Browser('203.0.113.1').signIn('guess-1');
    expect(await owner.signIn('secret-1')).toMatchObject({ status: 200 });
    const before = owner.device;
    expect(await owner.call('PUT', '/auth/password', { oldPassword: 'secret-1', newPassword: 'secret-2' })).toMatchObject({ status: 200 });
    expect(owner.device).not.toBe(before);
    const thief = new Browser('203.0.113.1');
    thief.device = before;
    expect((await thief.signIn('secret-2')).status).toBe(429);
    expect(await owner.signIn('secret-2')).toMatchObject({ status: 200 });
    expect(await owner.call('PUT', '/auth/password', { oldPassword: 'secret-2', newPassword: 'secret-1' })).toMatchObject({ status: 200 });
  });

  it('the owner is informed on the next page, until he has seen it', async () => {
    for (const address of ['203.0.113.1', '203.0.113.1', '192.0.2.5']) await new Browser(address).signIn('guess-1');
    const owner = new Browser('198.51.100.1');
    await owner.signIn('secret-1');
    for (const path of ['/store/', '/store/account'])
      expect(await owner.page(path)).toMatch(
        /id="failed-sign-ins-banner"[\s\S]*3 failed sign-ins to your account from 2 networks since[\s\S]*href="\/store\/account\/sessions"/,
      );
    const { data } = await owner.get<object[]>('/auth/failed-sign-ins');
    expect(data).toMatchObject([
      { network: '192.0.2.5', failures: 1, seen: false },
      { network: '203.0.113.1', failures: 2, seen: false },
    ]);
    expect(await owner.call('POST', '/auth/failed-sign-ins/seen')).toMatchObject({ status: 200 });
    expect(await owner.page('/store/')).not.toContain('failed-sign-ins-banner');
  });
});
