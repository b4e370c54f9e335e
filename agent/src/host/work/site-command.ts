import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { dotted } from '../programs/program-table.js';
import { HostRefusal } from '../refusal.js';
import type { WorkContext } from './site-files.js';

/** A scheduled command of a site. */
export interface SiteCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly seconds: number;
  /** PHP version of the site; null for none. */
  readonly php: string | null;
}

const MAX_OUTPUT = 8_000;
/** How long remaining output may take after the exit, in milliseconds. */
const REST_MS = 500;

/**
 * Runs a command as the site's own user without a shell: the owner's text is a program and its arguments, and special characters have no
 * meaning.
 */
export async function runCommand(
  { argv, folder, seconds, php }: SiteCommand,
  home: string,
  context: WorkContext,
): Promise<Record<string, unknown>> {
  const [named = '', ...args] = argv;
  const open = ['public', 'tmp', 'sessions'].map((name) => `${home}/${name}/`).join(':');
  const isPhp = named === 'php' && php !== null;
  // The same limits as in the web server's PHP; the site's user may read the site's files anyway.
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
  });
  let output = '';
  const hear = (text: string): void => void (output = (output + text).slice(-MAX_OUTPUT));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const end = (): void => void child.kill('SIGKILL');
  const timer = startTimer(end, seconds * 1_000);
  context.stop.addEventListener('abort', end, { once: true });
  try {
    const exit = await exitOf(child);
    // A background process may hold the output open forever; it is killed together with this worker process.
    await Promise.race([closed(child), setTimeout(REST_MS)]);
    return { exit, output: shown(output) };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error)))
      throw new HostRefusal('MISSING_PROGRAM', 'The program or the folder does not exist.');
    throw error;
  } finally {
    clearTimeout(timer);
    context.stop.removeEventListener('abort', end);
  }
}

/** Returns the exit code, or the negative number of the signal that killed the program. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? -(signal === null ? constants.signals.SIGKILL : constants.signals[signal])));
  });
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

/** Makes output safe to display: well-formed, without control characters except line breaks and tabs. */
function shown(output: string): string {
  return output
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(-MAX_OUTPUT);
}
