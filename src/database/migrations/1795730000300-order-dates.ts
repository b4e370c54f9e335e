import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Orders of some days are found by an index. */
export class OrderDates1795730000300 implements MigrationInterface {
  name = 'OrderDates1795730000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('SVC_dd', new TableIndex({ name: 'IX_SVC_dd_date', columnNames: ['date', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_dd', 'IX_SVC_dd_date');
  }
}
