import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag, string } from './schema.js';

/** Whether betas of plugins are offered as newer versions: for the panel, and for each plugin. */
export class PluginBetas1795823500000 implements MigrationInterface {
  name = 'PluginBetas1795823500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, flag('plugin_betas', { default: '0' })));
    await runner.addColumn('SVC_plugin', columnOf(runner, string('betas', 5, { default: "''" })));
    await runner.addColumn('SVC_plugin', columnOf(runner, flag('newer_beta', { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_plugin', 'newer_beta');
    await runner.dropColumn('SVC_plugin', 'betas');
    await runner.dropColumn('SVC_config', 'plugin_betas');
  }
}
