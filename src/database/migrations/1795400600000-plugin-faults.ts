import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, string, text, time } from './schema.js';

/** The last fault of each plugin outlives a restart. */
export class PluginFaults1795400600000 implements MigrationInterface {
  name = 'PluginFaults1795400600000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'SVC_plugin_fault', [id(), string('slug', 64), string('place', 200), text('message'), time('occurred_at')], {
      uniques: { UQ_SVC_plugin_fault_slug: ['slug'] },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_plugin_fault');
  }
}
