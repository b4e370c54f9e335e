import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, money, string, text, time } from './schema.js';

/** Orders belong to ids, remember every gateway they were sent to, and close when nobody pays; what was paid twice is written down. */
export class OrdersOfIds1795400500100 implements MigrationInterface {
  name = 'OrdersOfIds1795400500100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_dd', [
      columnOf(runner, string('owner_kind', 16, { isNullable: true })),
      columnOf(runner, integer('owner_id', { isNullable: true })),
    ]);
    await runner.createIndex('SVC_dd', new TableIndex({ name: 'IX_SVC_dd_owner', columnNames: ['owner_kind', 'owner_id', 'id'] }));
    await runner.addColumns('SVC_config', [
      columnOf(runner, text('pay_gateways', { isNullable: true })),
      columnOf(runner, integer('order_ttl', { default: '24' })),
    ]);
    await createTable(
      runner,
      'SVC_order_dispatch',
      [id(), integer('order_id'), string('gateway', 64), string('method', 128), time('sent_at')],
      {
        uniques: { UQ_SVC_order_dispatch: ['order_id', 'gateway', 'method'] },
        foreignKeys: [{ name: 'FK_SVC_order_dispatch_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'CASCADE' }],
      },
    );
    await createTable(
      runner,
      'SVC_second_payment',
      [
        id(),
        integer('order_id'),
        string('gateway', 64),
        string('trade_no', 128),
        money('amount'),
        time('created_at'),
        time('refunded_at', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_second_payment: ['gateway', 'trade_no', 'order_id'] },
        indexes: { IX_SVC_second_payment_open: ['refunded_at', 'id'], IX_SVC_second_payment_order: ['order_id', 'id'] },
        foreignKeys: [{ name: 'FK_SVC_second_payment_order', column: 'order_id', table: 'SVC_dd', references: 'id', onDelete: 'RESTRICT' }],
      },
    );
    // An order is its account's where the account was there before it, or was opened for it: then its request names the order.
    const owners = `SELECT z.id FROM SVC_zj z WHERE z.user_key = LOWER(SVC_dd.user)
      AND (z.data <= SVC_dd.date OR SUBSTR(z.request_key, -LENGTH(SVC_dd.ddh)) = SVC_dd.ddh)`;
    await runner.query(`UPDATE SVC_dd SET owner_kind = 'account', owner_id = (${owners}) WHERE EXISTS (${owners})`);
    // Gateways that are there were left on or off on purpose.
    const plugins = (await runner.query('SELECT slug FROM SVC_plugin ORDER BY id')) as { slug: string }[];
    await runner.query('UPDATE SVC_config SET pay_gateways = ?', [JSON.stringify(plugins.map(({ slug }) => slug))]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_second_payment');
    await runner.dropTable('SVC_order_dispatch');
    await runner.dropColumns('SVC_config', ['pay_gateways', 'order_ttl']);
    await runner.dropIndex('SVC_dd', 'IX_SVC_dd_owner');
    await runner.dropColumns('SVC_dd', ['owner_kind', 'owner_id']);
  }
}
