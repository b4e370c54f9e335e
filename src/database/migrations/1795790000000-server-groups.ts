import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, time } from './schema.js';

/** Groups of servers among which one is chosen for a new host, how many hosts a server takes, and its weight. */
export class ServerGroups1795790000000 implements MigrationInterface {
  name = 'ServerGroups1795790000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_bt', columnOf(runner, integer('rl', { default: '0' })));
    await runner.addColumn('SVC_bt', columnOf(runner, integer('qz', { default: '100' })));
    await runner.addColumn('SVC_zj', columnOf(runner, string('placed_by', 64, { isNullable: true })));
    await createTable(
      runner,
      'SVC_bt_group',
      [id(), string('code', 48), string('code_key', 48), string('name', 64), string('rule', 10), time('created_at')],
      { uniques: { UQ_SVC_bt_group_code: ['code_key'] } },
    );
    const member = (name: string) => ({ ...integer(name), isPrimary: true });
    await createTable(runner, 'SVC_bt_group_server', [member('group_id'), member('server_id')], {
      foreignKeys: [
        { name: 'FK_SVC_bt_group_server_group', column: 'group_id', table: 'SVC_bt_group', references: 'id', onDelete: 'CASCADE' },
        { name: 'FK_SVC_bt_group_server_server', column: 'server_id', table: 'SVC_bt', references: 'id', onDelete: 'CASCADE' },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_bt_group_server');
    await runner.dropTable('SVC_bt_group');
    await runner.dropColumn('SVC_zj', 'placed_by');
    await runner.dropColumn('SVC_bt', 'qz');
    await runner.dropColumn('SVC_bt', 'rl');
  }
}
