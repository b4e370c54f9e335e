import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Orders are found by when they were paid: plugins compare what they sold with what was paid. */
export class PaidOrders1795400500200 implements MigrationInterface {
  name = 'PaidOrders1795400500200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createIndex('SVC_dd', new TableIndex({ name: 'IX_SVC_dd_paid', columnNames: ['paid_at', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_dd', 'IX_SVC_dd_paid');
  }
}
