import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, text, time } from './schema.js';

/** Background tasks. */
export class Tasks1795500300000 implements MigrationInterface {
  name = 'Tasks1795500300000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_task',
      [
        id(),
        string('name', 60),
        string('key', 120, { isNullable: true }),
        string('open_key', 120, { isNullable: true }),
        text('payload'),
        integer('priority'),
        string('added_by', 120, { isNullable: true }),
        string('state', 12),
        flag('ready', { default: '1' }),
        integer('attempts', { default: '0' }),
        time('added_at'),
        time('due_at'),
        string('holder', 60, { isNullable: true }),
        time('started_at', { isNullable: true }),
        time('ended_at', { isNullable: true }),
        flag('cancel_asked', { default: '0' }),
        integer('progress_done', { isNullable: true }),
        integer('progress_total', { isNullable: true }),
        string('progress_note', 200, { isNullable: true }),
        string('error', 1000, { isNullable: true }),
        text('result', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_task_open: ['name', 'open_key'] },
        indexes: {
          IX_SVC_task_turn: ['name', 'state', 'ready', 'priority', 'due_at', 'id'],
          IX_SVC_task_due: ['state', 'ready', 'due_at'],
        },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_task');
  }
}
