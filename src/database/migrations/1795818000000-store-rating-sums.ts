import type { MigrationInterface, QueryRunner } from 'typeorm';

const SHOWN = "FROM SVC_store_rating WHERE item_id = SVC_store_item.id AND status = 'shown'";

/** Of each account only its newest visible rating counts for an item. */
export class StoreRatingSums1795818000000 implements MigrationInterface {
  name = 'StoreRatingSums1795818000000';

  async up(runner: QueryRunner): Promise<void> {
    const newest = "SELECT MAX(id) FROM SVC_store_rating WHERE status = 'shown' GROUP BY item_id, user_id";
    await count(runner, 'COUNT(DISTINCT user_id)', `AND id IN (${newest})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await count(runner, 'COUNT(*)', '');
  }
}

function count(runner: QueryRunner, accounts: string, counted: string): Promise<unknown> {
  return runner.query(
    `UPDATE SVC_store_item SET rating_count = (SELECT ${accounts} ${SHOWN}),
      rating_sum = (SELECT COALESCE(SUM(stars), 0) ${SHOWN} ${counted}) WHERE rating_count > 0`,
  );
}
