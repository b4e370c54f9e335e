import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, text, time } from './schema.js';

/** Roles of administrators; one without a role may do everything. */
export class AdminRoles1795500600100 implements MigrationInterface {
  name = 'AdminRoles1795500600100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_admin_role',
      [id(), string('name', 64), string('name_key', 64), text('patterns'), text('servers', { isNullable: true }), time('created_at')],
      { uniques: { UQ_SVC_admin_role_name: ['name_key'] } },
    );
    await runner.addColumn('SVC_admin', columnOf(runner, integer('role_id', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_admin', 'role_id');
    await runner.dropTable('SVC_admin_role');
  }
}
