import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, text } from './schema.js';

/** What gateways say about a notification they refuse, as texts that are told in the reader's language. */
export class RejectedWords1795819000000 implements MigrationInterface {
  name = 'RejectedWords1795819000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_rejected_notify', columnOf(runner, text('texts', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_rejected_notify', 'texts');
  }
}
