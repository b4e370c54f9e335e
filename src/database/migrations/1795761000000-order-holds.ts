import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** Orders whose payment somebody has yet to look at stay open until a time of their own. */
export class OrderHolds1795761000000 implements MigrationInterface {
  name = 'OrderHolds1795761000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_dd', columnOf(runner, time('held_until', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_dd', 'held_until');
  }
}
