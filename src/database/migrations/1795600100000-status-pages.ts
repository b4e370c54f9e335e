import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, integer, string, text, time } from './schema.js';

const TASK = 'SVC_monitor_task';

/** What everybody may see of monitors, and incidents that are told there. */
export class StatusPages1795600100000 implements MigrationInterface {
  name = 'StatusPages1795600100000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_status_page',
      [
        id(),
        integer('account_id'),
        string('slug', 64),
        string('title', 120, { default: "''" }),
        flag('is_public', { default: '0' }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_status_page_account: ['account_id'], UQ_SVC_status_page_slug: ['slug'] } },
    );
    await createTable(
      runner,
      'SVC_incident',
      [
        id(),
        integer('page_id'),
        string('title', 250),
        string('severity', 20),
        string('state', 20),
        time('started_at'),
        time('resolved_at', { isNullable: true }),
      ],
      {
        indexes: { IX_SVC_incident_page: ['page_id', 'started_at'] },
        foreignKeys: [{ name: 'FK_SVC_incident_page', column: 'page_id', table: 'SVC_status_page', references: 'id', onDelete: 'CASCADE' }],
      },
    );
    await createTable(
      runner,
      'SVC_incident_update',
      [id(), integer('incident_id'), string('state', 20), text('content'), time('created_at')],
      {
        indexes: { IX_SVC_incident_update_incident: ['incident_id', 'id'] },
        foreignKeys: [
          {
            name: 'FK_SVC_incident_update_incident',
            column: 'incident_id',
            table: 'SVC_incident',
            references: 'id',
            onDelete: 'CASCADE',
          },
        ],
      },
    );
    await runner.addColumns(
      TASK,
      [integer('status_page_id', { isNullable: true }), string('status_name', 120, { default: "''" })].map((column) =>
        columnOf(runner, column),
      ),
    );
    await runner.createIndex(TASK, new TableIndex({ name: 'IX_SVC_monitor_task_status', columnNames: ['status_page_id', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(TASK, 'IX_SVC_monitor_task_status');
    await runner.dropColumns(TASK, ['status_page_id', 'status_name']);
    for (const table of ['SVC_incident_update', 'SVC_incident', 'SVC_status_page']) await runner.dropTable(table);
  }
}
