import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag, time } from './schema.js';

/** Since when a server does not answer. */
export class ServerPresence1795791000000 implements MigrationInterface {
  name = 'ServerPresence1795791000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_bt', columnOf(runner, time('away_since', { isNullable: true })));
    await runner.addColumn('SVC_bt', columnOf(runner, flag('away_told', { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_bt', 'away_told');
    await runner.dropColumn('SVC_bt', 'away_since');
  }
}
