import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Keys of server panels are encrypted, which makes them longer. Those that are there are sealed at the start: a migration has no key. */
export class SealedPanelKeys1795639000000 implements MigrationInterface {
  name = 'SealedPanelKeys1795639000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.resize(runner, 1_100);
  }

  /** What is sealed cannot be read by versions of before, nor kept: it has to be entered again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE SVC_bt SET btmy = '' WHERE btmy LIKE 'sealed:1:%'");
    await this.resize(runner, 255);
  }

  /** On MySQL TypeORM drops a column whose length changes, and makes it anew: what it holds would be gone. */
  private async resize(runner: QueryRunner, length: number): Promise<void> {
    const column = columnOf(runner, string('btmy', length, { default: "''" }));
    if (runner.dataSource.options.type === 'better-sqlite3') await runner.changeColumn('SVC_bt', 'btmy', column);
    else
      await runner.query(`ALTER TABLE SVC_bt MODIFY btmy varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT ''`);
  }
}
