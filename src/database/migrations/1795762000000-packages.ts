import { type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, day, id, integer, string, text, time } from './schema.js';

/** Packages hosts are of, what was paid for their time, and changes that wait for a renewal. */
export class Packages1795762000000 implements MigrationInterface {
  name = 'Packages1795762000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_zj', columnOf(runner, string('tc', 190, { isNullable: true })));
    await createTable(
      runner,
      'SVC_host_payment',
      [
        id(),
        integer('host_id'),
        integer('order_id', { isNullable: true }),
        bigint('fen'),
        integer('months'),
        day('from_day'),
        day('until_day'),
        time('created_at'),
      ],
      {
        uniques: { UQ_SVC_host_payment_order: ['order_id'] },
        indexes: { IX_SVC_host_payment_host: ['host_id', 'until_day'] },
        foreignKeys: [{ name: 'FK_SVC_host_payment_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'RESTRICT' }],
      },
    );
    await createTable(
      runner,
      'SVC_planned_package',
      [
        id(),
        integer('host_id'),
        string('from_package', 190),
        string('to_package', 190),
        string('name', 80),
        text('limits'),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_planned_package_host: ['host_id'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_planned_package');
    await runner.dropTable('SVC_host_payment');
    await runner.dropColumn('SVC_zj', 'tc');
  }
}
