import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { codeOf } from '../../errors.js';
import { dotted } from '../programs/program-table.js';
import { HostRefusal } from '../refusal.js';
import type { WorkTurn } from './site-files.js';

/** A command of a site. */
export interface SiteCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly seconds: number;
  /** Version of its PHP; null for none. */
  readonly php: string | null;
}

const MOST_OUTPUT = 8_000;

/** Runs a command as the site's own user, without a shell: what its owner wrote are a program and arguments, whatever signs are in them. */
export async function runCommand(
  { argv, folder, seconds, php }: SiteCommand,
  home: string,
  turn: WorkTurn,
): Promise<Record<string, unknown>> {
  const [named = '', ...args] = argv;
  const open = ['public', 'tmp', 'sessions'].map((name) => `${home}/${name}/`).join(':');
  const isPhp = named === 'php' && php !== null;
  // The same bounds as behind the web server; the files of the site are what its own user may read anyway.
  const bounds = ['-d', `open_basedir=${open}`, '-d', `sys_temp_dir=${home}/tmp`, '-d', `session.save_path=${home}/sessions`];
  const program = isPhp
    ? `/usr/bin/php${dotted(php)}`
    : named.includes('/')
      ? path.resolve(home, 'public', folder, named)
      : `/usr/bin/${named}`;
  const child = spawn(program, isPhp ? [...bounds, ...args] : args, {
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: path.join(home, 'public', folder),
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: `${home}/tmp`, TMPDIR: `${home}/tmp` },
    signal: AbortSignal.any([turn.stop, AbortSignal.timeout(seconds * 1_000)]),
    killSignal: 'SIGKILL',
  });
  let output = '';
  const hear = (text: string): void => void (output = (output + text).slice(-MOST_OUTPUT));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const failed = new Promise<never>((_resolve, reject) => child.on('error', (error) => codeOf(error) !== 'ABORT_ERR' && reject(error)));
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    const [code] = await Promise.race([ended, failed]);
    return { exit: code ?? -9, output: shown(output) };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error)))
      throw new HostRefusal('MISSING_PROGRAM', 'There is no such program, or no such folder.');
    throw error;
  }
}

/** Output as one can show it: well-formed, with line breaks and tabs but no other control signs. */
function shown(output: string): string {
  return output
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(-MOST_OUTPUT);
}
