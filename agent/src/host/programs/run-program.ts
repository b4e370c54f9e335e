import { spawn, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { HostRefusal } from '../refusal.js';
import { oneLine, clip } from '../../text.js';
import { dotted, type ProgramName, PROGRAMS } from './program-table.js';

/** What is kept of what a program says, in characters. */
const MOST_OUTPUT = 64 * 1024;
/** How long the rest of it is waited for once the program has ended. */
const REST_OF_OUTPUT_MS = 1_000;
/** How long a daemon may take to be up. */
const START_MS = 15_000;
const LOOK_EVERY_MS = 20;
/** What programs see of an environment. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' };

/** How a program is run. */
export interface ProgramRun {
  /** Sent to it; it gets nothing otherwise. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly stop?: AbortSignal;
  /** Characters that are kept of what it says, the last ones; 64 K otherwise. */
  readonly most?: number;
  /** Of PHP, such as `82`. */
  readonly version?: string;
}

/** How it ended. */
export interface ProgramEnd {
  /** Exit code; 128 and more after a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a program. */
export function pathOf(name: ProgramName, version = ''): string {
  return name === 'php-fpm' ? `${PROGRAMS[name]}${dotted(version)}` : PROGRAMS[name];
}

/** Whether a program is installed. */
export function isInstalled(name: ProgramName, version?: string): boolean {
  return existsSync(pathOf(name, version));
}

/**
 * Starts a program that goes on by itself, also when the agent has ended.
 *
 * @param isUp whether it runs by now
 * @throws HostRefusal `MISSING_PROGRAM`; `PROGRAM` or `DISK_FULL` where it ends, or is not up within 15 seconds
 */
export async function startDaemon(
  name: ProgramName,
  args: readonly string[],
  version: string,
  isUp: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(pathOf(name, version), args, { stdio: 'ignore', env: ENVIRONMENT, cwd: '/', detached: true });
  child.unref();
  await once(child, 'spawn').catch((error: unknown) => {
    throw startFailure(error, name, version);
  });
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(LOOK_EVERY_MS)) {
    if (await isUp()) return;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new HostRefusal(hasNoRoom() ? 'DISK_FULL' : 'PROGRAM', `${name} ${version} does not start.`);
}

/** Starts a program of the table and waits for its end. @throws HostRefusal `MISSING_PROGRAM` */
export async function runProgram(name: ProgramName, args: readonly string[], run: ProgramRun = {}): Promise<ProgramEnd> {
  const { input, timeoutMs = 20_000, stop, version, most } = run;
  const child = spawn(pathOf(name, version), args, {
    shell: false,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: ENVIRONMENT,
    cwd: '/',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(stop ? { signal: stop } : {}),
  });
  if (input !== undefined) child.stdin!.on('error', () => undefined).end(input);
  return endOf(child, most).catch((error: unknown) => {
    throw startFailure(error, name, version);
  });
}

const startFailure = (error: unknown, name: ProgramName, version?: string): unknown =>
  codeOf(error) === 'ENOENT' ? new HostRefusal('MISSING_PROGRAM', `${pathOf(name, version)} is not installed.`) : error;

/**
 * Waits for the end of a program and keeps what it says.
 *
 * @throws Error of the system where it could not be started
 */
export function endOf(child: Pick<ChildProcess, 'stdout' | 'stderr'> & EventEmitter, most = MOST_OUTPUT): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-most)));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-most)));
    child.on('error', reject);
    child.on('exit', (code) => {
      const end = (): void => resolve({ code: code ?? 137, stdout, stderr });
      // What it said last may still have to be read. A daemon keeps what it was given open for ever: that is not waited for.
      const enough = setTimeout(end, REST_OF_OUTPUT_MS);
      child.on('close', () => {
        clearTimeout(enough);
        end();
      });
    });
  });
}

/**
 * The same, of a program that must succeed.
 *
 * @returns what it said
 * @throws HostRefusal `PROGRAM` with the last of what it complained of, or `DISK_FULL`
 */
export async function mustRun(name: ProgramName, args: readonly string[], run: ProgramRun = {}): Promise<string> {
  const end = await runProgram(name, args, run);
  if (end.code === 0) return end.stdout;
  if (hasNoRoom()) throw new HostRefusal('DISK_FULL', `The disk is full, and ${name} ended with ${end.code}: ${lastWords(end)}`);
  throw failureOfProgram(end, 'PROGRAM', `${name} ended with ${end.code}`);
}

/** Bytes without which no file of the system can be written anew. */
const LEAST_ROOM = 64 * 1024;

/** Whether there is no room where programs of the system keep what they know: those that ask others to write do not say why they failed. */
function hasNoRoom(): boolean {
  const { bfree, bsize, files, ffree } = statfsSync('/etc');
  return bfree * bsize < LEAST_ROOM || (files > 0 && ffree === 0);
}

/** What the system calls a disk that is full, and a quota that is used up; see {@link ENVIRONMENT} for the language. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** What the failure of a program means: that the disk is full where it says so, otherwise what is given. */
export function failureOfProgram(end: ProgramEnd, code: 'PROGRAM' | 'CONFIG', what: string): HostRefusal {
  return new HostRefusal(DISK_FULL.test(end.stderr) ? 'DISK_FULL' : code, `${what}: ${lastWords(end)}`);
}

/** What a program complained of, in one line. */
function lastWords({ stderr, stdout }: ProgramEnd): string {
  const text = oneLine(stderr.trim() || stdout.trim());
  return clip(text.length > 300 ? text.slice(-300) : text, 300);
}
