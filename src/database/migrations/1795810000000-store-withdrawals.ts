import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string, time } from './schema.js';

/** Versions their authors took back. */
export class StoreWithdrawals1795810000000 implements MigrationInterface {
  name = 'StoreWithdrawals1795810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_store_version', columnOf(runner, time('withdrawn_at', { isNullable: true })));
    await runner.addColumn('SVC_store_version', columnOf(runner, string('withdrawn_reason', 500, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_store_version', 'withdrawn_reason');
    await runner.dropColumn('SVC_store_version', 'withdrawn_at');
  }
}
