import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { exchangeOf, testCall } from '../../test/support/calls.js';
import { cookieValue, createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import { translate } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

import { VISIT_COOKIE } from './captcha-service.js';
import { Captcha, FailedSignIn, KnownDevice, RateLimit, Session } from './entities/index.js';
import type { LoginError } from './errors.js';
import type { SignedIn } from './sign-in-entry.js';
import { PasswordHasher } from './password-hasher.js';

const ADMIN_PASSWORD = 'a long password';
const USER_PASSWORD = '用户 secret';

let parts: TestSignIn;
let alice: number;

beforeAll(async () => {
  parts = await createTestSignIn({ ADMIN_PASSWORD });
  await parts.administrators.ensureFirstAdministrator(parts.config);
  alice = await parts.directory.add('Alice01', await parts.hasher.hash(USER_PASSWORD));
});
afterAll(() => parts.dispose());
beforeEach(async () => {
  parts.directory.refused.clear();
  parts.delays.length = 0;
  for (const entity of [Session, RateLimit, Captcha, KnownDevice, FailedSignIn]) await parts.database.repository(entity).clear();
});

interface Try {
  ip?: string;
  captcha?: string;
  captchaWanted?: boolean;
  cookies?: Record<string, string>;
}

function login(
  scope: Scope,
  username: string,
  password: string,
  { ip, captcha = '', captchaWanted = false, cookies }: Try = {},
): Promise<string> {
  const call = testCall({ ip, cookies });
  return parts.logins
    .login(scope, { username, password, captcha, captchaWanted, exchange: exchangeOf(call) }, call)
    .then((entered) => (entered as SignedIn).token);
}

async function refusal(attempt: Promise<unknown>): Promise<{ status: number; text: string; err: string }> {
  const error = await attempt.then(
    () => expect.unreachable('signed in'),
    (thrown: LoginError) => thrown,
  );
  return { status: error.shape.status ?? 200, text: translate('zh-CN', error.shape.text, error.params), err: error.shape.err };
}

describe('LoginService', () => {
  it('signs in on both sides, ignoring case and surrounding blanks of the name', async () => {
    expect(await parts.sessions.resolve('admin', await login('admin', ' Admin ', ADMIN_PASSWORD))).toMatchObject({ username: 'admin' });
    expect(await parts.sessions.resolve('user', await login('user', 'ALICE01', USER_PASSWORD))).toMatchObject({
      subjectId: alice,
      username: 'Alice01',
    });
    await expect(login('admin', 'Alice01', USER_PASSWORD)).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG_ADMIN' });
    await expect(login('user', 'admin', ADMIN_PASSWORD)).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG_USER' });
  });

  it("ends the browser's previous session to prevent session fixation", async () => {
    const planted = await login('user', 'alice01', USER_PASSWORD);
    const token = await login('user', 'alice01', USER_PASSWORD, { cookies: { user_token: planted } });
    expect(token).not.toBe(planted);
    expect(await parts.sessions.resolve('user', planted)).toBeNull();
    expect(await parts.sessions.resolve('user', token)).not.toBeNull();
    const chosen = 'A'.repeat(43);
    expect(await login('user', 'alice01', USER_PASSWORD, { cookies: { user_token: chosen } })).not.toBe(chosen);
    expect(await parts.sessions.resolve('user', chosen)).toBeNull();
  });

  it("keeps the browser's session if the attempt fails", async () => {
    const token = await login('user', 'alice01', USER_PASSWORD);
    await expect(login('user', 'alice01', 'wrong', { cookies: { user_token: token } })).rejects.toThrow();
    expect(await parts.sessions.resolve('user', token)).not.toBeNull();
  });

  it.each([
    ['admin', 'admin', '用户名或密码错误'],
    ['user', 'alice01', '用户不存在或密码错误！'],
  ] as const)('says the same of a wrong password and an unknown account on the %s side', async (scope, known, text) => {
    const wrong = await refusal(login(scope, known, 'wrong'));
    expect(wrong).toEqual({ status: 200, text, err: 'E_ARGS' });
    for (const name of [
      'nobody99',
      `${known}\0`,
      `${known}\r\nSet-Cookie: admin_token=x`,
      'ädmin',
      'álice01',
      'x'.repeat(65),
      '😀'.repeat(400),
      '',
    ]) {
      expect(await refusal(login(scope, name, 'wrong'))).toEqual(wrong);
      expect(await refusal(login(scope, name, scope === 'admin' ? ADMIN_PASSWORD : USER_PASSWORD))).toEqual(wrong);
      await parts.database.repository(RateLimit).clear();
    }
    for (const password of ['', '\0', 'x'.repeat(10_000), `${scope === 'admin' ? ADMIN_PASSWORD : USER_PASSWORD}\0`]) {
      expect(await refusal(login(scope, known, password, { ip: '192.0.2.9' }))).toEqual(wrong);
    }
  });

  it('does the same work for an unknown account as for a wrong password', async () => {
    const verify = vi.spyOn(PasswordHasher.prototype, 'verify');
    try {
      await refusal(login('admin', 'nobody99', 'wrong'));
      await refusal(login('admin', 'admin', 'wrong'));
      await refusal(login('user', 'nobody99', 'wrong'));
      await refusal(login('user', 'alice01', 'wrong'));
      expect(verify.mock.calls.map(([, stored]) => stored === null)).toEqual([true, false, true, false]);
    } finally {
      verify.mockRestore();
    }
  });

  it('reports characters not allowed in user names', async () => {
    for (const name of ['a"b', "a'b", 'a,b', 'a/b', 'a\\b']) {
      expect(await refusal(login('user', name, 'x'))).toMatchObject({ text: '账号不能包含危险字符！' });
      await parts.database.repository(RateLimit).clear();
    }
  });

  it('says why an account may not sign in only after the right password', async () => {
    parts.directory.refused.add(alice);
    expect(await refusal(login('user', 'alice01', 'wrong'))).toMatchObject({ text: '用户不存在或密码错误！' });
    await expect(login('user', 'alice01', USER_PASSWORD)).rejects.toMatchObject({
      shape: { text: 'hosting.login_paused' },
      params: { qq: '10001' },
    });
    expect(await parts.sessions.list('user', alice)).toEqual([]);
  });

  it('opens nothing when the password changes between check and session', async () => {
    const id = await parts.directory.add('turning1', await parts.hasher.hash('before'));
    const real = parts.hasher.verify.bind(parts.hasher);
    const verify = vi.spyOn(parts.hasher, 'verify').mockImplementation(async (plain, stored) => {
      const right = await real(plain, stored);
      await parts.directory.changePassword(id, stored!, 'after');
      return right;
    });
    await expect(login('user', 'turning1', 'before')).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG_USER' });
    verify.mockRestore();
    expect(await parts.sessions.list('user', id)).toEqual([]);
  });
});

describe('limits of signing in', () => {
  const many = <T>(count: number, work: (i: number) => Promise<T>) => Promise.allSettled(Array.from({ length: count }, (_, i) => work(i)));
  const codes = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? 'in' : (result.reason as LoginError).code));

  it('checks ten of fifty passwords tried at once for one account from one network', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockResolvedValue(false);
    const results = codes(await many(50, (i) => login('user', i % 2 ? 'alice01' : ' ALICE01', 'guess', { ip: `2001:db8::${i + 1}` })));
    expect(results.filter((code) => code === 'CREDENTIALS_WRONG_USER')).toHaveLength(10);
    expect(results.filter((code) => code === 'TOO_MANY_TRIES')).toHaveLength(40);
    expect(verify).toHaveBeenCalledTimes(10);
    verify.mockRestore();
    expect(await refusal(login('user', 'alice01', USER_PASSWORD, { ip: '2001:db8::77' }))).toEqual({
      status: 429,
      text: '尝试次数过多，请在 600 秒后再试。',
      err: 'E_RATE',
    });
    expect(parts.delays).toEqual([]);
    await expect(login('user', 'alice01', USER_PASSWORD, { ip: '2001:db8:1::1' })).resolves.toBeTruthy();
    parts.clock.advance(600_000);
    await expect(login('user', 'alice01', USER_PASSWORD, { ip: '2001:db8::1' })).resolves.toBeTruthy();
  });

  it('checks thirty of fifty from one network for fifty accounts, and uses none of them up for what was stopped anyway', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockResolvedValue(false);
    const results = codes(await many(50, (i) => login('user', `nobody${i}`, 'guess', { ip: '192.0.2.1' })));
    expect(results.filter((code) => code === 'TOO_MANY_TRIES')).toHaveLength(20);
    await many(50, () => login('user', 'alice01', 'guess', { ip: '192.0.2.2' }));
    verify.mockRestore();
    expect(await refusal(login('user', 'nobody99', 'guess', { ip: '192.0.2.2' }))).toMatchObject({ status: 200 });
  });

  it('delays responses for an account increasingly, but never rejects one from a new network', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockResolvedValue(false);
    const results: string[] = [];
    for (let i = 0; i < 18; i += 1)
      results.push(...codes([(await many(1, () => login('user', 'alice01', 'guess', { ip: `192.0.2.${i}` })))[0]!]));
    verify.mockRestore();
    expect(new Set(results)).toEqual(new Set(['CREDENTIALS_WRONG_USER']));
    expect(parts.delays).toEqual([1, 2, 4, 8, 15, 15, 15, 15]);
    await expect(login('user', 'alice01', USER_PASSWORD, { ip: '198.51.100.1' })).resolves.toBeTruthy();
    expect(parts.delays.at(-1)).toBe(15);
  });

  it('responds identically for known and unknown accounts', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockResolvedValue(false);
    await many(10, (i) => login('user', 'alice01', 'x', { ip: `192.0.2.${i}` }));
    await many(10, (i) => login('user', 'nobody99', 'x', { ip: `192.0.2.${i + 20}` }));
    verify.mockRestore();
    const known = await refusal(login('user', 'alice01', 'x', { ip: '192.0.2.250' }));
    expect(await refusal(login('user', 'nobody99', 'x', { ip: '192.0.2.251' }))).toEqual(known);
  });

  it('clears the attempts of an account that signs in, and does not count successes against a network', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockImplementation((plain) => Promise.resolve(plain === USER_PASSWORD));
    const tries = async () => codes(await many(9, () => login('user', 'alice01', 'wrong', { ip: '192.0.2.1' })));
    for (let i = 0; i < 2; i++) {
      expect(new Set(await tries())).toEqual(new Set(['CREDENTIALS_WRONG_USER']));
      await login('user', 'alice01', USER_PASSWORD, { ip: '192.0.2.1' });
    }
    for (let i = 0; i < 40; i++) await login('user', 'alice01', USER_PASSWORD, { ip: '192.0.2.1' });
    await tries();
    expect(await refusal(login('user', 'alice01', 'wrong', { ip: '192.0.2.1' }))).toMatchObject({ status: 200 });
    expect(await refusal(login('user', 'alice01', 'wrong', { ip: '192.0.2.1' }))).toMatchObject({ status: 429 });
    verify.mockRestore();
  });

  it('keeps the sides apart', async () => {
    const verify = vi.spyOn(parts.hasher, 'verify').mockResolvedValue(false);
    await many(11, () => login('user', 'admin', 'x'));
    verify.mockRestore();
    await expect(login('admin', 'admin', ADMIN_PASSWORD)).resolves.toBeTruthy();
  });
});

