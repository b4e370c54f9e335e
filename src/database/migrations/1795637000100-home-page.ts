import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag, string } from './schema.js';

const COLUMNS = [
  flag('home_enable', { default: '1' }),
  string('home_title', 120, { default: "''" }),
  string('home_title_en', 120, { default: "''" }),
  string('home_hero', 500, { default: "''" }),
  string('home_hero_en', 500, { default: "''" }),
  string('home_footer', 500, { default: "''" }),
  string('home_footer_en', 500, { default: "''" }),
  string('home_primary', 10, { default: "''" }),
  string('home_favicon', 50, { default: "''" }),
  string('home_image', 50, { default: "''" }),
  flag('home_show_notice', { default: '1' }),
  flag('home_show_plans', { default: '1' }),
];

/** What the page at the root of the site says and shows. */
export class HomePage1795637000100 implements MigrationInterface {
  name = 'HomePage1795637000100';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.addColumn('SVC_config', columnOf(runner, column));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of [...COLUMNS].reverse()) await runner.dropColumn('SVC_config', name);
  }
}
