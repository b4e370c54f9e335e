import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, createTable, id, integer, string, time } from './schema.js';

/** Credit of customers, the movements that made it, and what the nightly check found. */
export class Ledger1795710000000 implements MigrationInterface {
  name = 'Ledger1795710000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_credit',
      [
        id(),
        string('holder_kind', 16),
        integer('holder_id'),
        string('name', 64),
        bigint('balance', { default: '0' }),
        time('created_at'),
        time('moved_at'),
      ],
      { uniques: { UQ_SVC_credit_holder: ['holder_kind', 'holder_id'] }, indexes: { IX_SVC_credit_balance: ['balance', 'id'] } },
    );
    await createTable(
      runner,
      'SVC_credit_transfer',
      [
        id(),
        string('cause', 120),
        string('kind', 16),
        integer('order_id', { isNullable: true }),
        integer('refund_id', { isNullable: true }),
        string('reason', 200, { default: "''" }),
        string('actor', 64, { default: "''" }),
        time('created_at'),
      ],
      {
        uniques: { UQ_SVC_credit_transfer_cause: ['cause'] },
        indexes: {
          IX_SVC_credit_transfer_order: ['order_id', 'id'],
          IX_SVC_credit_transfer_refund: ['refund_id', 'id'],
          IX_SVC_credit_transfer_kind: ['kind', 'id'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_credit_entry',
      [
        id(),
        integer('transfer_id'),
        string('account', 16),
        integer('credit_id', { isNullable: true }),
        bigint('amount'),
        bigint('balance_after', { isNullable: true }),
      ],
      {
        indexes: { IX_SVC_credit_entry_credit: ['credit_id', 'id'], IX_SVC_credit_entry_transfer: ['transfer_id', 'id'] },
        foreignKeys: [
          { name: 'FK_SVC_credit_entry_transfer', column: 'transfer_id', table: 'SVC_credit_transfer', references: 'id', onDelete: 'RESTRICT' },
          { name: 'FK_SVC_credit_entry_credit', column: 'credit_id', table: 'SVC_credit', references: 'id', onDelete: 'RESTRICT' },
        ],
      },
    );
    await createTable(runner, 'SVC_credit_check', [
      id(),
      integer('credits'),
      integer('transfers'),
      integer('differences'),
      time('checked_at'),
    ]);
    await createTable(
      runner,
      'SVC_credit_difference',
      [
        id(),
        string('kind', 32),
        string('subject', 64),
        integer('order_id', { isNullable: true }),
        integer('credit_id', { isNullable: true }),
        bigint('expected'),
        bigint('found'),
        time('found_at'),
      ],
      { uniques: { UQ_SVC_credit_difference: ['kind', 'subject'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['difference', 'check', 'entry', 'transfer']) await runner.dropTable(`SVC_credit_${table}`);
    await runner.dropTable('SVC_credit');
  }
}
