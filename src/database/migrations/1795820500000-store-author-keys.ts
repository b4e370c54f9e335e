import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Which keys of its author a version was signed with. */
export class StoreAuthorKeys1795820500000 implements MigrationInterface {
  name = 'StoreAuthorKeys1795820500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_store_version', columnOf(runner, string('author_keys', 400, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_store_version', 'author_keys');
  }
}
