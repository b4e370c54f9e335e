import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, string } from './schema.js';

/** What is newer of installed themes, and whether betas of themes are offered: for the panel, and for each theme. */
export class ThemeUpdates1795824500000 implements MigrationInterface {
  name = 'ThemeUpdates1795824500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, flag('theme_betas', { default: '0' })));
    await createTable(
      runner,
      'SVC_theme_update',
      [
        id(),
        string('theme', 64),
        string('betas', 5, { default: "''" }),
        string('newer_version', 32, { default: "''" }),
        flag('newer_beta', { default: '0' }),
      ],
      { uniques: { UQ_SVC_theme_update_theme: ['theme'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_theme_update');
    await runner.dropColumn('SVC_config', 'theme_betas');
  }
}
