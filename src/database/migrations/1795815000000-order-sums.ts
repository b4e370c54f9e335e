import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Orders are summed up by state from an index alone. */
export class OrderSums1795815000000 implements MigrationInterface {
  name = 'OrderSums1795815000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('SVC_dd', new TableIndex({ name: 'IX_SVC_dd_sums', columnNames: ['qk', 'rmb'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_dd', 'IX_SVC_dd_sums');
  }
}
