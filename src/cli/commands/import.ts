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
  summary: 'Imports servers, hosting accounts, orders and settings from another panel of this family.',
  details: [
    'Reads the INSERT statements of a MySQL dump (mysqldump, phpMyAdmin, HeidiSQL, Navicat; also .gz) without running any SQL of it.',
    'First it lists what would be imported, and what would be skipped and why, then it asks for confirmation. --dry-run only lists,',
    '--yes does not ask. Import into a new installation: start the panel once, stop it, then import. The import is one transaction:',
    'if it is interrupted, nothing was imported, and you can run it again. Accounts keep their ids and passwords, shops their keys.',
    'Afterwards start the panel. It runs no scheduled work until an administrator releases it.',
  ],
  options: { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  async run(terminal, [path = ''], options) {
    const config = new AppConfig(terminal.env);
    if (!existsSync(path) || !statSync(path).isFile()) throw new CommandError(`The file ${path} does not exist.`);
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
          if (!options.yes && !(await terminal.confirm('Import it?')))
            throw new CommandError('Nothing was changed. Add --yes to continue without confirmation.');
          await importDump({ ...given, apply: true });
        } catch (error) {
          if (error instanceof DumpError) throw new CommandError(error.message);
          throw error;
        }
        await recordAction(database, { key: 'account.terminal.imported' });
        terminal.print(
          'Imported. Start the panel, sign in, and follow the banner to review the import. Until you release it, the panel ' +
            'runs no scheduled work.',
        );
        return 0;
      }),
    );
  },
};
