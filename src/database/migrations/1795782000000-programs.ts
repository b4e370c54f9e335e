import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { bigint, columnOf, createTable, flag, id, integer, string, text, time } from './schema.js';

/** Programs that are installed with one click: their archives and order, who bought which, and what was installed where. */
export class Programs1795782000000 implements MigrationInterface {
  name = 'Programs1795782000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_bs', columnOf(runner, bigint('archive_size', { default: '0' })));
    await runner.addColumn('SVC_bs', columnOf(runner, flag('has_php', { default: '0' })));
    await runner.addColumn('SVC_bs', columnOf(runner, integer('position', { default: '0' })));
    await runner.createIndex('SVC_bs', new TableIndex({ name: 'IX_SVC_bs_position', columnNames: ['position', 'id'] }));
    await createTable(
      runner,
      'SVC_program_purchase',
      [id(), integer('program_id'), integer('zj_id'), integer('order_id', { isNullable: true }), time('created_at')],
      {
        uniques: { UQ_SVC_program_purchase: ['program_id', 'zj_id'] },
        foreignKeys: [
          { name: 'FK_SVC_program_purchase_bs', column: 'program_id', table: 'SVC_bs', references: 'id', onDelete: 'CASCADE' },
          { name: 'FK_SVC_program_purchase_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' },
        ],
      },
    );
    await createTable(
      runner,
      'SVC_deployment',
      [
        id(),
        integer('host_id'),
        integer('program_id'),
        string('program_name', 190),
        string('state', 12),
        string('phase', 12),
        integer('step', { default: '0' }),
        integer('steps', { default: '0' }),
        integer('busy', { isNullable: true }),
        string('task_id', 64, { isNullable: true }),
        text('answers'),
        integer('backup_id', { isNullable: true }),
        text('site_before', { isNullable: true }),
        string('made_by', 100),
        time('made_at'),
        time('ended_at', { isNullable: true }),
        text('message'),
        string('error', 500, { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_deployment_busy: ['busy'] },
        indexes: { IX_SVC_deployment_host: ['host_id', 'id'], IX_SVC_deployment_state: ['state', 'id'] },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_deployment');
    await runner.dropTable('SVC_program_purchase');
    await runner.dropIndex('SVC_bs', 'IX_SVC_bs_position');
    for (const column of ['position', 'has_php', 'archive_size']) await runner.dropColumn('SVC_bs', column);
  }
}
