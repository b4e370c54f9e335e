import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, day, id, integer, string, time } from './schema.js';

const OF_ZONES = [
  string('channel', 16, { default: "'pan'" }),
  integer('provider_id', { default: '0' }),
  integer('months', { default: '12' }),
  integer('per_customer', { default: '0' }),
  string('reserved', 1000, { default: "''" }),
  integer('grace_days', { default: '7' }),
  integer('rest_days', { default: '30' }),
];

/** What names of a zone are sold for, and the names that somebody has. */
export class SoldNames1795763000000 implements MigrationInterface {
  name = 'SoldNames1795763000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'SVC_ym',
      OF_ZONES.map((column) => columnOf(runner, column)),
    );
    await createTable(
      runner,
      'SVC_ym_name',
      [
        id(),
        integer('ym_id'),
        string('name', 253),
        string('prefix', 63),
        string('state', 16),
        integer('zj_id', { isNullable: true }),
        integer('yh_id', { isNullable: true }),
        string('ddh', 64, { isNullable: true }),
        string('ml', 255, { default: "''" }),
        day('dq', { isNullable: true }),
        time('until_at', { isNullable: true }),
        day('reminded_on', { isNullable: true }),
        integer('untold_zj', { isNullable: true }),
        time('created_at'),
      ],
      {
        uniques: { UQ_SVC_ym_name_name: ['name'], UQ_SVC_ym_name_ddh: ['ddh'] },
        indexes: {
          IX_SVC_ym_name_ym: ['ym_id', 'id'],
          IX_SVC_ym_name_zj: ['zj_id', 'id'],
          IX_SVC_ym_name_yh: ['yh_id', 'id'],
          IX_SVC_ym_name_state: ['state', 'dq', 'id'],
          IX_SVC_ym_name_untold: ['untold_zj', 'id'],
        },
        foreignKeys: [
          { name: 'FK_SVC_ym_name_ym', column: 'ym_id', table: 'SVC_ym', references: 'id', onDelete: 'CASCADE' },
          { name: 'FK_SVC_ym_name_zj', column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'SET NULL' },
        ],
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_ym_name');
    await runner.dropColumns(
      'SVC_ym',
      OF_ZONES.map(({ name }) => name),
    );
  }
}
