import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** A text sealed with the key of the installation, which says whether a process has the right one. */
export class SecretCheck1795500200000 implements MigrationInterface {
  name = 'SecretCheck1795500200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, string('secret_check', 250, { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'secret_check');
  }
}
