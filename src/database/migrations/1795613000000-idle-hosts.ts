import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, day, flag, integer, string, time } from './schema.js';

const CONFIG = [
  flag('ymjkkg', { default: '0' }),
  flag('mtyxfskg', { default: '0' }),
  integer('ymjktsyz', { default: '7' }),
  flag('wjjkkg', { default: '0' }),
  flag('mtwjfskg', { default: '0' }),
  integer('wjjktsyz', { default: '7' }),
  string('optionzc', 10, { default: "'stop'" }),
];

/** Hosts nobody uses: what is done about them, and which they are. */
export class IdleHosts1795613000000 implements MigrationInterface {
  name = 'IdleHosts1795613000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'SVC_config',
      CONFIG.map((column) => columnOf(runner, column)),
    );
    await createTable(
      runner,
      'SVC_idle_host',
      [
        { ...integer('host_id'), isPrimary: true },
        string('user', 64),
        string('sign', 10, { default: "''" }),
        time('seen_at', { isNullable: true }),
        time('kept_at', { isNullable: true }),
        flag('exempt', { default: '0' }),
        string('deed', 10, { default: "''" }),
        time('announced_at', { isNullable: true }),
        day('due_on', { isNullable: true }),
        day('reminded_on', { isNullable: true }),
        string('done', 10, { default: "''" }),
        time('done_at', { isNullable: true }),
      ],
      { indexes: { IX_SVC_idle_host_done: ['done_at', 'host_id'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_idle_host');
    await runner.dropColumns(
      'SVC_config',
      CONFIG.map(({ name }) => name),
    );
  }
}
