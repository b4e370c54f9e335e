import { BackupError, BackupMaker, BackupRecords, notInBackups } from '../../backup/index.js';
import { Clock, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { type Command, CommandError } from './command.js';
import { withDatabase } from './open-database.js';

/** `svc backup` */
export const backup: Command = {
  name: 'backup',
  usage: '',
  summary: 'Makes an encrypted backup of the whole installation now.',
  details: [
    'Works while the panel runs, and is as good: it holds one state of the database, everything that was ' +
      'committed before it began. It goes where the',
    'backups of the panel go (BACKUP_DIR, BACKUP_S3_…) and counts among those that are kept. The recovery key is ' +
      'made once in the panel: Activity → Backups.',
  ],
  options: {},
  positionals: { min: 0, max: 0 },
  async run(terminal) {
    const config = new AppConfig(terminal.env);
    return withDatabase(config, async (database) => {
      const clock = new Clock();
      const abort = new AbortController();
      const stop = (): void => abort.abort(new Error('interrupted'));
      process.once('SIGINT', stop);
      try {
        const made = await new BackupMaker(config, clock, new BackupRecords(database, clock)).make('terminal', abort.signal);
        terminal.print(`${made.name}: ${made.rows} rows, ${made.files} files, ${(made.size / 1_048_576).toFixed(1)} MB`);
        const leftOut = await notInBackups(database.engine, (sql) => database.query(sql));
        if (leftOut.length > 0)
          terminal.print(`Not in it, because backups of a server hold tables alone: ${leftOut.join(', ')}. Keep what made them.`);
        return 0;
      } catch (error) {
        if (error instanceof BackupError) throw new CommandError(translate('en', error.told.key, error.told.params));
        throw error;
      } finally {
        process.removeListener('SIGINT', stop);
      }
    });
  },
};
