import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer } from './schema.js';

/** How many monitors a host may have. */
export class HostMonitors1795620000000 implements MigrationInterface {
  name = 'HostMonitors1795620000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_zj', columnOf(runner, integer('jk_max', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_zj', 'jk_max');
  }
}
