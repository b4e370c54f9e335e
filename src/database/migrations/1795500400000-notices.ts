import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, integer, string, text } from './schema.js';

const TABLE = 'SVC_notice_log';
const COLUMNS = ['side', 'account_id', 'words', 'link', 'told_key'];
const INDEXES = {
  IX_SVC_notice_log_owner: ['side', 'account_id', 'is_read', 'id'],
  IX_SVC_notice_log_page: ['side', 'account_id', 'id'],
  UQ_SVC_notice_log_told: ['side', 'account_id', 'told_key'],
};

/** Notices belong to an account of either side, tell of one thing once, and are kept as keys of texts too. */
export class Notices1795500400000 implements MigrationInterface {
  name = 'Notices1795500400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      TABLE,
      [
        string('side', 10, { default: "'user'" }),
        integer('account_id', { default: '0' }),
        text('words', { isNullable: true }),
        string('link', 500, { default: "''" }),
        string('told_key', 160, { isNullable: true }),
      ].map((column) => columnOf(runner, column)),
    );
    for (const [name, columnNames] of Object.entries(INDEXES))
      await runner.createIndex(TABLE, new TableIndex({ name, columnNames, isUnique: name.startsWith('UQ') }));
    await runner.dropIndex(TABLE, 'IX_SVC_notice_log_user');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.createIndex(TABLE, new TableIndex({ name: 'IX_SVC_notice_log_user', columnNames: ['user', 'is_read', 'id'] }));
    for (const name of Object.keys(INDEXES)) await runner.dropIndex(TABLE, name);
    await runner.dropColumns(TABLE, COLUMNS);
  }
}
