import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** When the machine began to run, by the clock of its last look: a panel that was off is told from a clock that jumped. */
export class BootTime1795769171000 implements MigrationInterface {
  name = 'BootTime1795769171000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_clock_watch', columnOf(runner, time('booted_at', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_clock_watch', 'booted_at');
  }
}
