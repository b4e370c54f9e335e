import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Plugins bring kinds of notice channels. */
export class PluginChannels1795614000000 implements MigrationInterface {
  name = 'PluginChannels1795614000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_notice_channel', columnOf(runner, string('plugin', 64, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_notice_channel', 'plugin');
  }
}
