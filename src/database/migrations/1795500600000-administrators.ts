import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag } from './schema.js';

/** An administrator can be kept from signing in without losing his name. */
export class Administrators1795500600000 implements MigrationInterface {
  name = 'Administrators1795500600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_admin', columnOf(runner, flag('enabled', { default: '1' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_admin', 'enabled');
  }
}
