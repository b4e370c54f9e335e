import { existsSync, statSync } from 'node:fs';

import { AppConfig, loadSecretKey, Secrets } from '../../config/index.js';

import { DumpError } from '../import/dump-error.js';
import { importDump } from '../import/import-dump.js';

import { type Command, CommandError } from './command.js';
import { requireIdle, withoutPanels } from './idle-database.js';
import { recordAction } from './record-action.js';
import { withDatabase } from './open-database.js';

/** `svc import` */
export const importCommand: Command = {
  name: 'import',
  usage: '<dump.sql> [--dry-run] [--yes]',
  summary: 'Takes over servers, hosting accounts, orders and settings from another panel of this family.',
  details: [
    'Reads the INSERTs of a MySQL dump (mysqldump, phpMyAdmin, HeidiSQL, Navicat; .gz too) and runs nothing of ' +
      'it. It shows first what would be taken and what',
    'would be left and why, then asks; --dry-run only shows, --yes does not ask. It goes into a new installation: ' +
      'start the panel once, stop it, then import.',
    'All of it is one transaction: an interrupted import leaves nothing, and is simply started again. Accounts ' +
      'keep their numbers and passwords, shops their keys.',
    'The panel starts afterwards and does nothing by itself until an administrator has let it go.',
  ],
  options: { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  async run(terminal, [path = ''], options) {
    const config = new AppConfig(terminal.env);
    if (!existsSync(path) || !statSync(path).isFile()) throw new CommandError(`There is no file ${path}.`);
    await requireIdle(config);
    return withDatabase(config, (database) =>
      withoutPanels(database, 'svc import', async () => {
        const given = { database, config, secrets: new Secrets(loadSecretKey(config.dataDir)), path, madeAt: statSync(path).mtime };
        try {
          const preview = await importDump({ ...given, apply: false });
          for (const line of preview.lines()) terminal.print(line);
          if (options['dry-run'] || preview.isEmpty) {
            terminal.print('Nothing was changed.');
            return 0;
          }
          if (!options.yes && !(await terminal.confirm('Take it over?')))
            throw new CommandError('Nothing was changed. Add --yes to go on without being asked.');
          await importDump({ ...given, apply: true });
        } catch (error) {
          if (error instanceof DumpError) throw new CommandError(error.message);
          throw error;
        }
        await recordAction(database, { key: 'account.terminal.imported' });
        terminal.print(
          'Taken over. Start the panel, sign in, and look at what follows: the banner leads there. Until then it does nothing by itself.',
        );
        return 0;
      }),
    );
  },
};
