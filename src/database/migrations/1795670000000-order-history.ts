import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** What happened to an order and stands in no other row: where it was sent, what was refused, who closed it and why. */
export class OrderHistory1795670000000 implements MigrationInterface {
  name = 'OrderHistory1795670000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_dd_history',
      [
        id(),
        integer('order_id'),
        string('what', 32),
        string('source', 64),
        string('actor', 64, { isNullable: true }),
        text('params'),
        time('created_at'),
      ],
      {
        indexes: { IX_SVC_dd_history_order: ['order_id', 'id'] },
        foreignKeys: [{ name: 'FK_SVC_dd_history_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'CASCADE' }],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_dd_history');
  }
}
