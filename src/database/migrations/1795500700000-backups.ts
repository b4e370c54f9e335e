import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, createTable, id, integer, string, time } from './schema.js';

/** Backups, when they are made, and that one was put back. */
export class Backups1795500700000 implements MigrationInterface {
  name = 'Backups1795500700000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_backup',
      [
        id(),
        string('name', 100),
        string('place', 10),
        string('state', 10),
        string('cause', 10),
        string('running', 10, { isNullable: true }),
        time('lease_until'),
        time('started_at'),
        time('ended_at', { isNullable: true }),
        bigint('row_count', { default: '0' }),
        integer('file_count', { default: '0' }),
        bigint('size', { default: '0' }),
        string('error', 500, { isNullable: true }),
      ],
      { uniques: { UQ_SVC_backup_running: ['running'] }, indexes: { IX_SVC_backup_state: ['state', 'id'] } },
    );
    await createTable(runner, 'SVC_backup_setting', [
      { name: 'id', type: 'int', isPrimary: true },
      string('recipient', 120, { isNullable: true }),
      string('daily_at', 5, { default: "''" }),
      integer('keep', { default: '7' }),
    ]);
    await createTable(runner, 'SVC_restored', [
      id(),
      time('made_at'),
      time('restored_at'),
      string('panel', 32),
      time('released_at', { isNullable: true }),
      string('released_by', 64, { isNullable: true }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['SVC_restored', 'SVC_backup_setting', 'SVC_backup']) await runner.dropTable(table);
  }
}
