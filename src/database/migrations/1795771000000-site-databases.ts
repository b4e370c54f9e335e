import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, integer, text, time } from './schema.js';

/** Passwords of the databases of sites, sealed. */
export class SiteDatabases1795771000000 implements MigrationInterface {
  name = 'SiteDatabases1795771000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_site_database',
      [{ ...integer('zj_id'), isPrimary: true }, text('password'), time('set_at')],
      { foreignKeys: [{ name: 'FK_SVC_site_database_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' }] },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_site_database');
  }
}
