import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';

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
/** Milliseconds the rest of its output may take once it has ended. */
const REST_MS = 500;

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
  });
  let output = '';
  const hear = (text: string): void => void (output = (output + text).slice(-MOST_OUTPUT));
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const end = (): void => void child.kill('SIGKILL');
  const timer = startTimer(end, seconds * 1_000);
  turn.stop.addEventListener('abort', end, { once: true });
  try {
    const exit = await exitOf(child);
    // What it left in the background may hold its output for ever: that goes with the process that does this work.
    await Promise.race([closed(child), setTimeout(REST_MS)]);
    return { exit, output: shown(output) };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error)))
      throw new HostRefusal('MISSING_PROGRAM', 'There is no such program, or no such folder.');
    throw error;
  } finally {
    clearTimeout(timer);
    turn.stop.removeEventListener('abort', end);
  }
}

/** What a program ends with; below 0 the number of the signal that ended it. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? -(signal === null ? constants.signals.SIGKILL : constants.signals[signal])));
  });
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

/** Output as one can show it: well-formed, with line breaks and tabs but no other control signs. */
function shown(output: string): string {
  return output
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(-MOST_OUTPUT);
}
