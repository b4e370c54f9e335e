import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Who opened an account and by which request id, which had to be read out of the request key. */
export class AccountRequests1795401300000 implements MigrationInterface {
  name = 'AccountRequests1795401300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_zj', [
      columnOf(runner, string('opened_by', 64, { default: "'cron'" })),
      columnOf(runner, string('request_id', 200, { isNullable: true })),
    ]);
    await runner.query(
      `UPDATE SVC_zj SET opened_by = SUBSTR(request_key, 1, INSTR(request_key, ':') - 1), request_id = SUBSTR(request_key, INSTR(request_key, ':') + 1)
       WHERE request_key IS NOT NULL`,
    );
    // Of the provisioning API the key had the node before the id.
    await runner.query(
      "UPDATE SVC_zj SET request_id = SUBSTR(request_id, LENGTH(ssbt) + 2) WHERE opened_by = 'api' AND request_id IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_zj', ['opened_by', 'request_id']);
  }
}
