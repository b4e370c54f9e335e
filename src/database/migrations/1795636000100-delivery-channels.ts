import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer } from './schema.js';

/** Which channel a notice goes out through, which had to be read out of its route. */
export class DeliveryChannels1795636000100 implements MigrationInterface {
  name = 'DeliveryChannels1795636000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_notice_delivery', columnOf(runner, integer('channel_id', { isNullable: true })));
    await runner.query(
      "UPDATE SVC_notice_delivery SET channel_id = SUBSTR(route, LENGTH('channel:') + 1) + 0 WHERE route LIKE 'channel:%'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_notice_delivery', 'channel_id');
  }
}
