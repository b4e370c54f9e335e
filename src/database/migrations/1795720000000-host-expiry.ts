import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, day, flag, integer, string, time } from './schema.js';

const CONFIG = [string('dq_tx', 60, { default: "'7,3,1,0'" }), integer('dq_kx', { default: '0' }), integer('dq_sc', { default: '0' })];
const OWN = [integer('kx_own', { isNullable: true }), integer('sc_ts', { isNullable: true })];
const ADDED = {
  SVC_config: CONFIG,
  SVC_zj: [integer('kx_ts', { default: '0' }), ...OWN],
  SVC_bin: OWN,
  SVC_deletion_day: [integer('waiting_expired', { default: '0' })],
};

/** What happens to hosts whose time is over, what their owners were told, and whether the clock can be trusted. */
export class HostExpiry1795720000000 implements MigrationInterface {
  name = 'HostExpiry1795720000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(ADDED)) {
      await runner.addColumns(
        table,
        columns.map((column) => columnOf(runner, column)),
      );
    }
    await createTable(runner, 'SVC_host_expiry', [
      { ...integer('host_id'), isPrimary: true },
      day('reminded_for', { isNullable: true }),
      integer('reminded_step', { isNullable: true }),
      day('told_for', { isNullable: true }),
      time('told_at', { isNullable: true }),
      day('deletes_on', { isNullable: true }),
      flag('exempt', { default: '0' }),
    ]);
    await createTable(runner, 'SVC_clock_watch', [
      { ...integer('id'), isPrimary: true },
      time('seen_at'),
      time('jumped_from', { isNullable: true }),
      time('jumped_to', { isNullable: true }),
      string('confirmed_by', 100, { isNullable: true }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_clock_watch');
    await runner.dropTable('SVC_host_expiry');
    for (const [table, columns] of Object.entries(ADDED)) {
      await runner.dropColumns(
        table,
        columns.map(({ name }) => name),
      );
    }
  }
}
