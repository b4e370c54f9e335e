import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, time } from './schema.js';

/** Who publishes an item together with its author. */
export class StoreCoAuthors1795817000000 implements MigrationInterface {
  name = 'StoreCoAuthors1795817000000';

  async up(runner: QueryRunner): Promise<void> {
    const to = (name: string, column: string, table: string) =>
      ({ name: `FK_SVC_store_co_author_${name}`, column, table, references: 'id', onDelete: 'CASCADE' }) as const;
    await createTable(
      runner,
      'SVC_store_co_author',
      [
        id(),
        integer('item_id'),
        integer('user_id'),
        time('accepted_at', { isNullable: true }),
        time('offered_at', { isNullable: true }),
        time('created_at'),
      ],
      {
        uniques: { UQ_SVC_store_co_author: ['item_id', 'user_id'] },
        indexes: { IX_SVC_store_co_author_user: ['user_id', 'item_id'] },
        foreignKeys: [to('item', 'item_id', 'SVC_store_item'), to('user', 'user_id', 'SVC_store_user')],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_store_co_author');
  }
}
