import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { AuthenticatorApp } from '../../test/support/authenticator-app.js';
import { exchangeOf, testCall } from '../../test/support/calls.js';
import { createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import { HOUR_MS } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

import { AdministratorAccounts } from './administrator-accounts.js';
import { Administrator, FailedSignIn, RateLimit, RecoveryCode, SecondFactor, Session, SignInStep } from './entities/index.js';
import type { SecondStep } from './login-service.js';
import type { SignedIn } from './sign-in-entry.js';
import { removeSecondFactor, type FactorSetup } from './second-factors.js';
import { OneTimeCodes } from './totp.js';

const PASSWORD = 'a long password';

let parts: TestSignIn;
let id: number;
beforeAll(async () => {
  parts = await createTestSignIn();
});
afterAll(() => parts.dispose());
beforeEach(async () => {
  for (const entity of [Administrator, Session, RateLimit, FailedSignIn, SecondFactor, RecoveryCode, SignInStep])
    await parts.database.repository(entity).clear();
  id = await new AdministratorAccounts(parts.database, parts.hasher, parts.clock).add({ username: 'admin', password: PASSWORD });
});

/** The account in one of its sessions. */
const session = (token = 'first', side: Scope = 'admin', accountId = id): FactorSetup => ({ side, accountId, token });
const begin = (setup = session(), issuer = 'Panel') => parts.seconds.begin(setup, issuer, 'admin');
/** Sends the current code of an app. */
const confirm = (setup: FactorSetup, app: AuthenticatorApp) => parts.seconds.confirm(setup, app.at(now()));
/** Sets one up. @returns the codes of the app and the recovery codes */
async function setUp(): Promise<{ app: AuthenticatorApp; recovery: string[] }> {
  const app = new AuthenticatorApp((await begin())!.secret);
  const recovery = await confirm(session(), app);
  parts.clock.advance(30_000);
  return { app, recovery: recovery as string[] };
}
const now = () => parts.clock.now();
const check = (code: string) => parts.seconds.check('admin', id, code);
async function login(password = PASSWORD, totp?: string, ip = '192.0.2.1'): Promise<SignedIn | SecondStep> {
  const call = testCall({ ip });
  const attempt = { username: 'admin', password, captcha: '', captchaWanted: false, totp, exchange: exchangeOf(call) };
  return parts.logins.login('admin', attempt, call);
}
const finish = (lp: string, code: string, ip = '192.0.2.1') => parts.logins.finish('admin', lp, code, testCall({ ip }));
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? error,
  );

