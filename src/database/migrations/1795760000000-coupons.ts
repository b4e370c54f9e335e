import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, day, flag, id, integer, money, string, text, time } from './schema.js';

/** Coupons, who has used them for what, and orders that say what one took off their price. */
export class Coupons1795760000000 implements MigrationInterface {
  name = 'Coupons1795760000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_coupon',
      [
        id(),
        string('code', 32),
        string('name', 100, { default: "''" }),
        string('kind', 10),
        bigint('value'),
        text('products'),
        integer('per_customer', { isNullable: true }),
        integer('most', { isNullable: true }),
        bigint('least', { default: '0' }),
        day('from_on', { isNullable: true }),
        day('until_on', { isNullable: true }),
        flag('active', { default: '1' }),
        integer('used', { default: '0' }),
        integer('version', { default: '0' }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_coupon_code: ['code'] } },
    );
    await createTable(
      runner,
      'SVC_coupon_use',
      [id(), integer('coupon_id'), integer('order_id'), string('who', 40), string('state', 10), bigint('discount'), time('created_at')],
      {
        uniques: { UQ_SVC_coupon_use_order: ['order_id'] },
        indexes: { IX_SVC_coupon_use_coupon: ['coupon_id', 'state'] },
        foreignKeys: [{ name: 'FK_SVC_coupon_use_coupon', column: 'coupon_id', table: 'SVC_coupon', references: 'id', onDelete: 'RESTRICT' }],
      },
    );
    await createTable(
      runner,
      'SVC_coupon_share',
      [id(), integer('coupon_id'), string('who', 40), integer('used', { default: '0' })],
      {
        uniques: { UQ_SVC_coupon_share: ['coupon_id', 'who'] },
        foreignKeys: [{ name: 'FK_SVC_coupon_share_coupon', column: 'coupon_id', table: 'SVC_coupon', references: 'id', onDelete: 'CASCADE' }],
      },
    );
    await runner.addColumns('SVC_dd', [
      columnOf(runner, string('yhq', 32, { isNullable: true })),
      columnOf(runner, money('yh', { default: '0' })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_dd', ['yhq', 'yh']);
    for (const table of ['share', 'use']) await runner.dropTable(`SVC_coupon_${table}`);
    await runner.dropTable('SVC_coupon');
  }
}
