import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, string, text } from './schema.js';

/** Lines of the operation log say which fields were changed, from what to what. */
export class LogChanges1795614000100 implements MigrationInterface {
  name = 'LogChanges1795614000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_log', [
      columnOf(runner, string('subject', 100, { isNullable: true })),
      columnOf(runner, string('fields', 500, { isNullable: true })),
      columnOf(runner, text('changes', { isNullable: true })),
    ]);
    await runner.createIndex('SVC_log', new TableIndex({ name: 'IX_SVC_log_subject', columnNames: ['subject', 'id'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_log', 'IX_SVC_log_subject');
    await runner.dropColumns('SVC_log', ['subject', 'fields', 'changes']);
  }
}
