import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, day, id, integer, string, text, time } from './schema.js';

/** Deleted sites that are kept for a while, and how many accounts jobs delete a day. */
export class RecycleBin1795625000000 implements MigrationInterface {
  name = 'RecycleBin1795625000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, integer('hsts', { default: '30' })));
    await createTable(
      runner,
      'SVC_bin',
      [
        id(),
        integer('host_id'),
        string('user', 64),
        string('user_key', 64),
        string('ssbt', 64),
        string('sqldz', 128),
        string('btid', 64, { default: "''" }),
        day('datae', { isNullable: true }),
        text('pause_reasons'),
        integer('hxa', { default: '0' }),
        integer('hxb', { default: '0' }),
        integer('llmax', { default: '0' }),
        integer('ymbds', { default: '0' }),
        integer('jk_max', { isNullable: true }),
        bigint('web_used', { default: '0' }),
        string('mailuser', 254, { isNullable: true }),
        string('opened_by', 64),
        string('request_id', 200, { isNullable: true }),
        integer('owner_id', { isNullable: true }),
        time('opened_at'),
        string('deleted_by', 64),
        string('deleted_name', 100, { default: "''" }),
        time('deleted_at'),
        time('purge_after'),
        string('state', 20),
        integer('restore_to', { isNullable: true }),
        time('claimed_until', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_bin_sqldz: ['sqldz'] },
        indexes: {
          IX_SVC_bin_ssbt: ['ssbt', 'id'],
          IX_SVC_bin_purge: ['purge_after', 'id'],
          IX_SVC_bin_restore: ['restore_to'],
        },
        foreignKeys: [{ name: 'FK_SVC_bin_ssbt', column: 'ssbt', table: 'SVC_bt', references: 'btdh', onDelete: 'RESTRICT' }],
      },
    );
    await createTable(runner, 'SVC_deletion_day', [
      { ...string('day', 10), isPrimary: true },
      integer('accounts'),
      integer('done', { default: '0' }),
      integer('waiting', { default: '0' }),
      string('released_by', 100, { isNullable: true }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_deletion_day');
    await runner.dropTable('SVC_bin');
    await runner.dropColumn('SVC_config', 'hsts');
  }
}
