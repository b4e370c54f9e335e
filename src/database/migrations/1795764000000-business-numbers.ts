import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const INDEXES = [
  ['SVC_zj', 'IX_SVC_zj_data', 'data'],
  ['SVC_refund', 'IX_SVC_refund_done', 'done_at'],
] as const;

/** Hosts that were opened, and refunds that were made, in some days are found by an index. */
export class BusinessNumbers1795764000000 implements MigrationInterface {
  name = 'BusinessNumbers1795764000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, name, column] of INDEXES) await runner.createIndex(table, new TableIndex({ name, columnNames: [column, 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, name] of INDEXES) await runner.dropIndex(table, name);
  }
}
