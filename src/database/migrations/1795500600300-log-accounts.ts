import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, integer, string } from './schema.js';

/** Lines of the operation log say whose account they are about and which request wrote them; how long they are kept is a setting. */
export class LogAccounts1795500600300 implements MigrationInterface {
  name = 'LogAccounts1795500600300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_log', [
      columnOf(runner, string('side', 10, { isNullable: true })),
      columnOf(runner, integer('account_id', { isNullable: true })),
      columnOf(runner, string('rid', 40, { isNullable: true })),
    ]);
    await runner.createIndex('SVC_log', new TableIndex({ name: 'IX_SVC_log_account', columnNames: ['side', 'account_id', 'id'] }));
    await runner.addColumn('SVC_config', columnOf(runner, integer('log_days', { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'log_days');
    await runner.dropIndex('SVC_log', 'IX_SVC_log_account');
    await runner.dropColumns('SVC_log', ['side', 'account_id', 'rid']);
  }
}
