import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer } from './schema.js';

/** From when on a database query counts as slow. */
export class SlowQueries1795615000000 implements MigrationInterface {
  name = 'SlowQueries1795615000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, integer('slow_query_ms', { default: '200' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'slow_query_ms');
  }
}
