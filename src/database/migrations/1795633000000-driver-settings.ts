import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string, text } from './schema.js';

/** Plugins bring kinds of servers: their names are longer, and servers have what such a kind asks for. */
export class DriverSettings1795633000000 implements MigrationInterface {
  name = 'DriverSettings1795633000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_bt', columnOf(runner, text('driver_settings', { isNullable: true })));
    await this.widen(runner, 100);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.widen(runner, 32);
    await runner.dropColumn('SVC_bt', 'driver_settings');
  }

  /** On MySQL TypeORM drops a column whose length changes, and makes it anew: what it holds would be gone. */
  private async widen(runner: QueryRunner, length: number): Promise<void> {
    const column = columnOf(runner, string('driver', length, { default: "'embedded'" }));
    if (runner.dataSource.options.type === 'better-sqlite3') await runner.changeColumn('SVC_bt', 'driver', column);
    else
      await runner.query(
        `ALTER TABLE SVC_bt MODIFY driver varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'embedded'`,
      );
  }
}
