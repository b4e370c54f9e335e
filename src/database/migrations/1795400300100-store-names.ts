import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { nameSkeleton } from '../../common/index.js';

import { columnOf, string } from './schema.js';

/** Rows that are looked at by one statement. */
const BATCH = 500;
/** What e-mail addresses and biographies may not have any more: deployed front ends put them into their pages as they are. */
const MARKUP = /[<>"'`&]/;

interface User {
  id: number;
  username: string;
  email: string;
  bio: string;
}

/** Names of the store's accounts are unique by what they look like; e-mail addresses and biographies have no markup. */
export class StoreNames1795400300100 implements MigrationInterface {
  name = 'StoreNames1795400300100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_store_user', columnOf(runner, string('username_skeleton', 190, { isNullable: true })));
    const taken = new Set<string>();
    for (let last = 0; ; ) {
      const users = (await runner.query('SELECT id, username, email, bio FROM SVC_store_user WHERE id > ? ORDER BY id LIMIT ?', [last, BATCH])) as User[];
      for (const user of users) await this.fill(runner, user, taken);
      if (users.length < BATCH) break;
      last = users.at(-1)!.id;
    }
    await runner.createIndex('SVC_store_user', new TableIndex({ name: 'UQ_SVC_store_user_skeleton', columnNames: ['username_skeleton'], isUnique: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_store_user', 'UQ_SVC_store_user_skeleton');
    // Not dropColumn: on SQLite it makes the table anew, and what refers to accounts would go with the old one.
    await runner.query('ALTER TABLE SVC_store_user DROP COLUMN username_skeleton');
  }

  /** Of two that look alike the older one has the skeleton: neither is locked out, and nobody else gets such a name. */
  private async fill(runner: QueryRunner, { id, username, email, bio }: User, taken: Set<string>): Promise<void> {
    const skeleton = nameSkeleton(username);
    if (!taken.has(skeleton)) await runner.query('UPDATE SVC_store_user SET username_skeleton = ? WHERE id = ?', [skeleton, id]);
    taken.add(skeleton);
    if (/[<>]/.test(bio)) await runner.query('UPDATE SVC_store_user SET bio = ? WHERE id = ?', [bio.replace(/<[^<>]*>/g, '').replace(/[<>]/g, ''), id]);
    // Nobody can be reached there anyway; its owner can give another one.
    if (MARKUP.test(email)) await runner.query('UPDATE SVC_store_user SET email = ?, email_key = ? WHERE id = ?', [`unknown-${id}@localhost`, `unknown-${id}@localhost`, id]);
  }
}
