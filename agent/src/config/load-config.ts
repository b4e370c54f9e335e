import { constants as fsConstants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf, messageOf } from '../errors.js';
import { type Config, ConfigError } from './config.js';
import { parseConfig } from './parse-config.js';

/**
 * Reads a config file.
 *
 * @throws ConfigError
 */
export async function loadConfig(file: string): Promise<{ config: Config; warnings: string[] }> {
  let text;
  let mode;
  try {
    text = await fs.readFile(file, 'utf8');
    mode = (await fs.stat(file)).mode;
  } catch (error) {
    const code = codeOf(error);
    const advice =
      code === 'ENOENT'
        ? 'The file does not exist. Set its path with --config.'
        : code === 'EACCES'
          ? 'The user that runs the agent may not read it.'
          : messageOf(error);
    throw new ConfigError([`Cannot read the config ${file}: ${advice}`]);
  }
  const result = parseConfig(text, path.dirname(path.resolve(file)));
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    result.warnings.push(`Other users can read the secrets in ${file}. Run: chmod 600 ${file}`);
  if (result.config.caFile !== null) {
    await fs.access(result.config.caFile, fsConstants.R_OK).catch(() => {
      throw new ConfigError([`"ca_file": cannot read ${result.config.caFile}.`]);
    });
  }
  return result;
}
