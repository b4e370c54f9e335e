import { randomBytes } from 'node:crypto';

import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

const COLUMNS = [
  { name: 'ktmy', isNullable: false },
  { name: 'qmk', isNullable: false },
  { name: 'ktmy_old', isNullable: true },
  { name: 'qmk_old', isNullable: true },
];

/** Calling keys of servers are encrypted, which makes them longer. Those that are there are sealed at the start: a migration has no key. */
export class SealedCallingKeys1795750000000 implements MigrationInterface {
  name = 'SealedCallingKeys1795750000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.resize(runner, 512);
  }

  /** What is sealed cannot be read by versions of before: each server gets a key of chance, which its shops have to be given. */
  async down(runner: QueryRunner): Promise<void> {
    const nodes = (await runner.query("SELECT id FROM SVC_bt WHERE ktmy LIKE 'sealed:1:%' OR qmk LIKE 'sealed:1:%'")) as { id: number }[];
    for (const { id } of nodes)
      await runner.query('UPDATE SVC_bt SET ktmy = ?, qmk = ?, ktmy_old = NULL, qmk_old = NULL, old_until = NULL WHERE id = ?', [
        randomBytes(16).toString('hex'),
        randomBytes(16).toString('hex'),
        id,
      ]);
    await runner.query("UPDATE SVC_bt SET ktmy_old = NULL, qmk_old = NULL, old_until = NULL WHERE ktmy_old LIKE 'sealed:1:%'");
    await this.resize(runner, 64);
  }

  /** On MySQL TypeORM drops a column whose length changes, and makes it anew: what it holds would be gone. */
  private async resize(runner: QueryRunner, length: number): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const { name, isNullable } of COLUMNS) {
      const column = columnOf(runner, string(name, length, { isNullable }));
      if (isSqlite) await runner.changeColumn('SVC_bt', name, column);
      else
        await runner.query(
          `ALTER TABLE SVC_bt MODIFY ${name} varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ${isNullable ? 'NULL' : 'NOT NULL'}`,
        );
    }
  }
}
