import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { nameSkeleton } from '../../src/common/index.js';
import { createDatabase } from '../../src/database/index.js';
import { StoreUser } from '../../src/store/index.js';
import { createTestPlace } from '../support/database.js';
import { TestStore, type StoreAnswer } from '../support/store.js';

let store: TestStore;
let next = 0;
beforeAll(async () => {
  store = await TestStore.start();
});
afterAll(() => store.close());

const register = (username: string): Promise<StoreAnswer> =>
  store.visitor().call('POST', '/auth/register', { username, password: 'secret-1', email: `n${next++}@example.org` });

describe('F18 names that look like others', () => {
  it.each([
    'ɑdmin',
    'admın',
    'ᴀdmin',
    'admiɴ',
    'ɐdmin',
    'аdmin',
    'ADMIN',
    'Admın',
    'ádmin',
    'adrnin',
    'adm1n0'.slice(0, 5).replace('1', 'l').replace('l', 'ı'),
  ])('%s is refused while an admin exists', async (name) => {
    expect(await register(name)).toMatchObject({ status: 400, data: null });
  });

  it.each(['ɑlice', 'ᴀlice', 'ʙob', 'bɔb', 'paypaⅼ', 'ꞵeta', 'ƨam'])('%s has a letter that belongs to no language', async (name) => {
    expect((await register(name)).msg).toMatch(/^用户名只能/);
  });

  it.each(['Łukasz', 'Şebnem', 'Việt-Hà', 'José.García', 'Иван-Щукин', 'Γιώργος', '李雷abc', 'ひろ_1', '김철수', 'Ağca', 'ola2'])(
    '%s is allowed as a name',
    async (name) => {
      expect(await register(name)).toMatchObject({ status: 200, data: { username: name } });
    },
  );

  it.each(['adminи', 'аlice', 'Ρaul', 'раура', 'СССР'.slice(0, 3), 'li雷и'])('%s mixes scripts, or only looks Latin', async (name) => {
    expect((await register(name)).msg).toMatch(/^用户名只能/);
  });

  it('only one of two that look alike gets its name, even with many concurrent requests', async () => {
    const answers = await Promise.all(['b0bby', 'bobby', 'BObby', 'bоbby', 'bobbу', 'B0BBY'].map(register));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await store.database.repository(StoreUser).countBy({ usernameSkeleton: nameSkeleton('bobby') })).toBe(1);
    expect((await register('bo66y')).status).toBe(200);
  });

  it('existing accounts keep their names; of two that look alike the older one keeps the skeleton, and nothing else is lost', async () => {
    const place = await createTestPlace();
    const database = createDatabase(ormOptions(place.config));
    const { dataSource } = database;
    try {
      await dataSource.initialize();
      const later = (dataSource.migrations as unknown[]).splice(
        dataSource.migrations.findIndex(({ name }) => name === 'StoreNames1795400300100'),
      );
      await dataSource.runMigrations();
      const then = '2026-01-01 00:00:00.000';
      const users = [
        ['oldest', 'a@x.example', ''],
        ['0ldest', 'b@x.example', 'plain'],
        ['oIdest', '"<svg/onload=alert(1)>"@x.example', 'I <svg/onload=alert(1)>am <b>here</b> <'],
      ] as const;
      for (const [username, email, bio] of users) {
        await dataSource.query(
          'INSERT INTO SVC_store_user (username, username_key, password_hash, email, email_key, role, bio, created_at, ' +
            "updated_at) VALUES (?, ?, 'x', ?, ?, 'developer', ?, ?, ?)",
          [username, username.toLowerCase(), email, email.toLowerCase(), bio, then, then],
        );
      }
      await dataSource.query(
        "INSERT INTO SVC_store_session (token_hash, user_id, created_at, seen_at, expires_at) VALUES ('x', 1, ?, ?, ?)",
        [then, then, then],
      );
      (dataSource.migrations as unknown[]).push(...later);
      await dataSource.runMigrations();
      expect(await database.repository(StoreUser).find({ order: { id: 'ASC' } })).toMatchObject([
        { username: 'oldest', usernameSkeleton: nameSkeleton('oldest'), email: 'a@x.example' },
        { username: '0ldest', usernameSkeleton: null, bio: 'plain' },
        // F9: text that was stored as markup no longer is.
        { username: 'oIdest', usernameSkeleton: null, bio: 'I am here ', email: 'unknown-3@localhost', emailKey: 'unknown-3@localhost' },
      ]);
      expect(await dataSource.query('SELECT user_id FROM SVC_store_session')).toEqual([{ user_id: 1 }]);
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
      await place.dispose();
    }
  });
});
