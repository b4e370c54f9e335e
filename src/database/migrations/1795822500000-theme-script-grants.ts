import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, string, text, time } from './schema.js';

/** Scripts of themes that administrators have granted. */
export class ThemeScriptGrants1795822500000 implements MigrationInterface {
  name = 'ThemeScriptGrants1795822500000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_theme_script_grant',
      [
        id(),
        string('theme', 64),
        string('file', 100),
        string('sha256', 64),
        text('sides'),
        flag('everywhere', { default: '0' }),
        string('granted_by', 64),
        time('granted_at'),
      ],
      { uniques: { UQ_SVC_theme_script_grant_theme: ['theme', 'file'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_theme_script_grant');
  }
}
