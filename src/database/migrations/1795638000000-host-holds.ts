import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, day } from './schema.js';

/** Until when no job pauses an account. */
export class HostHolds1795638000000 implements MigrationInterface {
  name = 'HostHolds1795638000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_zj', columnOf(runner, day('gq', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_zj', 'gq');
  }
}
