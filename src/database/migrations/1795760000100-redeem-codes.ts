import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, createTable, day, id, integer, string, time } from './schema.js';

/** Codes that are redeemed for credit, in batches. */
export class RedeemCodes1795760000100 implements MigrationInterface {
  name = 'RedeemCodes1795760000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'SVC_code_batch', [
      id(),
      string('name', 100, { default: "''" }),
      bigint('amount'),
      integer('total'),
      day('until_on', { isNullable: true }),
      string('actor', 64, { default: "''" }),
      time('created_at'),
    ]);
    await createTable(
      runner,
      'SVC_code',
      [
        id(),
        integer('batch_id'),
        string('hash', 64),
        string('ending', 8),
        string('state', 10),
        integer('credit_id', { isNullable: true }),
        time('used_at', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_code_hash: ['hash'] },
        indexes: { IX_SVC_code_batch: ['batch_id', 'id'], IX_SVC_code_state: ['batch_id', 'state'] },
        foreignKeys: [
          { name: 'FK_SVC_code_batch', column: 'batch_id', table: 'SVC_code_batch', references: 'id', onDelete: 'RESTRICT' },
          { name: 'FK_SVC_code_credit', column: 'credit_id', table: 'SVC_credit', references: 'id', onDelete: 'RESTRICT' },
        ],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_code');
    await runner.dropTable('SVC_code_batch');
  }
}
