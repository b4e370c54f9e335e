import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, time } from './schema.js';

/** What gateways are asked about orders that were sent to them. */
export class OrderInquiries1795730000000 implements MigrationInterface {
  name = 'OrderInquiries1795730000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_order_inquiry',
      [
        id(),
        integer('order_id'),
        string('gateway', 64),
        time('sent_at'),
        integer('asks', { default: '0' }),
        time('due_at', { isNullable: true }),
        time('asked_at', { isNullable: true }),
        string('said', 10, { default: "''" }),
        string('words', 300, { default: "''" }),
      ],
      {
        uniques: { UQ_SVC_order_inquiry: ['order_id', 'gateway'] },
        indexes: { IX_SVC_order_inquiry_due: ['gateway', 'due_at', 'id'] },
        foreignKeys: [{ name: 'FK_SVC_order_inquiry_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'CASCADE' }],
      },
    );
    // Orders that wait already are asked about as new ones are.
    await runner.query(
      `INSERT INTO SVC_order_inquiry (order_id, gateway, sent_at, due_at)
       SELECT d.order_id, d.gateway, MAX(d.sent_at), MAX(d.sent_at) FROM SVC_order_dispatch d JOIN SVC_dd o ON o.id = d.order_id
       WHERE o.qk = 'unpaid' GROUP BY d.order_id, d.gateway`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_order_inquiry');
  }
}
