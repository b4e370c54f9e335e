import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, integer, string, text } from './schema.js';

/** How sites are served. */
export class SiteSettings1795624000200 implements MigrationInterface {
  name = 'SiteSettings1795624000200';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_site_setting',
      [{ ...integer('zj_id'), isPrimary: true }, string('version', 32), text('value')],
      { foreignKeys: [{ name: 'FK_SVC_site_setting_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' }] },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_site_setting');
  }
}
