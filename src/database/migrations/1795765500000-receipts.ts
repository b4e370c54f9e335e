import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, integer, string, text, time } from './schema.js';

/** Receipts of paid orders, and who sells. */
export class Receipts1795765500000 implements MigrationInterface {
  name = 'Receipts1795765500000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_receipt',
      [
        id(),
        integer('order_id'),
        integer('year'),
        integer('place'),
        text('seller'),
        text('buyer'),
        flag('wants_invoice', { default: '0' }),
        string('invoice_number', 64, { default: "''" }),
        time('made_at'),
      ],
      {
        uniques: { UQ_SVC_receipt_order: ['order_id'], UQ_SVC_receipt_number: ['year', 'place'] },
        indexes: { IX_SVC_receipt_made: ['made_at', 'id'] },
      },
    );
    await runner.addColumn('SVC_config', columnOf(runner, text('receipt_seller', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'receipt_seller');
    await runner.dropTable('SVC_receipt');
  }
}
