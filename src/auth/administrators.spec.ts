import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { exchangeOf, testCall } from '../../test/support/calls.js';
import { createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import { DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import { isUniqueViolation } from '../database/index.js';

import { Administrator } from './entities/index.js';
import type { SignedIn } from './sign-in-entry.js';

const LOCAL = { NODE_ENV: '', HOST: '127.0.0.1' };
const PRODUCTION = { NODE_ENV: 'production' };
const EXPOSED = { HOST: '0.0.0.0' };

let parts: TestSignIn;
beforeAll(async () => {
  parts = await createTestSignIn();
});
afterAll(() => parts.dispose());
beforeEach(() => parts.database.repository(Administrator).clear());

async function signIn(env: NodeJS.ProcessEnv, username: string, password: string): Promise<string> {
  const { logins } = parts.another(env);
  const call = testCall();
  const attempt = { username, password, captcha: '', captchaWanted: false, exchange: exchangeOf(call) };
  return logins.login('admin', attempt, call).then((entered) => (entered as SignedIn).token);
}

describe('the first administrator', () => {
  it('gets the given name and password, once', async () => {
    const { administrators, config, hasher } = parts.another({ ...PRODUCTION, ADMIN_USERNAME: 'Root', ADMIN_PASSWORD: 'given-password' });
    expect(await administrators.ensureFirstAdministrator(config)).toEqual({ username: 'Root', password: 'given-password', kind: 'given' });
    expect(await administrators.ensureFirstAdministrator(config)).toBeNull();
    const found = (await administrators.findByName('rOOT'))!;
    expect(found.username).toBe('Root');
    expect(await hasher.verify('given-password', found.passwordHash)).toBe(true);
    expect(found.hasDefaultPassword).toBe(false);
    expect(await parts.database.repository(Administrator).count()).toBe(1);
  });

  it('gets the published default only on a local installation, with a flag for the banner', async () => {
    const { administrators, config } = parts.another(LOCAL);
    expect(await administrators.ensureFirstAdministrator(config)).toEqual({
      username: 'admin',
      password: DEFAULT_ADMIN_PASSWORD,
      kind: 'default',
    });
    expect((await administrators.findByName('admin'))!.hasDefaultPassword).toBe(true);
    await expect(signIn(LOCAL, 'admin', DEFAULT_ADMIN_PASSWORD)).resolves.toMatch(/^[\w-]{43}$/);
  });

  it.each([PRODUCTION, EXPOSED])('gets a random password under %j', async (env) => {
    const { administrators, config } = parts.another(env);
    const { password, kind } = (await administrators.ensureFirstAdministrator(config))!;
    expect(kind).toBe('random');
    expect(password).toMatch(/^[\w-]{20}$/);
    await expect(signIn(env, 'admin', password)).resolves.toBeTruthy();
  });

  it.each([PRODUCTION, EXPOSED])('with the default password can neither sign in nor stay signed in under %j', async (env) => {
    const { administrators, config, sessions } = parts.another(LOCAL);
    await administrators.ensureFirstAdministrator(config);
    const token = await signIn(LOCAL, 'admin', DEFAULT_ADMIN_PASSWORD);
    expect(await sessions.resolve('admin', token)).not.toBeNull();
    await expect(signIn(env, 'admin', DEFAULT_ADMIN_PASSWORD)).rejects.toMatchObject({ code: 'DEFAULT_PASSWORD_REFUSED' });
    await expect(signIn(env, 'admin', 'wrong')).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG_ADMIN' });
    expect(await parts.another(env).sessions.resolve('admin', token)).toBeNull();
  });
});

describe('Administrators', () => {
  it('are found by name ignoring case, but not by look-alikes', async () => {
    await parts.administrators.ensureFirstAdministrator(parts.config);
    for (const name of ['admin', 'ADMIN', 'Admin']) expect(await parts.administrators.findByName(name)).not.toBeNull();
    for (const name of ['ädmin', 'admin ', 'admin\0', 'admin%', '', 'аdmin'])
      expect(await parts.administrators.findByName(name), name).toBeNull();
  });

  it('change only if the password still matches, which clears the default-password flag', async () => {
    await parts.administrators.ensureFirstAdministrator(parts.config);
    const { id, passwordHash } = (await parts.administrators.findByName('admin'))!;
    const outcomes = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        parts.administrators.change(id, passwordHash, { username: name, passwordHash: `hash-${name}` }),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const changed = (await parts.administrators.findById(id))!;
    expect(changed.passwordHash).toBe(`hash-${changed.username}`);
    expect(changed.usernameKey).toBe(changed.username);
    expect(changed.hasDefaultPassword).toBe(false);
    await parts.administrators.change(id, changed.passwordHash, { username: 'Other' });
    expect(await parts.administrators.findById(id)).toMatchObject({
      username: 'Other',
      usernameKey: 'other',
      passwordHash: changed.passwordHash,
    });
  });

  it('have unique names, ignoring case', async () => {
    await parts.administrators.ensureFirstAdministrator(parts.config);
    const { id } = await parts.database.repository(Administrator).save({
      username: 'second',
      usernameKey: 'second',
      passwordHash: 'h',
      hasDefaultPassword: false,
      createdAt: new Date(),
    });
    await expect(parts.administrators.change(id, 'h', { username: 'ADMIN' })).rejects.toSatisfy(isUniqueViolation);
  });
});
