import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import { DEFAULT_ADMIN_PASSWORD } from '../config/index.js';

import { AdministratorAccounts } from './administrator-accounts.js';
import { Administrator, KnownDevice, Session } from './entities/index.js';

const VISITOR = { ip: '192.0.2.1', userAgent: 'test' };

let parts: TestSignIn;
let accounts: AdministratorAccounts;

beforeAll(async () => {
  parts = await createTestSignIn();
  accounts = new AdministratorAccounts(parts.database, parts.hasher, parts.clock);
});
afterAll(() => parts.dispose());
beforeEach(async () => {
  for (const entity of [Administrator, Session, KnownDevice]) await parts.database.repository(entity).clear();
});

const names = async (): Promise<string[]> => (await accounts.list()).map(({ username }) => username);
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? error,
  );

describe('administrator accounts', () => {
  it('require unambiguous names and valid passwords', async () => {
    for (const username of ['abc', 'a'.repeat(65), 'root admin', 'rооt', "a'b1", 'admin\n'])
      expect([username, await code(accounts.add({ username, password: 'long enough' }))]).toEqual([username, 'NAME_RULE']);
    for (const password of ['', '12345', 'x'.repeat(257)])
      expect(await code(accounts.add({ username: 'root', password }))).toBe('PASSWORD_RULE');
    expect(await code(accounts.add({ username: 'root', password: DEFAULT_ADMIN_PASSWORD }))).toBe('PUBLISHED_PASSWORD');
    expect(await names()).toEqual([]);
    await accounts.add({ username: 'Root', password: 'long enough' });
    expect(await code(accounts.add({ username: 'rOOT', password: 'long enough' }))).toBe('ADMINISTRATOR_NAME_TAKEN');
    const other = await accounts.add({ username: 'other', password: 'long enough' });
    expect(await code(accounts.change(other, { username: 'ROOT', password: 'another one' }))).toBe('ADMINISTRATOR_NAME_TAKEN');
    expect(await parts.hasher.verify('long enough', (await accounts.list())[1]!.passwordHash)).toBe(true);
  });

  it('lose every session and device with a new password, and when they are disabled or removed', async () => {
    await accounts.add({ username: 'stays', password: 'long enough' });
    for (const change of [
      (id: number) => accounts.change(id, { password: 'another one' }),
      (id: number) => accounts.change(id, { enabled: false }),
      (id: number) => accounts.remove(id),
    ]) {
      const id = await accounts.add({ username: 'alice', password: 'long enough' });
      const token = await parts.sessions.open('admin', id, VISITOR);
      const device = await parts.devices.remember('admin', id, undefined);
      expect(await parts.sessions.resolve('admin', token)).toMatchObject({ subjectId: id });
      await change(id);
      expect(await parts.sessions.resolve('admin', token)).toBeNull();
      expect(await parts.devices.find('admin', id, device)).toBeNull();
      if ((await names()).includes('alice')) await accounts.remove(id);
    }
  });

  it('open no session while disabled, not even if the password was checked before', async () => {
    await accounts.add({ username: 'stays', password: 'long enough' });
    const id = await accounts.add({ username: 'alice', password: 'long enough' });
    const { passwordHash } = (await accounts.list())[1]!;
    await accounts.change(id, { enabled: false });
    expect(await parts.sessions.openWithPassword('admin', id, passwordHash, VISITOR)).toBeNull();
  });

  it('always remain at least one: the last enabled one can be neither removed nor disabled', async () => {
    const last = await accounts.add({ username: 'last', password: 'long enough' });
    const off = await accounts.add({ username: 'kept-out', password: 'long enough', enabled: false });
    expect(await code(accounts.remove(last))).toBe('LAST_ADMINISTRATOR');
    expect(await code(accounts.change(last, { enabled: false }))).toBe('LAST_ADMINISTRATOR');
    expect(await code(accounts.change(last, { enabled: true, password: 'another one' }))).toBe('done');
    expect(await code(accounts.remove(off))).toBe('done');
    expect(await code(accounts.remove(off))).toBe('ADMINISTRATOR_MISSING');
  });

  it('leave one when all are removed concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      await parts.database.repository(Administrator).clear();
      const ids = [];
      for (const n of [1, 2, 3, 4]) ids.push(await accounts.add({ username: `admin${n}`, password: 'long enough' }));
      const answers = await Promise.all(ids.map((id, n) => code(n % 2 ? accounts.remove(id) : accounts.change(id, { enabled: false }))));
      expect(answers.sort()).toEqual(['LAST_ADMINISTRATOR', 'done', 'done', 'done']);
      expect((await accounts.list()).filter(({ enabled }) => enabled)).toHaveLength(1);
    }
  });
});
