import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** Payment notifications that were not accepted. */
export class RejectedNotifications1795730000100 implements MigrationInterface {
  name = 'RejectedNotifications1795730000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_rejected_notify',
      [
        id(),
        string('fingerprint', 64),
        string('gateway', 64),
        string('kind', 16),
        string('number', 40, { default: "''" }),
        integer('order_id', { isNullable: true }),
        string('reason', 300),
        string('ip', 64, { default: "''" }),
        text('content'),
        integer('times', { default: '1' }),
        time('first_at'),
        time('last_at'),
      ],
      {
        uniques: { UQ_SVC_rejected_notify: ['fingerprint'] },
        indexes: {
          IX_SVC_rejected_notify_gateway: ['gateway', 'id'],
          IX_SVC_rejected_notify_kind: ['kind', 'id'],
          IX_SVC_rejected_notify_last: ['last_at'],
        },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_rejected_notify');
  }
}
