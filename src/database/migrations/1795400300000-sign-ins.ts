import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, flag, id, integer, string, time } from './schema.js';

/** Devices that signed in before, and wrong passwords as owners of accounts see them. */
export class SignIns1795400300000 implements MigrationInterface {
  name = 'SignIns1795400300000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_known_device',
      [id(), string('token_hash', 64), string('side', 10), integer('account_id'), time('expires_at')],
      {
        uniques: { UQ_SVC_known_device_token: ['token_hash', 'side', 'account_id'] },
        indexes: { IX_SVC_known_device_account: ['side', 'account_id', 'id'], IX_SVC_known_device_expires: ['expires_at'] },
      },
    );
    await createTable(
      runner,
      'SVC_failed_sign_in',
      [id(), string('side', 10), integer('account_id'), string('network', 64), integer('failures'), flag('seen', { default: '0' }), time('first_at'), time('last_at')],
      {
        uniques: { UQ_SVC_failed_sign_in: ['side', 'account_id', 'network'] },
        indexes: { IX_SVC_failed_sign_in_last: ['last_at'] },
      },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_failed_sign_in');
    await runner.dropTable('SVC_known_device');
  }
}
