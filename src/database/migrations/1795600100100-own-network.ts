import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, integer, string, time } from './schema.js';

/** Alarms that are held while the network of the panel itself is suspected, and the address that tells. */
export class OwnNetwork1795600100100 implements MigrationInterface {
  name = 'OwnNetwork1795600100100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'SVC_monitor_hold', [{ ...integer('id'), isPrimary: true }, time('since'), flag('told', { default: '0' })]);
    await runner.addColumn('SVC_config', columnOf(runner, string('jk_neutral', 255, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'jk_neutral');
    await runner.dropTable('SVC_monitor_hold');
  }
}
