import type { MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';

import { columnOf, flag, integer, time } from './schema.js';

const COLUMNS: readonly [table: string, column: TableColumnOptions][] = [
  ['SVC_store_version', integer('claimed_by', { isNullable: true })],
  ['SVC_store_version', time('claimed_at', { isNullable: true })],
  ['SVC_store_version', flag('spot_check', { default: '0' })],
  ['SVC_store_user', time('trusted_at', { isNullable: true })],
  ['SVC_store_token', integer('item_id', { isNullable: true })],
];

/** Who looks at a version, whose versions are published at once, and tokens for one item. */
export class StoreReviewers1795812000000 implements MigrationInterface {
  name = 'StoreReviewers1795812000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) await runner.addColumn(table, columnOf(runner, column));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, { name }] of [...COLUMNS].reverse()) await runner.dropColumn(table, name);
  }
}
