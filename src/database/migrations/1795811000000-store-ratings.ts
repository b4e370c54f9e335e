import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, text, time } from './schema.js';

/** What people think of versions, its sums at their items, and reports of it. */
export class StoreRatings1795811000000 implements MigrationInterface {
  name = 'StoreRatings1795811000000';

  async up(runner: QueryRunner): Promise<void> {
    const to = (name: string, column: string, table: string) =>
      ({ name: `FK_SVC_store_rating_${name}`, column, table, references: 'id', onDelete: 'CASCADE' }) as const;
    await createTable(
      runner,
      'SVC_store_rating',
      [
        id(),
        integer('item_id'),
        integer('version_id'),
        integer('user_id'),
        integer('stars'),
        text('text'),
        string('status', 10, { default: "'shown'" }),
        string('reply', 2000, { default: "''" }),
        time('replied_at', { isNullable: true }),
        time('created_at'),
        time('updated_at'),
      ],
      {
        uniques: { UQ_SVC_store_rating_version: ['version_id', 'user_id'] },
        indexes: { IX_SVC_store_rating_item: ['item_id', 'status', 'id'], IX_SVC_store_rating_user: ['user_id', 'id'] },
        foreignKeys: [
          to('item', 'item_id', 'SVC_store_item'),
          to('version', 'version_id', 'SVC_store_version'),
          to('user', 'user_id', 'SVC_store_user'),
        ],
      },
    );
    for (const name of ['rating_count', 'rating_sum'])
      await runner.addColumn('SVC_store_item', columnOf(runner, integer(name, { default: '0' })));
    // What was reported stays to be read when the rating itself is gone.
    await runner.addColumn('SVC_store_report', columnOf(runner, integer('rating_id', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_store_report', 'rating_id');
    for (const name of ['rating_sum', 'rating_count']) await runner.dropColumn('SVC_store_item', name);
    await runner.dropTable('SVC_store_rating');
  }
}
