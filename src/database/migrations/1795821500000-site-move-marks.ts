import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** What the files of a site were when they were copied to another server. */
export class SiteMoveMarks1795821500000 implements MigrationInterface {
  name = 'SiteMoveMarks1795821500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_site_move', columnOf(runner, string('mark', 64, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_site_move', 'mark');
  }
}
