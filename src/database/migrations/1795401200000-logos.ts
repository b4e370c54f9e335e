import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Names of the site's own pictures. */
export class Logos1795401200000 implements MigrationInterface {
  name = 'Logos1795401200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'SVC_config',
      COLUMNS.map((name) => columnOf(runner, string(name, 50, { default: "''" }))),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_config', [...COLUMNS]);
  }
}

const COLUMNS = ['logo_login', 'logo_index', 'logo_head'];
