import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, integer, string } from './schema.js';

/** Programs of ours that were put into the catalogue. */
export class BundledPrograms1795801000000 implements MigrationInterface {
  name = 'BundledPrograms1795801000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'SVC_program_bundled', [
      { ...string('slug', 40), isPrimary: true },
      integer('version'),
      integer('program_id', { isNullable: true }),
      string('digest', 64),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_program_bundled');
  }
}
