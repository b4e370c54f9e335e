import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, time } from './schema.js';

/** When an agent last scanned. */
export class WireFields1795400900000 implements MigrationInterface {
  name = 'WireFields1795400900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_node', columnOf(runner, time('last_scan', { isNullable: true })));
    // What was kept of scans says when each agent scanned last.
    await runner.query(
      'UPDATE SVC_node SET last_scan = (SELECT MAX(s.created_at) FROM SVC_forbidden_scan s WHERE s.node_id = SVC_node.node_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_node', 'last_scan');
  }
}
