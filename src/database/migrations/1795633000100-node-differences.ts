import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text } from './schema.js';

/** What the comparison of a server with the panel's rows found. */
export class NodeDifferences1795633000100 implements MigrationInterface {
  name = 'NodeDifferences1795633000100';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_bt_difference',
      [
        id(),
        integer('bt_id'),
        string('kind', 16),
        string('site_name', 255),
        string('username', 255),
        integer('zj_id', { default: '0' }),
        string('id_before', 64, { default: "''" }),
        string('id_after', 64, { default: "''" }),
        string('state', 8, { default: "'open'" }),
        text('reason', { isNullable: true }),
      ],
      { indexes: { IX_SVC_bt_difference_bt: ['bt_id', 'id'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_bt_difference');
  }
}
