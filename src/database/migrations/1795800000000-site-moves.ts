import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

/** Sites on their way to another server, and servers that are emptied. */
export class SiteMoves1795800000000 implements MigrationInterface {
  name = 'SiteMoves1795800000000';

  async up(runner: QueryRunner): Promise<void> {
    const maybe = { isNullable: true } as const;
    await createTable(
      runner,
      'SVC_site_move',
      [
        id(),
        integer('host_id'),
        string('user', 64),
        string('sqldz', 128),
        string('from_bt', 64),
        string('from_id', 64),
        string('to_bt', 64),
        string('to_id', 64, { default: "''" }),
        string('state', 10),
        integer('busy', maybe),
        string('task_id', 64, maybe),
        integer('emptying_id', maybe),
        string('made_by', 100),
        time('begun_at'),
        time('switched_at', maybe),
        time('keep_until', maybe),
        time('claimed_until', maybe),
        time('returned_at', maybe),
        text('belongings', maybe),
        string('sha256', 64, { default: "''" }),
        integer('left_out', { default: '0' }),
        string('error', 500, maybe),
      ],
      {
        uniques: { UQ_SVC_site_move_busy: ['busy'] },
        indexes: {
          IX_SVC_site_move_host: ['host_id', 'id'],
          IX_SVC_site_move_state: ['state', 'id'],
          IX_SVC_site_move_from: ['from_bt', 'id'],
          IX_SVC_site_move_to: ['to_bt', 'id'],
          IX_SVC_site_move_emptying: ['emptying_id', 'id'],
        },
      },
    );
    await createTable(
      runner,
      'SVC_bt_emptying',
      [
        id(),
        integer('server_id'),
        string('ssbt', 64),
        string('target', 64),
        integer('at_once'),
        string('state', 10),
        integer('busy', maybe),
        integer('last_host', { default: '0' }),
        string('made_by', 100),
        time('begun_at'),
      ],
      { uniques: { UQ_SVC_bt_emptying_busy: ['busy'] }, indexes: { IX_SVC_bt_emptying_server: ['server_id', 'id'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_bt_emptying');
    await runner.dropTable('SVC_site_move');
  }
}
