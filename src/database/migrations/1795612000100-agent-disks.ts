import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, text } from './schema.js';

/** How full the disks of a server are, as its agent told last. */
export class AgentDisks1795612000100 implements MigrationInterface {
  name = 'AgentDisks1795612000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_node', columnOf(runner, text('disks', { isNullable: true })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_node', 'disks');
  }
}
