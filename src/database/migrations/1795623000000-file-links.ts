import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** Links that download one file of a site once. */
export class FileLinks1795623000000 implements MigrationInterface {
  name = 'FileLinks1795623000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_file_link',
      [id(), string('token_hash', 64), integer('zj_id'), string('for_whom', 40), text('path'), time('expires_at')],
      {
        uniques: { UQ_SVC_file_link_token_hash: ['token_hash'] },
        indexes: { IX_SVC_file_link_zj: ['zj_id'], IX_SVC_file_link_expires: ['expires_at'] },
        foreignKeys: [{ name: 'FK_SVC_file_link_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' }],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_file_link');
  }
}
