import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, string, text, time } from './schema.js';

/** Keys of the stores plugins were installed from, and newer versions they have. */
export class PluginStores1795781000000 implements MigrationInterface {
  name = 'PluginStores1795781000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_plugin_store',
      [id(), string('address', 191), string('key_id', 64), text('public_key'), time('trusted_at')],
      { uniques: { UQ_SVC_plugin_store_address: ['address'] } },
    );
    await runner.addColumn('SVC_plugin', columnOf(runner, string('newer_version', 32, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_plugin', 'newer_version');
    await runner.dropTable('SVC_plugin_store');
  }
}