describe('one-time codes', () => {
  it('are those of RFC 6238, appendix B', () => {
    const codes = new OneTimeCodes('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    for (const [seconds, expected] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ] as const)
      expect(codes.stepOf(expected, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  });

  it('work once in their 30-second step and the adjacent ones, also under concurrency', async () => {
    const { app } = await setUp();
    const at = (seconds: number) => app.at(new Date(now().getTime() + seconds * 1_000));
    for (const seconds of [-60, 60, -3_600]) expect(await check(at(seconds))).toBe(false);
    for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６', ' ']) expect(await check(text)).toBe(false);
    const answers = await Promise.all(Array.from({ length: 10 }, () => check(at(0))));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await check(at(0))).toBe(false);
    expect(await check(at(-30))).toBe(false);
    expect(await check(at(30))).toBe(true);
    parts.clock.advance(30_000);
    expect(await check(at(0))).toBe(false);
    expect(await check(at(30))).toBe(true);
  });

  it('are required only after the first was verified, which counts as used', async () => {
    const begun = (await begin(session(), 'My: panel'))!;
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/My%20%20panel:admin\?/);
    expect(await parts.seconds.enabled('admin', id)).toBe(false);
    expect(await login()).toHaveProperty('token');
    const app = new AuthenticatorApp(begun.secret);
    const confirmed = await Promise.all([1, 2, 3].map(() => confirm(session(), app)));
    expect(confirmed.filter((codes) => codes !== 'FACTOR_ON')).toEqual([expect.arrayContaining([expect.any(String)])]);
    expect(await check(app.at(now()))).toBe(false);
    expect(await begin()).toBeNull();
    expect(await login()).toHaveProperty('lp');
  });

  it('have seeds and recovery codes that cannot be read from the database', async () => {
    const { app, recovery } = await setUp();
    const rows = JSON.stringify([
      await parts.database.repository(SecondFactor).find(),
      await parts.database.repository(RecoveryCode).find(),
    ]);
    for (const secret of [app.seed, ...recovery]) expect(rows).not.toContain(secret);
    // A row that was copied to another account opens nothing there.
    await parts.database.repository(SecondFactor).update({ accountId: id }, { accountId: id + 1 });
    expect(await parts.seconds.check('admin', id + 1, app.at(now()))).toBe(false);
  });
});

describe('a setup that was started', () => {
  it('is seen and confirmed only in its session; a start in another one replaces it', async () => {
    const [owner, thief] = [session('owner'), session('thief')];
    const first = new AuthenticatorApp((await begin(owner))!.secret);
    // Whoever saw the secret, and whoever did not, is told the same.
    expect(await confirm(thief, first)).toBe('SETUP_OVER');
    expect(await parts.seconds.confirm(thief, '000000')).toBe('SETUP_OVER');
    const other = new AuthenticatorApp((await begin(thief))!.secret);
    expect(other.seed).not.toBe(first.seed);
    for (const app of [first, other]) expect(await confirm(owner, app)).toBe('SETUP_OVER');
    const again = new AuthenticatorApp((await begin(owner))!.secret);
    expect([first.seed, other.seed]).not.toContain(again.seed);
    expect(await confirm(thief, other)).toBe('SETUP_OVER');
    expect(await parts.seconds.enabled('admin', id)).toBe(false);
    expect(await confirm(owner, again)).toHaveLength(10);
    expect(await confirm(thief, again)).toBe('FACTOR_ON');
    const [row] = await parts.database.repository(SecondFactor).find();
    expect(row).toMatchObject({ sessionHash: null });
  });

  it('is the same one in every tab of its session, after wrong codes and after a restart, for an hour', async () => {
    const tabs = await Promise.all([1, 2, 3].map(() => begin()));
    const { secret } = tabs[0]!;
    expect(tabs.map((tab) => tab!.secret)).toEqual([secret, secret, secret]);
    expect(await parts.seconds.confirm(session(), '000000')).toBe('CODE_WRONG');
    parts.clock.advance(HOUR_MS - 1);
    const restarted = parts.another({}).seconds;
    expect((await restarted.begin(session(), 'Panel', 'admin'))!.secret).toBe(secret);
    parts.clock.advance(1);
    expect(await confirm(session(), new AuthenticatorApp(secret))).toBe('SETUP_OVER');
    const next = (await begin())!.secret;
    expect(next).not.toBe(secret);
    parts.clock.advance(HOUR_MS - 1);
    expect(await parts.another({}).seconds.confirm(session(), new AuthenticatorApp(next).at(now()))).toHaveLength(10);
  });

  it('is one at a time, also if several sessions start and confirm at once', async () => {
    const sessions = ['a', 'b', 'c', 'd'].map((token) => session(token));
    const seeds = await Promise.all(sessions.map((one) => begin(one)));
    expect(new Set(seeds.map((seed) => seed!.secret)).size).toBe(4);
    const answers = await Promise.all(sessions.map((one, n) => confirm(one, new AuthenticatorApp(seeds[n]!.secret))));
    expect(answers.filter((answer) => typeof answer !== 'string')).toHaveLength(1);
    expect(await parts.database.repository(RecoveryCode).count()).toBe(10);
    const winner = seeds[answers.findIndex((answer) => typeof answer !== 'string')]!;
    parts.clock.advance(30_000);
    expect(await check(new AuthenticatorApp(winner.secret).at(now()))).toBe(true);
  });

  describe('when something happens between reading and writing its row', () => {
    /** The next reading of a row is followed by this before its reader goes on. */
    function between<T>(happens: () => Promise<T>): void {
      const rows = parts.database.repository(SecondFactor);
      const find = rows.findOneBy.bind(rows);
      vi.spyOn(rows, 'findOneBy').mockImplementationOnce(async (where) => {
        const seen = await find(where);
        await happens();
        return seen;
      });
    }
    afterEach(() => void vi.restoreAllMocks());
    const [owner, thief] = [() => session('owner'), () => session('thief')];

    it('has one seed for two tabs that start', async () => {
      let first = '';
      between(async () => void (first = (await begin(owner()))!.secret));
      expect((await begin(owner()))!.secret).toBe(first);
      expect(await confirm(owner(), new AuthenticatorApp(first))).toHaveLength(10);
    });

    it('does not show the seed of a session that starts', async () => {
      let theirs = '';
      between(async () => void (theirs = (await begin(thief()))!.secret));
      const { secret } = (await begin(owner()))!;
      expect(secret).not.toBe(theirs);
      expect(await confirm(owner(), new AuthenticatorApp(secret))).toBe('SETUP_OVER');
      expect(await confirm(thief(), new AuthenticatorApp(theirs))).toHaveLength(10);
    });

    it('does not replace a factor that is confirmed', async () => {
      const app = new AuthenticatorApp((await begin(owner()))!.secret);
      between(async () => expect(await confirm(owner(), app)).toHaveLength(10));
      expect(await begin(thief())).toBeNull();
      parts.clock.advance(30_000);
      expect(await check(app.at(now()))).toBe(true);
    });

    it('does not confirm a seed that is replaced', async () => {
      const app = new AuthenticatorApp((await begin(owner()))!.secret);
      between(() => begin(thief()));
      expect(await confirm(owner(), app)).toBe('SETUP_OVER');
      expect([await parts.seconds.enabled('admin', id), await parts.database.repository(RecoveryCode).count()]).toEqual([false, 0]);
    });

    it('confirms a seed once', async () => {
      const app = new AuthenticatorApp((await begin(owner()))!.secret);
      let codes: unknown;
      between(async () => void (codes = await confirm(owner(), app)));
      expect(await confirm(owner(), app)).toBe('FACTOR_ON');
      expect(codes).toHaveLength(10);
      expect(await check((codes as string[])[0]!)).toBe(true);
    });
  });

  it('begins anew if its seed cannot be read, and for accounts of other sides apart', async () => {
    const { secret } = (await begin())!;
    expect((await begin(session('first', 'user')))!.secret).not.toBe(secret);
    expect((await begin(session('first', 'admin', id + 1)))!.secret).not.toBe(secret);
    await parts.database.repository(SecondFactor).update({ side: 'admin', accountId: id }, { seed: 'of another key' });
    expect(await parts.seconds.confirm(session(), '000000')).toBe('SETUP_OVER');
    const next = (await begin())!.secret;
    expect(next).not.toBe(secret);
    expect(await confirm(session(), new AuthenticatorApp(next))).toHaveLength(10);
  });
});

describe('recovery codes', () => {
  it('work once each, however they are typed, and are invalidated by new ones', async () => {
    const { recovery } = await setUp();
    expect(new Set(recovery).size).toBe(10);
    const [first, second, third] = recovery as [string, string, string];
    expect((await Promise.all([1, 2, 3, 4].map(() => check(first)))).filter(Boolean)).toHaveLength(1);
    expect(await check(` ${second.toUpperCase().replace('-', '')} `)).toBe(true);
    expect((await parts.seconds.state('admin', id)).codes).toBe(8);
    const renewed = await parts.seconds.renewRecoveryCodes('admin', id);
    expect(await check(third)).toBe(false);
    expect(await check(renewed[0]!)).toBe(true);
    expect(await parts.seconds.check('user', id, renewed[1]!)).toBe(false);
  });
});

describe('the second step of a sign-in', () => {
  it('opens one session with the right code after the password was verified', async () => {
    const { app } = await setUp();
    const { lp } = (await login()) as SecondStep;
    expect(await parts.database.repository(Session).count()).toBe(0);
    expect(JSON.stringify(await parts.database.repository(SignInStep).find())).not.toContain(lp);
    expect(await code(finish(lp, '000000'))).toBe('CODE_WRONG');
    expect(await code(finish('x'.repeat(43), app.at(now())))).toBe('STEP_OVER');
    const entered = await Promise.all([1, 2, 3].map(() => code(finish(lp, app.at(now())))));
    expect(entered.filter((answer) => answer === 'done')).toHaveLength(1);
    expect(await parts.database.repository(Session).count()).toBe(1);
    expect(await code(finish(lp, app.at(new Date(now().getTime() + 30_000))))).toBe('STEP_OVER');
  });

  it('can be sent together with the password, but never without it', async () => {
    const { app, recovery } = await setUp();
    expect(await code(login('wrong', app.at(now())))).toBe('CREDENTIALS_WRONG_ADMIN');
    expect(await code(login(PASSWORD, '000000'))).toBe('CODE_WRONG');
    expect(await login(PASSWORD, app.at(now()))).toHaveProperty('token');
    expect(await login(PASSWORD, recovery[0])).toHaveProperty('token');
  });

  it('ends after five minutes, five wrong codes, or with a new password', async () => {
    const { app } = await setUp();
    const late = ((await login()) as SecondStep).lp;
    parts.clock.advance(5 * 60_000 + 1);
    expect(await code(finish(late, app.at(now())))).toBe('STEP_OVER');
    const guessed = ((await login()) as SecondStep).lp;
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, n) => code(finish(guessed, `00000${n % 10}`, `198.51.100.${n}`))));
    expect(guesses.filter((answer) => answer === 'CODE_WRONG').length).toBeLessThanOrEqual(5);
    expect(await code(finish(guessed, app.at(now()), '198.51.100.200'))).toBe('STEP_OVER');
    await parts.database.repository(RateLimit).clear();
    const changed = ((await login()) as SecondStep).lp;
    await new AdministratorAccounts(parts.database, parts.hasher, parts.clock).change(id, { password: 'another password' });
    expect(await code(finish(changed, app.at(now())))).toBe('CREDENTIALS_WRONG_ADMIN');
  });

  it('limits code attempts by somebody who knows the password, over all networks', async () => {
    await setUp();
    let wrong = 0;
    for (let round = 0; round < 8; round += 1) {
      const { lp } = (await login(PASSWORD, undefined, `203.0.113.${round}`)) as SecondStep;
      for (let n = 0; n < 5; n += 1) if ((await code(finish(lp, '000000', `198.51.${round}.${n}`))) === 'CODE_WRONG') wrong += 1;
    }
    expect(wrong).toBe(20);
  });

  it('is removed when lost, together with a pending setup', async () => {
    const { app } = await setUp();
    const { lp } = (await login()) as SecondStep;
    expect(await removeSecondFactor(parts.database, 'admin', id)).toBe(true);
    expect(await removeSecondFactor(parts.database, 'admin', id)).toBe(false);
    expect(await code(finish(lp, app.at(now())))).toBe('STEP_OVER');
    expect(await login()).toHaveProperty('token');
  });
});
