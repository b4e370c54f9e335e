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
  summary: 'Puts a backup back: database, files and secret.key.',
  details: [
    'Set DATA_DIR and DATABASE_URL as the installation is to have them: SQLite, or a database of MySQL or ' +
      'MariaDB, whichever it was before. The recovery key',
    '(AGE-SECRET-KEY-1…) is read from standard input, or from --key-file. Every process of the panel must be stopped.',
    'An installation that is there already is left alone, unless --overwrite is given: its files and SQLite ' +
      'database are set aside then, under names with',
    'before-restore in them; the tables of a database server are set aside until the backup is whole in their ' +
      'place, and dropped then. Nothing is touched before',
    'the whole backup was read and found right. One that fails puts back what there was; after one that was ' +
      'killed the same command does, and begins anew, or --undo alone.',
    'The panel starts afterwards and does nothing by itself until an administrator has seen what differs.',
  ],
  options: { 'key-file': { type: 'string' }, overwrite: { type: 'boolean' }, undo: { type: 'boolean' } },
  positionals: { min: 0, max: 1 },
  async run(terminal, [path = ''], options) {
    const config = new AppConfig(terminal.env);
    if (options.undo === true) return undo(terminal, config, path);
    if (path === '') throw new CommandError('Say which backup: svc restore <file>.');
    if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
    await requireIdle(config);
    const overwrite = options.overwrite === true;
    if (!overwrite && (await isUsed(config)))
      throw new CommandError(
        `There is an installation in ${config.dataDir} or its database already. Add --overwrite to put the backup in its place.`,
      );
    const recoveryKey = await keyFor(terminal, options);
    const release =
      config.sqlitePath && existsSync(config.sqlitePath) ? await serveAlone(config.sqlitePath, 'svc restore') : () => undefined;
    try {
      const { madeAt, rows, files, panel } = await restoreBackup({ config, path, recoveryKey, overwrite, now: new Date() });
      terminal.print(`Put back: the state of ${madeAt}, ${rows} rows and ${files} files, made by panel ${panel}.`);
      terminal.print(
        'Start the panel, sign in, and look at what differs: Activity → Backups leads there. Until then it does nothing by itself.',
      );
      return 0;
    } catch (error) {
      if (error instanceof ArchiveError) throw new CommandError(error.message);
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new CommandError(
          `The disk of ${config.dataDir} is full: a restore needs twice the room of what was backed up. Nothing was changed.`,
        );
      throw error;
    } finally {
      release();
    }
  },
};

async function undo(terminal: Terminal, config: AppConfig, path: string): Promise<number> {
  if (path !== '') throw new CommandError('--undo puts back what was there before: it takes no file.');
  await requireIdle(config);
  const isUndone = await undoRestore(config, new Date());
  terminal.print(
    isUndone
      ? 'What was there before the interrupted restore is in its place again.'
      : 'No restore was interrupted here: nothing was changed.',
  );
  return 0;
}

async function keyFor(terminal: Terminal, options: Options): Promise<string> {
  const file = options['key-file'];
  if (typeof file === 'string' && !existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  if (typeof file !== 'string') terminal.print('Recovery key (AGE-SECRET-KEY-1…), then Enter and Ctrl-D:');
  const text = typeof file === 'string' ? readFileSync(file, 'utf8') : await terminal.readInput();
  const key = recoveryKeyIn(text);
  if (!(await recipientOf(key))) throw new CommandError('That is no recovery key: it begins with AGE-SECRET-KEY-1 and is copied whole.');
  return key;
}
