import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, createTable, day, id, integer, string, time } from './schema.js';

/** Renewals that were paid for, each made once; and requests that make an order once. */
export class Renewals1795670000100 implements MigrationInterface {
  name = 'Renewals1795670000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_renewal',
      [id(), integer('order_id'), integer('host_id'), integer('months'), day('old_day'), day('new_day'), time('created_at')],
      {
        uniques: { UQ_SVC_renewal_order: ['order_id'] },
        foreignKeys: [{ name: 'FK_SVC_renewal_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'RESTRICT' }],
      },
    );
    await runner.addColumn('SVC_dd', columnOf(runner, string('request_key', 200, { isNullable: true })));
    await runner.createIndex('SVC_dd', new TableIndex({ name: 'UQ_SVC_dd_request_key', columnNames: ['request_key'], isUnique: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_dd', 'UQ_SVC_dd_request_key');
    await runner.dropColumn('SVC_dd', 'request_key');
    await runner.dropTable('SVC_renewal');
  }
}
