import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer } from './schema.js';

/** A count knows what it may reach, so that administrators see who is held back. */
export class RateLimitMost1795637000000 implements MigrationInterface {
  name = 'RateLimitMost1795637000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_rate_limit', columnOf(runner, integer('most', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_rate_limit', 'most');
  }
}
