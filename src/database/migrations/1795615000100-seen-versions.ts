import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Of which version an administrator has seen what is new. */
export class SeenVersions1795615000100 implements MigrationInterface {
  name = 'SeenVersions1795615000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_admin', columnOf(runner, string('seen_version', 32, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_admin', 'seen_version');
  }
}
