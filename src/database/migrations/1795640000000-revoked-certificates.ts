import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** When a certificate was revoked that is served until the next one is here. */
export class RevokedCertificates1795640000000 implements MigrationInterface {
  name = 'RevokedCertificates1795640000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_site_cert', [columnOf(runner, time('revoked_at', { isNullable: true }))]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_site_cert', ['revoked_at']);
  }
}
