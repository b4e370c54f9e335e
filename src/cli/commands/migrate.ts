import { ormOptions } from '../../../ormconfig.js';

import { AppConfig } from '../../config/index.js';
import { createDatabase, withStartUpLock } from '../../database/index.js';

import type { Command } from './command.js';

/** `svc migrate` */
export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Migrates the database to this version. Each start of the panel does this too.',
  details: [
    'Make a backup first, and stop all processes of older versions: they do not know the new columns.',
    'Parallel runs wait for each other. A database that is up to date is not changed.',
  ],
  options: {},
  positionals: { min: 0, max: 0 },
  async run(terminal) {
    const database = createDatabase(ormOptions(new AppConfig(terminal.env)));
    await database.dataSource.initialize();
    try {
      const done = await withStartUpLock(database, () => database.dataSource.runMigrations());
      for (const { name } of done) terminal.print(`  ${name}`);
      terminal.print(done.length === 0 ? 'The database is up to date.' : `${done.length} migrations applied. You can start the panel.`);
      return 0;
    } finally {
      await database.dataSource.destroy();
    }
  },
};
