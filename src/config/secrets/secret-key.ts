import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { makeFolders } from '../../common/index.js';

import { ConfigurationError } from '../environment.js';

/** File name in `DATA_DIR`. */
export const SECRET_KEY_FILE = 'secret.key';

const KEY_BYTES = 32;

/**
 * Loads the key of this installation: 32 random bytes in hex in `DATA_DIR/secret.key`, readable only by the panel's account. Creates it if
 * it is missing. Processes that share a database need the same file; it is part of every backup.
 *
 * @throws ConfigurationError if the file contains no key, or cannot be read or written
 */
export function loadSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, SECRET_KEY_FILE);
  try {
    return parse(read(path) ?? create(dataDir, path), path);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError([`${path} cannot be read or written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`]);
  }
}

function read(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    chmodSync(path, 0o600);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a temporary file and links it: if two processes start at the same time only one creates the key, and a crash leaves no partial
 * file.
 */
function create(dataDir: string, path: string): string {
  makeFolders(dataDir);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function parse(text: string, path: string): Buffer {
  const hex = text.trim();
  if (!/^[0-9a-f]{64}$/i.test(hex))
    throw new ConfigurationError([`${path} is not a key of 64 hexadecimal digits; restore the file from your backup`]);
  return Buffer.from(hex, 'hex');
}
