import * as fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';

import { ConfigError } from '../config/config.js';
import { PanelError } from '../panel/panel-error.js';
import { install, uninstall } from './install.js';
import { InstallProblem } from './install-problem.js';

/** Command-line options for installation. */
export const INSTALL_OPTIONS = {
  install: { type: 'boolean' },
  undo: { type: 'boolean' },
  yes: { type: 'boolean' },
  'scan-only': { type: 'boolean' },
  panel: { type: 'string' },
  token: { type: 'string' },
  'adminer-name': { type: 'string' },
} as const;

type Values = {
  readonly [Key in keyof typeof INSTALL_OPTIONS]?: (typeof INSTALL_OPTIONS)[Key]['type'] extends 'string' ? string : boolean;
};

/** Installs or uninstalls as requested on the command line. @returns exit code */
export async function installFrom(values: Values, write: (text: string) => void): Promise<number> {
  const ask = values.yes ? (): Promise<boolean> => Promise.resolve(true) : askOnTerminal;
  try {
    if (values.undo) return await uninstall({ write, ask });
    return await install({
      panel: values.panel ?? null,
      token: values.token ?? null,
      scanOnly: values['scan-only'] ?? false,
      adminerName: values['adminer-name'] ?? null,
      program: path.resolve(process.argv[1] ?? '.'),
      write,
      ask,
    });
  } catch (error) {
    if (!(error instanceof InstallProblem || error instanceof ConfigError || error instanceof PanelError)) throw error;
    write(`${error.message}\n`);
    return 1;
  }
}

/** Asks on the terminal, because standard input may be the script from the panel. @throws InstallProblem without a terminal */
async function askOnTerminal(): Promise<boolean> {
  let terminal: number;
  try {
    terminal = fs.openSync('/dev/tty', 'r+');
  } catch {
    throw new InstallProblem('There is no terminal for the confirmation. Read the list above, then run this again with --yes.');
  }
  const [input, output] = [
    fs.createReadStream('', { fd: terminal, autoClose: false }),
    fs.createWriteStream('', { fd: terminal, autoClose: false }),
  ];
  const lines = createInterface({ input, output });
  const answer = await lines.question('Go on? [y/N] ');
  lines.close();
  input.destroy();
  return /^y(es)?$/i.test(answer.trim());
}
