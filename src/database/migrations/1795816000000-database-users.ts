import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** What the account of a site's database is called on its server. */
export class DatabaseUsers1795816000000 implements MigrationInterface {
  name = 'DatabaseUsers1795816000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_zj', columnOf(runner, string('sqluser', 64, { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_zj', 'sqluser');
  }
}
