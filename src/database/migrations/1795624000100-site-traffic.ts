import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, integer, string } from './schema.js';

const foreignKey = (name: string) => ({ name, column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' as const });

/** What sites sent in each month. */
export class SiteTraffic1795624000100 implements MigrationInterface {
  name = 'SiteTraffic1795624000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_site_traffic',
      [
        { ...integer('zj_id'), isPrimary: true },
        { ...string('month', 7), isPrimary: true },
        bigint('bytes', { default: '0' }),
      ],
      { indexes: { IX_SVC_site_traffic_month: ['month'] }, foreignKeys: [foreignKey('FK_SVC_site_traffic_zj')] },
    );
    await runner.addColumn('SVC_zj', columnOf(runner, string('ll_month', 7, { default: "''" })));
    await runner.createIndex('SVC_zj', new TableIndex({ name: 'IX_SVC_zj_ll_month', columnNames: ['ll_month', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_zj', 'IX_SVC_zj_ll_month');
    await runner.dropColumn('SVC_zj', 'll_month');
    await runner.dropTable('SVC_site_traffic');
  }
}
