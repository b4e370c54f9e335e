import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string, text } from './schema.js';

/** Steps of plugins are written down as they begin, so that what a process left half can be taken back. */
export class PluginSteps1795401100000 implements MigrationInterface {
  name = 'PluginSteps1795401100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_plugin_migration', [
      columnOf(runner, string('state', 8, { default: "'done'" })),
      columnOf(runner, text('changes', { isNullable: true })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without a state every row says that its step is done.
    await runner.query(`DELETE FROM SVC_plugin_migration WHERE state = 'begun'`);
    await runner.dropColumns('SVC_plugin_migration', ['state', 'changes']);
  }
}
