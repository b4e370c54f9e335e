import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { toSqlTime } from '../sql-time.js';
import { columnOf, string, time } from './schema.js';

/** Events are kept for plugins that are off, and keep their order per plugin across hooks. */
export class EventsOnHold1795400500000 implements MigrationInterface {
  name = 'EventsOnHold1795400500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_event_listener', columnOf(runner, time('off_since', { isNullable: true })));
    await runner.addColumns('SVC_event_delivery', [
      columnOf(runner, string('owner', 64, { default: "''" })),
      columnOf(runner, string('hook', 64, { default: "''" })),
    ]);
    // Since when a plugin has been off was not written down: its 90 days begin now.
    await runner.query(
      `UPDATE SVC_event_listener SET off_since = ? WHERE active = 0 AND owner IN (SELECT slug FROM SVC_plugin WHERE enabled = 0)`,
      [toSqlTime(new Date())],
    );
    await runner.query(
      `UPDATE SVC_event_delivery SET owner = SUBSTR(listener_key, 1, INSTR(listener_key, ':') - 1),
        hook = (SELECT e.hook FROM SVC_event e WHERE e.id = SVC_event_delivery.event_id)`,
    );
    await runner.dropIndex('SVC_event_delivery', 'IX_SVC_event_delivery_order');
    await runner.createIndex(
      'SVC_event_delivery',
      new TableIndex({ name: 'IX_SVC_event_delivery_subject', columnNames: ['owner', 'subject', 'state', 'event_id'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.createIndex(
      'SVC_event_delivery',
      new TableIndex({ name: 'IX_SVC_event_delivery_order', columnNames: ['listener_key', 'subject', 'state', 'event_id'] }),
    );
    await runner.dropIndex('SVC_event_delivery', 'IX_SVC_event_delivery_subject');
    await runner.dropColumns('SVC_event_delivery', ['owner', 'hook']);
    await runner.dropColumn('SVC_event_listener', 'off_since');
  }
}
