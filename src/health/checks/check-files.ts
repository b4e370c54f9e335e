import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { type AppConfig, SECRET_KEY_FILE, Secrets } from '../../config/index.js';
import { isSecretOf } from '../../site/index.js';

import { broken, fine, type HealthFinding, warning } from './finding.js';

const MB = 1_048_576;
/** Free space in MB below which the panel may fail, and below which a warning is shown. */
const SCARCE = { broken: 64, warn: 1_024 };

/** Checks the data folder: existence, write access, permissions and free space. */
export function checkDataFolder({ dataDir }: AppConfig): HealthFinding[] {
  if (!existsSync(dataDir)) return [warning('data folder', 'not_there', { path: dataDir }, 'not_there_advice')];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [broken('data folder', 'unwritable', { path: dataDir }, 'unwritable_advice')];
  }
  const open = (statSync(dataDir).mode & 0o002) !== 0;
  return [
    open
      ? warning('data folder', 'open_folder', { path: dataDir }, 'open_folder_advice', { path: dataDir })
      : fine('data folder', 'folder', { path: dataDir }),
    space(dataDir),
  ];
}

function space(dataDir: string): HealthFinding {
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / MB);
  const room = { free: free.toLocaleString('en'), all: Math.floor((blocks * bsize) / MB).toLocaleString('en') };
  if (free < SCARCE.broken) return broken('disk', 'disk', room, 'disk_advice');
  return free < SCARCE.warn ? warning('disk', 'disk', room, 'disk_advice') : fine('disk', 'disk', room);
}

/**
 * Checks the installation's secret key: existence, format, permissions, and whether it matches the database.
 *
 * @param sealed verification text from the database; null if there is none yet
 */
export function checkSecretKeyFile({ dataDir }: AppConfig, sealed: string | null): HealthFinding {
  const path = join(dataDir, SECRET_KEY_FILE);
  if (!existsSync(path)) {
    return sealed === null ? fine('secret.key', 'no_key_yet') : broken('secret.key', 'key_missing', { path }, 'key_advice');
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch {
    return broken('secret.key', 'key_unreadable', { path }, 'key_unreadable_advice');
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) return broken('secret.key', 'key_malformed', { path }, 'key_advice');
  if (sealed !== null && !isSecretOf(new Secrets(Buffer.from(text, 'hex')), sealed))
    return broken('secret.key', 'key_other', { path }, 'key_advice');
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) return warning('secret.key', 'key_open', { path, mode: mode.toString(8) }, 'key_open_advice', { path });
  return fine('secret.key', sealed === null ? 'key' : 'key_fits');
}
