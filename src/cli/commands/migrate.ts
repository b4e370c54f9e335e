import { ormOptions } from '../../../ormconfig.js';

import { AppConfig } from '../../config/index.js';
import { createDatabase, withStartUpLock } from '../../database/index.js';

import type { Command } from './command.js';

/** `svc migrate` */
export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Brings the database to this version, as each start of the panel does.',
  details: [
    'Make a backup first. Other processes of an older version must have ended: they do not know the new columns.',
    'Two that run at once wait for each other; a database that is up to date stays as it is.',
  ],
  options: {},
  positionals: { min: 0, max: 0 },
  async run(terminal) {
    const database = createDatabase(ormOptions(new AppConfig(terminal.env)));
    await database.dataSource.initialize();
    try {
      const done = await withStartUpLock(database, () => database.dataSource.runMigrations());
      for (const { name } of done) terminal.print(`  ${name}`);
      terminal.print(done.length === 0 ? 'The database is up to date.' : `${done.length} migrations done. The panel can be started.`);
      return 0;
    } finally {
      await database.dataSource.destroy();
    }
  },
};
