import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, text, time } from './schema.js';

/** Ways out of the panel besides mail; what they need to know is sealed. */
export class NoticeChannels1795500400400 implements MigrationInterface {
  name = 'NoticeChannels1795500400400';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_notice_channel',
      [
        id(),
        string('side', 10),
        integer('account_id'),
        string('type', 40),
        string('name', 100),
        text('settings'),
        text('kinds'),
        flag('enabled', { default: '1' }),
        time('created_at'),
      ],
      { indexes: { IX_SVC_notice_channel_owner: ['side', 'account_id', 'id'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_notice_channel');
  }
}
