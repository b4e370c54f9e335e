import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** The currency of an installation. */
export class Currency1795768000000 implements MigrationInterface {
  name = 'Currency1795768000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, string('currency', 3, { default: "'CNY'" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'currency');
  }
}
