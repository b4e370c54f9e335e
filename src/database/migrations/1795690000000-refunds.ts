import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, money, string, time } from './schema.js';

/** Money of orders that is given back. */
export class Refunds1795690000000 implements MigrationInterface {
  name = 'Refunds1795690000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_refund',
      [
        id(),
        integer('order_id'),
        string('number', 64),
        string('gateway', 64),
        string('way', 10),
        money('amount'),
        string('state', 10),
        string('refund_no', 128, { default: "''" }),
        string('words', 300, { default: "''" }),
        string('reason', 200),
        string('actor', 64),
        time('created_at'),
        time('asked_at', { isNullable: true }),
        time('done_at', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_refund_number: ['number'] },
        indexes: { IX_SVC_refund_order: ['order_id', 'id'], IX_SVC_refund_state: ['state', 'id'] },
        foreignKeys: [{ name: 'FK_SVC_refund_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'RESTRICT' }],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_refund');
  }
}
