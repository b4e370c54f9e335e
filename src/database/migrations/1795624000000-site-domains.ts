import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, time } from './schema.js';

/** Domains bound to sites. */
export class SiteDomains1795624000000 implements MigrationInterface {
  name = 'SiteDomains1795624000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_site_domain',
      [
        id(),
        integer('zj_id'),
        string('name', 253),
        string('reversed', 253),
        string('folder', 255, { default: "''" }),
        flag('is_main', { default: '0' }),
        time('created_at'),
      ],
      {
        uniques: { UQ_SVC_site_domain_name: ['name'] },
        indexes: { IX_SVC_site_domain_zj: ['zj_id', 'id'], IX_SVC_site_domain_reversed: ['reversed'] },
        foreignKeys: [{ name: 'FK_SVC_site_domain_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' }],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_site_domain');
  }
}
