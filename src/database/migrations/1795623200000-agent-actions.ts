import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, text, time } from './schema.js';

/** Calls of servers as tasks of their agents, the bodies that travel with them, and the tokens new agents come with. */
export class AgentActions1795623200000 implements MigrationInterface {
  name = 'AgentActions1795623200000';

  async up(runner: QueryRunner): Promise<void> {
    const nullable = { isNullable: true };
    for (const column of [
      time('deadline', nullable),
      text('sealed', nullable),
      string('progress', 40, { default: "''" }),
      string('body_state', 10, { default: "''" }),
    ])
      await runner.addColumn('SVC_node_task', columnOf(runner, column));
    await createTable(
      runner,
      'SVC_node_body',
      [id(), string('task_id', 64), integer('seq'), text('content'), time('created_at')],
      { uniques: { UQ_SVC_node_body_seq: ['task_id', 'seq'] }, indexes: { IX_SVC_node_body_created: ['created_at'] } },
    );
    await createTable(
      runner,
      'SVC_node_token',
      [id(), string('token_hash', 64), integer('node_pk'), time('expires_at'), time('used_at', nullable), time('created_at')],
      { uniques: { UQ_SVC_node_token_hash: ['token_hash'] }, indexes: { IX_SVC_node_token_node: ['node_pk'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_node_token');
    await runner.dropTable('SVC_node_body');
    for (const name of ['body_state', 'progress', 'sealed', 'deadline']) await runner.dropColumn('SVC_node_task', name);
  }
}
