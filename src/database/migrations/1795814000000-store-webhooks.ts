import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, text, time } from './schema.js';

/** Where authors are told of decisions, and versions for who tries them early. */
export class StoreWebhooks1795814000000 implements MigrationInterface {
  name = 'StoreWebhooks1795814000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_store_webhook',
      [
        id(),
        integer('user_id'),
        string('url', 500),
        text('secret'),
        integer('last_code', { isNullable: true }),
        time('last_at', { isNullable: true }),
        time('created_at'),
      ],
      {
        indexes: { IX_SVC_store_webhook_user: ['user_id', 'id'] },
        foreignKeys: [
          { name: 'FK_SVC_store_webhook_user', column: 'user_id', table: 'SVC_store_user', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await runner.addColumn('SVC_store_version', columnOf(runner, string('channel', 10, { default: "'stable'" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_store_version', 'channel');
    await runner.dropTable('SVC_store_webhook');
  }
}
