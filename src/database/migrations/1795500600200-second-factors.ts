import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, integer, string, time } from './schema.js';

/** Second factors with their recovery codes, sign-ins that wait for one, and whether accounts must have one. */
export class SecondFactors1795500600200 implements MigrationInterface {
  name = 'SecondFactors1795500600200';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_second_factor',
      [
        id(),
        string('side', 10),
        integer('account_id'),
        string('seed', 250),
        integer('last_step', { default: '0' }),
        time('confirmed_at', { isNullable: true }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_second_factor_account: ['side', 'account_id'] } },
    );
    await createTable(runner, 'SVC_recovery_code', [id(), string('side', 10), integer('account_id'), string('code_hash', 64)], {
      uniques: { UQ_SVC_recovery_code: ['side', 'account_id', 'code_hash'] },
    });
    await createTable(
      runner,
      'SVC_sign_in_step',
      [
        id(),
        string('token_hash', 64),
        string('side', 10),
        integer('account_id'),
        string('username', 64),
        string('password_hash', 100),
        integer('failures', { default: '0' }),
        time('expires_at'),
      ],
      { uniques: { UQ_SVC_sign_in_step_token: ['token_hash'] }, indexes: { IX_SVC_sign_in_step_expires: ['expires_at'] } },
    );
    for (const name of COLUMNS) await runner.addColumn('SVC_config', columnOf(runner, flag(name, { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_config', [...COLUMNS]);
    for (const table of ['SVC_sign_in_step', 'SVC_recovery_code', 'SVC_second_factor']) await runner.dropTable(table);
  }
}

const COLUMNS = ['f2_admin', 'f2_user'];
