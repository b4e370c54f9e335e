import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, flag, id, integer, string, text, time } from './schema.js';

const TASK = 'SVC_monitor_task';
const LOG = 'SVC_monitor_log';

/** More kinds of checks, states with thresholds, claims of due checks, roll-ups, and maintenance windows. */
export class Monitors1795500500000 implements MigrationInterface {
  name = 'Monitors1795500500000';

  private readonly columns = [
    integer('account_id', { isNullable: true }),
    text('headers', { isNullable: true }),
    string('record_type', 10, { default: "'A'" }),
    integer('warn_days', { default: '14' }),
    string('push_hash', 64, { isNullable: true }),
    time('last_push', { isNullable: true }),
    integer('retry_seconds', { default: '0' }),
    integer('recovery_threshold', { default: '1' }),
    integer('repeat_every', { default: '0' }),
    flag('upside_down', { default: '0' }),
    string('tags', 250, { default: "''" }),
    string('state', 20, { default: "'pending'" }),
    time('state_since', { isNullable: true }),
    integer('ok_count', { default: '0' }),
    flag('told', { default: '0' }),
    integer('runs_since_told', { default: '0' }),
    integer('flips', { default: '0' }),
    integer('last_ms', { isNullable: true }),
    string('claim', 36, { isNullable: true }),
    time('claimed_until', { isNullable: true }),
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      TASK,
      this.columns.map((column) => columnOf(runner, column)),
    );
    await runner.createIndex(TASK, new TableIndex({ name: 'IX_SVC_monitor_task_account', columnNames: ['account_id', 'id'] }));
    await runner.createIndex(TASK, new TableIndex({ name: 'IX_SVC_monitor_task_claim', columnNames: ['claim'] }));
    await runner.createIndex(TASK, new TableIndex({ name: 'UQ_SVC_monitor_task_push', columnNames: ['push_hash'], isUnique: true }));
    await runner.createIndex(LOG, new TableIndex({ name: 'IX_SVC_monitor_log_created', columnNames: ['created_at'] }));
    await createTable(
      runner,
      'SVC_monitor_stat',
      [
        { ...integer('task_id'), isPrimary: true },
        { ...string('unit', 1), isPrimary: true },
        { ...time('at'), isPrimary: true },
        integer('checks'),
        integer('oks'),
        integer('timed'),
        bigint('ms_total'),
        integer('ms_most'),
      ],
      {
        indexes: { IX_SVC_monitor_stat_at: ['unit', 'at'] },
        foreignKeys: [{ name: 'FK_SVC_monitor_stat_task', column: 'task_id', table: TASK, references: 'id', onDelete: 'CASCADE' }],
      },
    );
    await createTable(runner, 'SVC_monitor_window', [
      id(),
      string('title', 120),
      string('user', 64, { default: "''" }),
      string('tag', 50, { default: "''" }),
      time('starts_at'),
      time('ends_at'),
      string('repeats', 10, { default: "'once'" }),
      time('created_at'),
    ]);
    await runner.addColumn('SVC_config', columnOf(runner, integer('jk_max', { default: '5' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'jk_max');
    await runner.dropTable('SVC_monitor_window');
    await runner.dropTable('SVC_monitor_stat');
    await runner.dropIndex(LOG, 'IX_SVC_monitor_log_created');
    await runner.dropIndex(TASK, 'UQ_SVC_monitor_task_push');
    await runner.dropIndex(TASK, 'IX_SVC_monitor_task_claim');
    await runner.dropIndex(TASK, 'IX_SVC_monitor_task_account');
    await runner.dropColumns(
      TASK,
      this.columns.map(({ name }) => name),
    );
  }
}