describe('the captcha of a sign-in', () => {
  async function asked(scope: Scope): Promise<{ cookies: Record<string, string>; captcha: string }> {
    const { cookie } = await parts.captchas.issue(scope, testCall());
    const [row] = await parts.database.repository(Captcha).find({ order: { id: 'DESC' }, take: 1 });
    return { cookies: { [VISIT_COOKIE]: cookieValue(cookie) }, captcha: row!.answer };
  }

  it("is required before the password is verified, with each side's message", async () => {
    const verify = vi.spyOn(parts.hasher, 'verify');
    expect(await refusal(login('admin', 'admin', ADMIN_PASSWORD, { captchaWanted: true }))).toMatchObject({ text: '验证码错误' });
    expect(await refusal(login('user', 'alice01', USER_PASSWORD, { captchaWanted: true }))).toMatchObject({ text: '验证码错误！' });
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  it('is valid for one attempt, whatever the result', async () => {
    const { cookies, captcha } = await asked('user');
    expect(await refusal(login('user', 'alice01', 'wrong', { captchaWanted: true, cookies, captcha }))).toMatchObject({
      text: '用户不存在或密码错误！',
    });
    expect(await refusal(login('user', 'alice01', USER_PASSWORD, { captchaWanted: true, cookies, captcha }))).toMatchObject({
      text: '验证码错误！',
    });
    const next = await asked('user');
    await expect(login('user', 'alice01', USER_PASSWORD, { captchaWanted: true, ...next })).resolves.toBeTruthy();
    expect(await refusal(login('user', 'alice01', USER_PASSWORD, { captchaWanted: true, ...next }))).toMatchObject({
      text: '验证码错误！',
    });
  });
});
