import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string, text } from './schema.js';

/** What an authority is told whose customers have accounts elsewhere (RFC 8555 section 7.3.4); the key is sealed. */
export class AccountBinding1795639000100 implements MigrationInterface {
  name = 'AccountBinding1795639000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_config', [
      columnOf(runner, string('acme_eab_id', 255, { default: "''" })),
      columnOf(runner, text('acme_eab_key', { isNullable: true })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_config', ['acme_eab_id', 'acme_eab_key']);
  }
}
