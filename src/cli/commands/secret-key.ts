import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { AppConfig, loadSecretKey, SECRET_KEY_FILE, Secrets } from '../../config/index.js';
import { isSecretOf, renewSecretCheck, SiteConfig } from '../../site/index.js';

import { type Command, CommandError } from './command.js';
import { requireIdle, withoutPanels } from './idle-database.js';
import { recordAction } from './record-action.js';
import { withDatabase } from './open-database.js';
import { clearSealed, sealedColumns } from './sealed-values.js';

/** `svc secret-key renew` */
export const renewSecretKey: Command = {
  name: 'secret-key renew',
  usage: '[--yes]',
  summary: 'Replaces a lost DATA_DIR/secret.key, so that the panel starts again.',
  details: [
    'Values encrypted with the lost key, such as the password of the mail server, can no longer be decrypted: they are cleared, and you',
    'have to enter them again in the panel. Nothing is changed if the key is valid. If you have a backup, restore its secret.key instead.',
    'Stop the panel first. --yes continues without confirmation.',
  ],
  options: { yes: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(terminal, _words, options) {
    const config = new AppConfig(terminal.env);
    await requireIdle(config);
    return withDatabase(config, (database) =>
      withoutPanels(database, 'svc secret-key renew', async () => {
        const row = await database.repository(SiteConfig).findOneBy({ id: 1 });
        const path = join(config.dataDir, SECRET_KEY_FILE);
        const isKey = existsSync(path) && /^[0-9a-f]{64}$/i.test(readFileSync(path, 'utf8').trim());
        if (!row?.secretCheck || (isKey && isSecretOf(new Secrets(loadSecretKey(config.dataDir)), row.secretCheck))) {
          terminal.print('The key is valid. Nothing was changed.');
          return 0;
        }
        const columns = await sealedColumns(database);
        terminal.print(
          columns.length === 0 ? 'Nothing is encrypted with the lost key.' : 'Encrypted with the lost key, and to be cleared:',
        );
        for (const { table, column, rows } of columns) terminal.print(`  ${table}.${column}: ${rows}`);
        if (!options.yes && !(await terminal.confirm('Continue?')))
          throw new CommandError('Nothing was changed. Add --yes to continue without confirmation.');
        // Renamed, not overwritten: it may be the key of another installation.
        if (existsSync(path) && !isKey) renameSync(path, `${path}.no-key-${Date.now()}`);
        const secrets = new Secrets(loadSecretKey(config.dataDir));
        await database.transaction(async () => {
          await clearSealed(database);
          await renewSecretCheck(database, secrets);
        });
        await recordAction(database, { key: 'account.terminal.secret_key' });
        terminal.print(`The panel can start again, with the new ${path}. Enter the cleared values again, then make a backup.`);
        return 0;
      }),
    );
  },
};
