import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, flag, string, text } from './schema.js';

/** Lines of the operation log keep what their text is made of (those that are there stay as they were written); settings of older programs. */
export class LogTexts1795400900100 implements MigrationInterface {
  name = 'LogTexts1795400900100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_log', columnOf(runner, text('text_parts', { isNullable: true })));
    await runner.addColumns('SVC_config', [
      columnOf(runner, text('hxp', { isNullable: true })),
      columnOf(runner, string('hxw', 250, { default: "'svcftp'" })),
      columnOf(runner, flag('zjyxbd', { default: '0' })),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_config', ['hxp', 'hxw', 'zjyxbd']);
    await runner.dropColumn('SVC_log', 'text_parts');
  }
}
