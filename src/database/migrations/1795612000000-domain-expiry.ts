import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, integer, string, text, time } from './schema.js';

/** When the domain names end that monitors look at, as their registries said last. */
export class DomainExpiry1795612000000 implements MigrationInterface {
  name = 'DomainExpiry1795612000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'SVC_domain_expiry', [
      { ...string('domain', 253), isPrimary: true },
      flag('is_registered', { default: '1' }),
      time('expires_at', { isNullable: true }),
      time('answered_at', { isNullable: true }),
      time('tried_at', { isNullable: true }),
      integer('failures', { default: '0' }),
      text('problem', { isNullable: true }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_domain_expiry');
  }
}
