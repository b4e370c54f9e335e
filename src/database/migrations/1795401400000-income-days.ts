import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

/** What was paid on a day is found without reading every payment there ever was. */
export class IncomeDays1795401400000 implements MigrationInterface {
  name = 'IncomeDays1795401400000';

  async up(runner: QueryRunner): Promise<void> {
    const index = new TableIndex({ name: 'IX_SVC_payment_transaction_created', columnNames: ['created_at', 'id'] });
    await runner.createIndex('SVC_payment_transaction', index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_payment_transaction', 'IX_SVC_payment_transaction_created');
  }
}
