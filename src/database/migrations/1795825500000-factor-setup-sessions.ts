import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** The session that started the setup of a second factor; setups started before belong to none. */
export class FactorSetupSessions1795825500000 implements MigrationInterface {
  name = 'FactorSetupSessions1795825500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_second_factor', columnOf(runner, string('session_hash', 64, { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_second_factor', 'session_hash');
  }
}
