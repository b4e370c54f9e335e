import { existsSync, readFileSync } from 'node:fs';

import { ArchiveError, isUsed, recipientOf, recoveryKeyIn, restoreBackup, undoRestore } from '../../backup/index.js';
import { AppConfig } from '../../config/index.js';
import { serveAlone } from '../../database/index.js';

import { type Command, CommandError, type Options, type Terminal } from './command.js';
import { requireIdle } from './idle-database.js';

/** `svc restore` */
export const restore: Command = {
  name: 'restore',
  usage: '<file> [--key-file <file>] [--overwrite] | --undo',
  summary: 'Restores a backup: database, files and secret.key.',
  details: [
    'Set DATA_DIR and DATABASE_URL for the restored installation: SQLite, MySQL or MariaDB, whichever the backup was made from.',
    'The recovery key (AGE-SECRET-KEY-1…) is read from standard input, or from --key-file. Stop all processes of the panel first.',
    'An existing installation is replaced only with --overwrite: its files and SQLite database are renamed, with before-restore in',
    'the new names; the tables of a database server are renamed, and dropped once the backup is fully restored. Nothing is changed',
    'until the whole backup has been read and verified. If a restore fails, it recovers the previous state. If it was killed, run the',
    'same command again, which recovers the previous state and starts over, or run it with --undo to only recover the previous state.',
    'Afterwards start the panel. It runs no scheduled work until an administrator has reviewed what differs.',
  ],
  options: { 'key-file': { type: 'string' }, overwrite: { type: 'boolean' }, undo: { type: 'boolean' } },
  positionals: { min: 0, max: 1 },
  async run(terminal, [path = ''], options) {
    const config = new AppConfig(terminal.env);
    if (options.undo === true) return undo(terminal, config, path);
    if (path === '') throw new CommandError('Name the backup to restore: svc restore <file>');
    if (!existsSync(path)) throw new CommandError(`The file ${path} does not exist.`);
    await requireIdle(config);
    const overwrite = options.overwrite === true;
    if (!overwrite && (await isUsed(config)))
      throw new CommandError(
        `There is an installation in ${config.dataDir} or its database already. Add --overwrite to replace it with the backup.`,
      );
    const recoveryKey = await keyFor(terminal, options);
    const release =
      config.sqlitePath && existsSync(config.sqlitePath) ? await serveAlone(config.sqlitePath, 'svc restore') : () => undefined;
    try {
      const { madeAt, rows, files, panel } = await restoreBackup({ config, path, recoveryKey, overwrite, now: new Date() });
      terminal.print(`Restored the backup of ${madeAt}: ${rows} rows and ${files} files, made by panel ${panel}.`);
      terminal.print(
        'Start the panel, sign in, and review what differs under Activity → Backups. Until you release it, the panel ' +
          'runs no scheduled work.',
      );
      return 0;
    } catch (error) {
      if (error instanceof ArchiveError) throw new CommandError(error.message);
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new CommandError(
          `The disk of ${config.dataDir} is full: a restore needs twice the size of the backed-up data. Nothing was ` +
            'changed. Free some space, then run this command again.',
        );
      throw error;
    } finally {
      release();
    }
  },
};

async function undo(terminal: Terminal, config: AppConfig, path: string): Promise<number> {
  if (path !== '') throw new CommandError('--undo recovers the state before an interrupted restore, and takes no file.');
  await requireIdle(config);
  const isUndone = await undoRestore(config, new Date());
  terminal.print(
    isUndone ? 'The state before the interrupted restore is recovered.' : 'There is no interrupted restore here. Nothing was changed.',
  );
  return 0;
}

async function keyFor(terminal: Terminal, options: Options): Promise<string> {
  const file = options['key-file'];
  if (typeof file === 'string' && !existsSync(file)) throw new CommandError(`The file ${file} does not exist.`);
  if (typeof file !== 'string') terminal.print('Recovery key (AGE-SECRET-KEY-1…), then Enter and Ctrl-D:');
  const text = typeof file === 'string' ? readFileSync(file, 'utf8') : await terminal.readInput();
  const key = recoveryKeyIn(text);
  if (!(await recipientOf(key)))
    throw new CommandError('This is not a recovery key. A recovery key starts with AGE-SECRET-KEY-1; copy all of it.');
  return key;
}
