import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, flag, integer, string, text } from './schema.js';

const foreignKey = (name: string) => ({ name, column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' as const });
const COUNTS = ['requests', 'pages', 'visitors', 'bytes', 's2', 's3', 's4', 's5'];

/** What visitors of sites did, how far their logs are counted, and how long both are kept. */
export class SiteStatistics1795632000100 implements MigrationInterface {
  name = 'SiteStatistics1795632000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_site_stat',
      [
        { ...integer('zj_id'), isPrimary: true },
        { ...string('unit', 1), isPrimary: true },
        { ...string('moment', 13), isPrimary: true },
        ...COUNTS.map((name) => bigint(name, { default: '0' })),
        text('detail'),
      ],
      { indexes: { IX_SVC_site_stat_at: ['unit', 'moment'] }, foreignKeys: [foreignKey('FK_SVC_site_stat_zj')] },
    );
    await createTable(runner, 'SVC_site_log', [{ ...integer('zj_id'), isPrimary: true }, string('position', 64, { default: "''" })], {
      foreignKeys: [foreignKey('FK_SVC_site_log_zj')],
    });
    await runner.createIndex('SVC_zj', new TableIndex({ name: 'IX_SVC_zj_sqldz', columnNames: ['sqldz', 'id'] }));
    await runner.addColumn('SVC_config', columnOf(runner, integer('rzts', { default: '30' })));
    await runner.addColumn('SVC_config', columnOf(runner, integer('tjys', { default: '13' })));
    await runner.addColumn('SVC_config', columnOf(runner, flag('rznm', { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['rznm', 'tjys', 'rzts']) await runner.dropColumn('SVC_config', column);
    await runner.dropIndex('SVC_zj', 'IX_SVC_zj_sqldz');
    await runner.dropTable('SVC_site_log');
    await runner.dropTable('SVC_site_stat');
  }
}
