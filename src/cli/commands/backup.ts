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
    'Works while the panel runs: the backup is a consistent snapshot of the database, with everything committed before it started.',
    'It is stored where the panel stores its backups (BACKUP_DIR, BACKUP_S3_…) and counts towards the number of backups to keep.',
    'Create the recovery key first, once, in the panel: Activity → Backups.',
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
          terminal.print(
            `Not included, because backups of a database server contain only tables: ${leftOut.join(', ')}. Keep the SQL ` +
              'that created these.',
          );
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
