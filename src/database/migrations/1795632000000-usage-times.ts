import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** When the use of an account was measured last. */
export class UsageTimes1795632000000 implements MigrationInterface {
  name = 'UsageTimes1795632000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_zj', columnOf(runner, time('usage_at', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_zj', 'usage_at');
  }
}
