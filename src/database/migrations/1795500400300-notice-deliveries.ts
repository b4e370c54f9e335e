import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, text, time } from './schema.js';

/** How people want to be told, what is on its way to them, and addresses that take no mail. */
export class NoticeDeliveries1795500400300 implements MigrationInterface {
  name = 'NoticeDeliveries1795500400300';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_notice_preference',
      [
        id(),
        string('side', 10),
        integer('account_id'),
        string('email', 254, { isNullable: true }),
        string('locale', 10, { default: "''" }),
        flag('digest', { default: '1' }),
        text('off'),
      ],
      { uniques: { UQ_SVC_notice_preference_owner: ['side', 'account_id'] } },
    );
    await createTable(
      runner,
      'SVC_notice_delivery',
      [
        id(),
        integer('notice_id'),
        string('side', 10),
        integer('account_id'),
        string('username', 64),
        string('route', 40),
        string('target', 254),
        string('title', 250),
        string('state', 20),
        integer('attempts', { default: '0' }),
        text('error', { isNullable: true }),
        flag('digest', { default: '0' }),
        time('created_at'),
        time('ended_at', { isNullable: true }),
      ],
      {
        indexes: {
          IX_SVC_notice_delivery_state: ['state', 'id'],
          IX_SVC_notice_delivery_flood: ['side', 'account_id', 'route', 'created_at'],
          IX_SVC_notice_delivery_created: ['created_at'],
        },
      },
    );
    await createTable(runner, 'SVC_mail_bounce', [
      { ...string('address', 254), isPrimary: true },
      string('reply', 300),
      time('created_at'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['SVC_mail_bounce', 'SVC_notice_delivery', 'SVC_notice_preference']) await runner.dropTable(table);
  }
}
