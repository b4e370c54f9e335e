import type { MigrationInterface, QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, flag, id, integer, string, time } from './schema.js';

const CONFIG = [flag('wjscgl', { default: '0' }), integer('wjscglts', { default: '30' })];

/** Files agents take out of sites because of what a scan found in them. */
export class Quarantine1795613100000 implements MigrationInterface {
  name = 'Quarantine1795613100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'SVC_config',
      CONFIG.map((column) => columnOf(runner, column)),
    );
    await createTable(
      runner,
      'SVC_quarantine',
      [
        id(),
        string('node_id', 64),
        string('entry_id', 32),
        string('file_key', 32, { isNullable: true }),
        integer('host_id', { isNullable: true }),
        string('path', 1000),
        string('keyword', 250),
        string('sha256', 64, { default: "''" }),
        bigint('size', { default: '0' }),
        string('state', 20),
        string('task_id', 64),
        string('error', 500, { default: "''" }),
        time('created_at'),
        time('purge_at', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_quarantine_file_key: ['file_key'] },
        indexes: {
          IX_SVC_quarantine_task: ['task_id'],
          IX_SVC_quarantine_state: ['state', 'id'],
          IX_SVC_quarantine_purge: ['purge_at', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_quarantine_node', column: 'node_id', table: 'SVC_node', references: 'node_id', onDelete: 'CASCADE' },
        ],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_quarantine');
    await runner.dropColumns(
      'SVC_config',
      CONFIG.map(({ name }) => name),
    );
  }
}
