import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, integer, string, time } from './schema.js';

const COLUMNS = [
  string('mail_key', 254, { isNullable: true }),
  integer('link_number', { default: '0' }),
  time('signed_in_at', { isNullable: true }),
];

/** Customers sign in, also by an address that is theirs; and what they own is found by them. */
export class Customers1795700000000 implements MigrationInterface {
  name = 'Customers1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.addColumn('SVC_plugin_user', columnOf(runner, column));
    await runner.createIndex(
      'SVC_plugin_user',
      new TableIndex({ name: 'UQ_SVC_plugin_user_mail_key', columnNames: ['mail_key'], isUnique: true }),
    );
    await runner.createIndex('SVC_zj', new TableIndex({ name: 'IX_SVC_zj_owner', columnNames: ['owner_id', 'id'] }));
    await runner.createIndex('SVC_bin', new TableIndex({ name: 'IX_SVC_bin_owner', columnNames: ['owner_id', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_bin', 'IX_SVC_bin_owner');
    await runner.dropIndex('SVC_zj', 'IX_SVC_zj_owner');
    await runner.dropIndex('SVC_plugin_user', 'UQ_SVC_plugin_user_mail_key');
    for (const { name } of [...COLUMNS].reverse()) await runner.dropColumn('SVC_plugin_user', name);
  }
}
