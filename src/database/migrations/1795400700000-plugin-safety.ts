import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, string, time } from './schema.js';

/** Strikes and quarantine of plugins. */
export class PluginSafety1795400700000 implements MigrationInterface {
  name = 'PluginSafety1795400700000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_plugin_strike',
      [id(), string('slug', 64), string('kind', 10), string('place', 200), string('message', 500), time('struck_at')],
      { indexes: { IX_SVC_plugin_strike: ['slug', 'struck_at'] } },
    );
    await runner.addColumns('SVC_plugin', [
      columnOf(runner, time('quarantined_at', { isNullable: true })),
      columnOf(runner, string('quarantine_reason', 800, { default: "''" })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_plugin', ['quarantined_at', 'quarantine_reason']);
    await runner.dropTable('SVC_plugin_strike');
  }
}
