import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** When a code of the second factor was last shown in a session. */
export class SecondProof1795600300000 implements MigrationInterface {
  name = 'SecondProof1795600300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_session', columnOf(runner, time('proven_at', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_session', 'proven_at');
  }
}
