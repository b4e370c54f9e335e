import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** What administrators decide of themes. */
export class ThemeSettings1795791000000 implements MigrationInterface {
  name = 'ThemeSettings1795791000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_theme_setting',
      [id(), string('theme', 64), integer('administrator', { default: '0' }), text('choices'), time('changed_at')],
      { uniques: { UQ_SVC_theme_setting_theme: ['theme', 'administrator'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_theme_setting');
  }
}
