import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag } from './schema.js';

const COLUMN = flag('guide', { default: '1' });

/** Whether the guide to a new installation stands on the dashboard. */
export class SetupGuide1795680000000 implements MigrationInterface {
  name = 'SetupGuide1795680000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, COLUMN));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', COLUMN.name);
  }
}
