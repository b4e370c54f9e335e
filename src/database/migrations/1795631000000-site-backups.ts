import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, id, integer, string, text, time } from './schema.js';

/** Backups of sites: which there are, how many a host may have, and when they are made. */
export class SiteBackups1795631000000 implements MigrationInterface {
  name = 'SiteBackups1795631000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, integer('bf_max', { default: '3' })));
    await runner.addColumn('SVC_config', columnOf(runner, string('bf_zq', 10, { default: "'weekly'" })));
    await runner.addColumn('SVC_config', columnOf(runner, string('bf_wz', 10, { default: "'disk'" })));
    for (const table of ['SVC_zj', 'SVC_bin']) {
      await runner.addColumn(table, columnOf(runner, integer('bf_max', { isNullable: true })));
      await runner.addColumn(table, columnOf(runner, string('bf_zq', 10, { isNullable: true })));
    }
    await runner.addColumn('SVC_zj', columnOf(runner, time('bf_due', { isNullable: true })));
    await runner.createIndex('SVC_zj', new TableIndex({ name: 'IX_SVC_zj_bf_due', columnNames: ['bf_due', 'id'] }));
    await runner.createIndex('SVC_bin', new TableIndex({ name: 'IX_SVC_bin_host', columnNames: ['host_id'] }));
    await createTable(
      runner,
      'SVC_site_backup',
      [
        id(),
        integer('host_id'),
        string('ssbt', 64),
        string('sqldz', 128),
        string('name', 160),
        string('place', 10),
        string('kind', 10),
        string('state', 10),
        integer('busy', { isNullable: true }),
        string('task_id', 64, { isNullable: true }),
        string('made_by', 100),
        time('made_at'),
        bigint('size', { default: '0' }),
        bigint('content', { default: '0' }),
        integer('file_count', { default: '0' }),
        integer('left_out', { default: '0' }),
        integer('changed', { default: '0' }),
        text('changed_paths'),
        string('sha256', 64, { default: "''" }),
        time('restored_at', { isNullable: true }),
        string('error', 500, { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_site_backup_name: ['name'], UQ_SVC_site_backup_busy: ['busy'] },
        indexes: { IX_SVC_site_backup_host: ['host_id', 'id'], IX_SVC_site_backup_state: ['state', 'id'] },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_site_backup');
    await runner.dropIndex('SVC_bin', 'IX_SVC_bin_host');
    await runner.dropIndex('SVC_zj', 'IX_SVC_zj_bf_due');
    for (const [table, columns] of [
      ['SVC_zj', ['bf_due', 'bf_zq', 'bf_max']],
      ['SVC_bin', ['bf_zq', 'bf_max']],
      ['SVC_config', ['bf_wz', 'bf_zq', 'bf_max']],
    ] as const) {
      for (const column of columns) await runner.dropColumn(table, column);
    }
  }
}
