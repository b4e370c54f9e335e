import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Administrators switch off status pages of customers, and say why. */
export class StatusPagesOff1795620000100 implements MigrationInterface {
  name = 'StatusPagesOff1795620000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_status_page', columnOf(runner, string('off_reason', 250, { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_status_page', 'off_reason');
  }
}
