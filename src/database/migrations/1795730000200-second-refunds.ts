import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string, time } from './schema.js';

const COLUMNS = [
  string('state', 10, { default: "''" }),
  time('asked_at', { isNullable: true }),
  string('refund_no', 128, { default: "''" }),
  string('words', 300, { default: "''" }),
];

/** Money that came twice is given back by its gateway. */
export class SecondRefunds1795730000200 implements MigrationInterface {
  name = 'SecondRefunds1795730000200';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.addColumn('SVC_second_payment', columnOf(runner, column));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of COLUMNS) await runner.dropColumn('SVC_second_payment', name);
  }
}
