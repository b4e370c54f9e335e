import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, string, text } from './schema.js';

/** How administrators word notices. */
export class NoticeTemplates1795600200000 implements MigrationInterface {
  name = 'NoticeTemplates1795600200000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_notice_template',
      [
        id(),
        string('template_key', 100),
        string('locale', 10),
        string('title', 250),
        text('body'),
        string('defect', 300, { default: "''" }),
      ],
      { uniques: { UQ_SVC_notice_template_key: ['template_key', 'locale'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_notice_template');
  }
}
