import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** Where a line of the operation log came in, and which plugin's deed it is, which had to be read out of its actor and its text. */
export class LogSources1795636000000 implements MigrationInterface {
  name = 'LogSources1795636000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_log', [
      columnOf(runner, string('source', 64, { isNullable: true })),
      columnOf(runner, string('plugin', 64, { isNullable: true })),
    ]);
    for (const [values, condition] of [
      ["source = SUBSTR(czuser, LENGTH('callback:') + 1)", "czuser LIKE 'callback:%'"],
      ["source = 'api.php'", "lx = 'api.php' AND (lr LIKE 'api!_key (%' ESCAPE '!' OR lr LIKE 'api!_call!_key (%' ESCAPE '!')"],
      ["plugin = SUBSTR(lr, 2, INSTR(lr, '] ') - 2)", "(lx = 'route' OR lx LIKE 'p!_%' ESCAPE '!') AND lr LIKE '[%] %' AND INSTR(lr, '] ') <= 65"],
      // Of operations whose text does not begin with their plugin.
      ["plugin = NULLIF(SUBSTR(lx, 3, INSTR(SUBSTR(lx, 3), '_') - 1), '')", "plugin IS NULL AND lx LIKE 'p!_%!_%' ESCAPE '!'"],
    ])
      await runner.query(`UPDATE SVC_log SET ${values} WHERE ${condition}`);
    await runner.createIndex('SVC_log', new TableIndex({ name: 'IX_SVC_log_source', columnNames: ['source', 'date'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('SVC_log', 'IX_SVC_log_source');
    await runner.dropColumns('SVC_log', ['source', 'plugin']);
  }
}
