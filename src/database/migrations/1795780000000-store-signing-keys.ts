import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** Keys the store signs with, one after the other. */
export class StoreSigningKeys1795780000000 implements MigrationInterface {
  name = 'StoreSigningKeys1795780000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_store_signing_key',
      [
        id(),
        integer('number'),
        string('key_id', 64),
        text('public_key'),
        text('private_key'),
        string('succession', 100, { default: "''" }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_store_signing_key_number: ['number'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_store_signing_key');
  }
}
