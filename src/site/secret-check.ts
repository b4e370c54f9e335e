import { join } from 'node:path';

import { type AppConfig, ConfigurationError, SECRET_KEY_FILE, type Secrets } from '../config/index.js';
import { type Database } from '../database/index.js';
import { SiteConfig } from './entities/index.js';

const PLACE = 'config.secret_check';
const TEXT = 'the key of this installation';

/**
 * Checks that this process has the key that the secrets in the database were encrypted with: a backup without its key, or a second server
 * with a different one, would otherwise write secrets that the others cannot read. The first start stores the reference value.
 * Runs under the startup lock.
 *
 * @throws ConfigurationError if the key differs
 */
export async function checkSecretKey(database: Database, secrets: Secrets, config: AppConfig): Promise<void> {
  const rows = database.repository(SiteConfig);
  const { secretCheck } = await rows.findOneByOrFail({ id: 1 });
  if (secretCheck === null) await rows.update({ id: 1 }, { secretCheck: secrets.seal(TEXT, PLACE) });
  else if (!isSecretOf(secrets, secretCheck))
    throw new ConfigurationError([
      `${join(config.dataDir, SECRET_KEY_FILE)} is not the key this database was encrypted with. ` +
        'Restore the file from your backup, or copy it from the server that used this database before. If it is lost for ' +
        'good, run: svc secret-key renew',
    ]);
}

/** Returns whether a database was encrypted with these secrets. @param sealed value stored by {@link checkSecretKey} */
export function isSecretOf(secrets: Secrets, sealed: string): boolean {
  return secrets.open(sealed, PLACE) === TEXT;
}

/** Makes these the secrets of the database; anything encrypted with the old ones must have been cleared. */
export async function renewSecretCheck(database: Database, secrets: Secrets): Promise<void> {
  await database.repository(SiteConfig).update({ id: 1 }, { secretCheck: secrets.seal(TEXT, PLACE) });
}
