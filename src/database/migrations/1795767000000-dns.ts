import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** Accounts at DNS providers, and the record of each name that is set there. */
export class Dns1795767000000 implements MigrationInterface {
  name = 'Dns1795767000000';

  async up(runner: QueryRunner): Promise<void> {
    const nullable = { isNullable: true };
    await createTable(runner, 'SVC_dns_provider', [
      id(),
      string('slug', 100),
      string('name', 100),
      text('settings'),
      text('zones', nullable),
      string('problem', 32, { default: "''" }),
      text('problem_params', nullable),
      integer('failures', { default: '0' }),
      time('failing_since', nullable),
      time('retry_at', nullable),
      time('worked_at', nullable),
      time('created_at'),
    ]);
    await createTable(
      runner,
      'SVC_dns_record',
      [
        id(),
        string('name', 253),
        integer('provider_id'),
        string('type', 8),
        string('value', 253),
        integer('own_provider_id', { default: '0' }),
        text('own', nullable),
        string('mark', 40),
        string('state', 16),
        string('problem', 32, { default: "''" }),
        text('problem_params', nullable),
        integer('failures', { default: '0' }),
        time('due_at'),
        integer('turn', { default: '0' }),
        time('changed_at'),
      ],
      {
        uniques: { UQ_SVC_dns_record_name: ['name'] },
        indexes: {
          IX_SVC_dns_record_due: ['due_at', 'id'],
          IX_SVC_dns_record_state: ['state', 'id'],
          IX_SVC_dns_record_provider: ['provider_id', 'id'],
          IX_SVC_dns_record_own: ['own_provider_id', 'id'],
        },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_dns_record');
    await runner.dropTable('SVC_dns_provider');
  }
}
