import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, text, time } from './schema.js';

/** Keys of programs, beside the one of the provisioning API. */
export class ApiKeys1795500600400 implements MigrationInterface {
  name = 'ApiKeys1795500600400';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_api_key',
      [
        id(),
        string('name', 40),
        string('name_key', 40),
        string('secret_hash', 64),
        text('patterns'),
        text('addresses', { isNullable: true }),
        time('expires_at', { isNullable: true }),
        flag('enabled', { default: '1' }),
        integer('uses', { default: '0' }),
        time('used_at', { isNullable: true }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_api_key_name: ['name_key'], UQ_SVC_api_key_secret: ['secret_hash'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_api_key');
  }
}
