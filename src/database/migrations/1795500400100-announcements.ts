import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { createTable, day, flag, id, string, text, time } from './schema.js';

/** What everybody is to know for some days; and the notices of a side in the order they were written. */
export class Announcements1795500400100 implements MigrationInterface {
  name = 'Announcements1795500400100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_announcement',
      [
        id(),
        string('title', 250),
        text('content'),
        string('level', 20, { default: "'info'" }),
        string('server', 64, { default: "''" }),
        flag('banner', { default: '1' }),
        day('from_on', { isNullable: true }),
        day('until_on', { isNullable: true }),
        time('created_at'),
      ],
      { indexes: { IX_SVC_announcement_until: ['until_on', 'id'] } },
    );
    await runner.createIndex('SVC_notice_log', new TableIndex({ name: 'IX_SVC_notice_log_side', columnNames: ['side', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_notice_log', 'IX_SVC_notice_log_side');
    await runner.dropTable('SVC_announcement');
  }
}
