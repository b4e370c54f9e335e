import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestSignIn, type TestSignIn } from '../../test/support/sign-in.js';
import { HostingAccount } from '../hosting/index.js';

import { Session } from './entities/index.js';
import { endedSessionCookie, sessionCookie } from './cookies.js';
import { SESSION_SECONDS, type SessionService } from './session-service.js';

const VISITOR = { ip: '127.0.0.1', userAgent: 'test' };

let parts: TestSignIn;
let sessions: SessionService;
let admin: number;
let alice: number;

beforeAll(async () => {
  parts = await createTestSignIn({ ADMIN_PASSWORD: 'a long password' });
  sessions = parts.sessions;
  await parts.administrators.ensureFirstAdministrator(parts.config);
  admin = (await parts.administrators.findByName('admin'))!.id;
});
afterAll(() => parts.dispose());
beforeEach(async () => {
  await parts.database.repository(Session).clear();
  await parts.database.repository(HostingAccount).createQueryBuilder().delete().execute();
  alice = await parts.directory.add('Alice01', 'hash-1');
});

describe('SessionService', () => {
  it('opens sessions with random tokens and stores only their hashes', async () => {
    const tokens = await Promise.all([sessions.open('admin', admin, VISITOR), sessions.open('admin', admin, VISITOR)]);
    expect(tokens[0]).toMatch(/^[\w-]{43}$/);
    expect(tokens[0]).not.toBe(tokens[1]);
    expect(await sessions.resolve('admin', tokens[0])).toMatchObject({ subjectId: admin, username: 'admin' });
    expect(JSON.stringify(await parts.database.repository(Session).find())).not.toContain(tokens[0]);
  });

  it('resolves a token only on its own side, and no made-up one', async () => {
    const token = await sessions.open('user', alice, VISITOR);
    expect(await sessions.resolve('user', token)).toMatchObject({ subjectId: alice, username: 'Alice01' });
    expect(await sessions.resolve('admin', token)).toBeNull();
    const [{ tokenHash }] = (await parts.database.repository(Session).find()) as [Session];
    for (const other of ['', 'x', tokenHash, `${token} `, token.toUpperCase(), `${token}\0`, "' OR 1=1 --", 'a'.repeat(100_000)]) {
      expect(await sessions.resolve('user', other)).toBeNull();
    }
  });

  it('expires after seven days, whether it is used or not', async () => {
    const token = await sessions.open('admin', admin, VISITOR);
    parts.clock.advance(SESSION_SECONDS * 1_000 - 1);
    expect(await sessions.resolve('admin', token)).not.toBeNull();
    parts.clock.advance(1);
    expect(await sessions.resolve('admin', token)).toBeNull();
    const fresh = await sessions.open('admin', admin, VISITOR);
    await sessions.removeExpired();
    expect(await parts.database.repository(Session).count()).toBe(1);
    expect(await sessions.resolve('admin', fresh)).not.toBeNull();
  });

  it('updates the last-seen time at most once a minute', async () => {
    const token = await sessions.open('admin', admin, VISITOR);
    const seen = async () => (await sessions.list('admin', admin))[0]!.seenAt;
    const opened = await seen();
    parts.clock.advance(60_000);
    await sessions.resolve('admin', token);
    expect(await seen()).toEqual(opened);
    parts.clock.advance(1);
    await sessions.resolve('admin', token);
    expect(await seen()).toEqual(parts.clock.now());
  });

  it('is invalid while its account is suspended, being deleted or removed', async () => {
    const accounts = parts.database.repository(HostingAccount);
    const token = await sessions.open('user', alice, VISITOR);
    const isIn = async () => (await sessions.resolve('user', token)) !== null;
    for (const state of ['paused', 'terminating', 'provisioning', 'failed'] as const) {
      await accounts.update({ id: alice }, { state });
      expect(await isIn(), state).toBe(false);
    }
    await accounts.update({ id: alice }, { state: 'active' });
    expect(await isIn()).toBe(true);
    await accounts.delete({ id: alice });
    expect(await isIn()).toBe(false);
    expect(await parts.directory.add('bob00001', 'hash')).not.toBe(alice);
  });

  it('remains valid for an expired or over-quota account, but no other suspension', async () => {
    const accounts = parts.database.repository(HostingAccount);
    const token = await sessions.open('user', alice, VISITOR);
    const isIn = async () => (await sessions.resolve('user', token)) !== null;
    await accounts.update({ id: alice }, { expiresOn: '2020-01-01' });
    expect(await isIn()).toBe(true);
    for (const [pauseReasons, expected] of [
      [['expiry'], true],
      [['quota'], true],
      [['expiry', 'quota'], true],
      [['quota', 'expiry'], true],
      [['expiry', 'admin'], false],
      [['api'], false],
      [['scan'], false],
      [['plugin'], false],
      [[], false],
    ] as [string[], boolean][]) {
      await accounts.update({ id: alice }, { state: 'paused', pauseReasons });
      expect([pauseReasons, await isIn()]).toEqual([pauseReasons, expected]);
    }
  });

  it('opens no session for an outdated password', async () => {
    const token = await sessions.openWithPassword('user', alice, 'hash-1', VISITOR);
    expect(await sessions.resolve('user', token!)).toMatchObject({ subjectId: alice });
    await parts.directory.changePassword(alice, 'hash-1', 'hash-2');
    expect(await sessions.openWithPassword('user', alice, 'hash-1', VISITOR)).toBeNull();
    expect(await sessions.openWithPassword('user', alice + 1, 'hash-2', VISITOR)).toBeNull();
    expect(await sessions.list('user', alice)).toHaveLength(1);
  });

  it('leaves no session after a concurrent password change, in either order', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await parts.directory.add(`racer${round}00`, 'old');
      const [token] = await Promise.all([
        sessions.openWithPassword('user', id, 'old', VISITOR),
        parts.database.transaction(async () => {
          await parts.directory.changePassword(id, 'old', 'new');
          await sessions.endEvery('user', id);
        }),
      ]);
      if (token !== null) expect(await sessions.resolve('user', token)).toBeNull();
      expect(await sessions.list('user', id)).toEqual([]);
    }
  });

  it('is ended by its token, by its id, or with all others, and only by its owner', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => sessions.open('admin', admin, VISITOR)));
    const stranger = await sessions.open('user', alice, VISITOR);
    const ids = (await sessions.list('admin', admin)).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(await sessions.endOne('user', alice, ids[0]!)).toBe(false);
    expect(await sessions.endOne('admin', admin + 1, ids[0]!)).toBe(false);
    expect(await sessions.endOne('admin', admin, 9_999_999_999)).toBe(false);
    await sessions.end(first!);
    expect(await sessions.resolve('admin', first!)).toBeNull();
    expect(await sessions.endEvery('admin', admin, second)).toBe(1);
    expect(await sessions.resolve('admin', third!)).toBeNull();
    const kept = await sessions.resolve('admin', second!);
    expect(await sessions.endOne('admin', admin, kept!.sessionId)).toBe(true);
    expect(await sessions.endOne('admin', admin, kept!.sessionId)).toBe(false);
    expect(await sessions.resolve('user', stranger)).not.toBeNull();
  });

  it('continues with a new token after a rotation, while all others end', async () => {
    const old = await Promise.all([1, 2].map(() => sessions.open('admin', admin, VISITOR)));
    const token = await sessions.rotate('admin', admin, VISITOR);
    for (const other of old) expect(await sessions.resolve('admin', other)).toBeNull();
    expect(await sessions.resolve('admin', token)).toMatchObject({ subjectId: admin });
  });

  it('lists the sessions of an account, newest first', async () => {
    await sessions.open('admin', admin, { ip: '192.0.2.1', userAgent: `<script>${'x'.repeat(500)}` });
    parts.clock.advance(1_000);
    await sessions.open('admin', admin, { ip: '2001:db8::1', userAgent: '' });
    const list = await sessions.list('admin', admin);
    expect(list.map(({ ip }) => ip)).toEqual(['2001:db8::1', '192.0.2.1']);
    expect(list[1]!.userAgent).toHaveLength(255);
    expect(list[0]!.createdAt).toEqual(parts.clock.now());
    expect(Object.keys(list[0]!).sort()).toEqual(['createdAt', 'id', 'ip', 'seenAt', 'userAgent']);
  });

  it('is resolved using only indexes, on both sides', async () => {
    if (parts.database.engine !== 'sqlite') return;
    const first = vi.spyOn(parts.database, 'first');
    for (const scope of ['admin', 'user'] as const) await sessions.resolve(scope, 'a'.repeat(43));
    const resolving = first.mock.calls.map(([sql, params]) => [sql, params] as const);
    first.mockRestore();
    expect(resolving).toHaveLength(2);
    for (const [sql, params] of resolving) {
      const plan = await parts.database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
      expect(plan.map(({ detail }) => detail).join('; ')).toMatch(/^SEARCH [^;]*; SEARCH [^;]*$/);
    }
  });
});

describe('session cookies', () => {
  it('are HTTP-only, same-site, and secure under TLS', () => {
    expect(sessionCookie('admin', 'T', false)).toBe('admin_token=T; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax');
    expect(sessionCookie('user', 'T', true)).toBe('user_token=T; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax');
    expect(endedSessionCookie('user', false)).toBe('user_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
  });
});
