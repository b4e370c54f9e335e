import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, time } from './schema.js';

/** Runs of jobs with their lease and outcome take the place of the bare claims of ticks, whose table stays for who goes back. */
export class JobRuns1795500100000 implements MigrationInterface {
  name = 'JobRuns1795500100000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_job_run',
      [
        id(),
        string('job', 80),
        time('due_at'),
        string('running', 80, { isNullable: true }),
        string('holder', 60),
        time('lease_until'),
        time('started_at'),
        time('ended_at', { isNullable: true }),
        integer('items', { isNullable: true }),
        string('error', 500, { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_job_run_due: ['job', 'due_at'], UQ_SVC_job_run_running: ['running'] },
        indexes: { IX_SVC_job_run_lease: ['lease_until'] },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_job_run');
  }
}
