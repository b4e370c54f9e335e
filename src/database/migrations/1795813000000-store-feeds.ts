import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEX = 'IX_SVC_store_version_decided';

/** What was published last is found by an index. */
export class StoreFeeds1795813000000 implements MigrationInterface {
  name = 'StoreFeeds1795813000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('SVC_store_version', new TableIndex({ name: INDEX, columnNames: ['status', 'decided_at', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_store_version', INDEX);
  }
}
