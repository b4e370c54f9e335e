import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { type AppConfig, SECRET_KEY_FILE, Secrets } from '../../config/index.js';
import { isSecretOf } from '../../site/index.js';

import { broken, fine, type Finding, warning } from './finding.js';

const MB = 1_048_576;
/** Free space below which nothing can be relied on, and below which it is time to look, in MB. */
const SCARCE = { broken: 64, warn: 1_024 };

/** The data folder: there, writable, closed to others, with room. */
export function checkDataFolder({ dataDir }: AppConfig): Finding[] {
  if (!existsSync(dataDir))
    return [
      warning(
        'data folder',
        `${dataDir} is not there yet`,
        'The first start of the panel makes it. If this is an installation, set DATA_DIR as its service does.',
      ),
    ];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      broken(
        'data folder',
        `${dataDir} cannot be written by this account`,
        'Run svc as the account of the panel; if this is it, give it the folder: chown -R.',
      ),
    ];
  }
  const open = (statSync(dataDir).mode & 0o002) !== 0;
  return [
    open
      ? warning('data folder', `${dataDir} can be written by everybody on this machine`, `chmod o-w ${dataDir}`)
      : fine('data folder', dataDir),
    space(dataDir),
  ];
}

function space(dataDir: string): Finding {
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / MB);
  const text = `${free.toLocaleString('en')} MB free of ${Math.floor((blocks * bsize) / MB).toLocaleString('en')} MB`;
  const advice = 'Make room, or move DATA_DIR to a larger disk: a full one refuses every write.';
  if (free < SCARCE.broken) return broken('disk', text, advice);
  return free < SCARCE.warn ? warning('disk', text, advice) : fine('disk', text);
}

/**
 * The key of the installation: there, a key, closed to others, and the one the database was encrypted with.
 *
 * @param sealed what the database keeps to tell; null where it keeps nothing yet
 */
export function checkSecretKeyFile({ dataDir }: AppConfig, sealed: string | null): Finding {
  const path = join(dataDir, SECRET_KEY_FILE);
  const lost = 'Put back the file of your backup. If it is lost for good: svc secret-key renew';
  if (!existsSync(path)) {
    return sealed === null
      ? fine('secret.key', 'not made yet: the first start does')
      : broken('secret.key', `${path} is missing, and the database was encrypted with it`, lost);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch {
    return broken('secret.key', `${path} cannot be read by this account`, 'Run svc as the account of the panel, whose file it has to be.');
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) return broken('secret.key', `${path} is not a key of 64 hexadecimal digits`, lost);
  if (sealed !== null && !isSecretOf(new Secrets(Buffer.from(text, 'hex')), sealed))
    return broken('secret.key', `${path} is not the key this database was encrypted with`, lost);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) return warning('secret.key', `others may read ${path} (mode ${mode.toString(8)})`, `chmod 600 ${path}`);
  return fine('secret.key', sealed === null ? 'a key' : 'the key of this database, closed to others');
}
