import { spawn, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { HostRefusal } from '../refusal.js';
import { oneLine, clip } from '../../text.js';
import { dotted, type ProgramName, PROGRAMS } from './program-table.js';

/** Maximum length of captured output, in characters. */
const MAX_OUTPUT = 64 * 1024;
/** How long to wait for remaining output after the program has exited, in milliseconds. */
const REST_OF_OUTPUT_MS = 1_000;
/** How long a daemon may take to start, in milliseconds. */
const START_MS = 15_000;
const POLL_EVERY_MS = 20;
/** Environment of started programs. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' };

/** Options of a program run. */
export interface ProgramRun {
  /** Standard input; empty if not given. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly stop?: AbortSignal;
  /** Maximum captured output in characters, keeping the end; default 64 K. */
  readonly maxOutput?: number;
  /** PHP version, such as `82`. */
  readonly version?: string;
}

/** Result of a program run. */
export interface ProgramEnd {
  /** Exit code; 128 and more after a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the path of a program. */
export function pathOf(name: ProgramName, version = ''): string {
  return name === 'php-fpm' ? `${PROGRAMS[name]}${dotted(version)}` : PROGRAMS[name];
}

/** Whether a program is installed. */
export function isInstalled(name: ProgramName, version?: string): boolean {
  return existsSync(pathOf(name, version));
}

/**
 * Starts a daemon that keeps running after the agent exits.
 *
 * @param isUp whether it is running by now
 * @throws HostRefusal `MISSING_PROGRAM`; `PROGRAM` or `DISK_FULL` if it exits or is not up within 15 seconds
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
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(POLL_EVERY_MS)) {
    if (await isUp()) return;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new HostRefusal(isSystemDiskFull() ? 'DISK_FULL' : 'PROGRAM', `${name} ${version} did not start.`);
}

/** Runs a program and waits for it to exit. @throws HostRefusal `MISSING_PROGRAM` */
export async function runProgram(name: ProgramName, args: readonly string[], run: ProgramRun = {}): Promise<ProgramEnd> {
  const { input, timeoutMs = 20_000, stop, version, maxOutput } = run;
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
  return endOf(child, maxOutput).catch((error: unknown) => {
    throw startFailure(error, name, version);
  });
}

const startFailure = (error: unknown, name: ProgramName, version?: string): unknown =>
  codeOf(error) === 'ENOENT' ? new HostRefusal('MISSING_PROGRAM', `${pathOf(name, version)} is not installed.`) : error;

/**
 * Waits for a program to exit and captures its output.
 *
 * @throws Error of the system if it could not be started
 */
export function endOf(child: Pick<ChildProcess, 'stdout' | 'stderr'> & EventEmitter, maxOutput = MAX_OUTPUT): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-maxOutput)));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-maxOutput)));
    child.on('error', reject);
    child.on('exit', (code) => {
      const end = (): void => resolve({ code: code ?? 137, stdout, stderr });
      // The last output may not have been read yet. A daemon child can hold the pipe open forever, so the wait is limited.
      const enough = setTimeout(end, REST_OF_OUTPUT_MS);
      child.on('close', () => {
        clearTimeout(enough);
        end();
      });
    });
  });
}

/**
 * Runs a program that must succeed.
 *
 * @returns its standard output
 * @throws HostRefusal `PROGRAM` with the end of its error output, or `DISK_FULL`
 */
export async function mustRun(name: ProgramName, args: readonly string[], run: ProgramRun = {}): Promise<string> {
  const end = await runProgram(name, args, run);
  if (end.code === 0) return end.stdout;
  if (isSystemDiskFull()) throw new HostRefusal('DISK_FULL', `The disk is full; ${name} exited with ${end.code}: ${errorTail(end)}`);
  throw failureOfProgram(end, 'PROGRAM', `${name} exited with ${end.code}`);
}

/** Free bytes below which no system file can be rewritten. */
const MIN_FREE_BYTES = 64 * 1024;

/** Whether the disk of `/etc` is full: programs that delegate the writing do not report why they failed. */
function isSystemDiskFull(): boolean {
  const { bfree, bsize, files, ffree } = statfsSync('/etc');
  return bfree * bsize < MIN_FREE_BYTES || (files > 0 && ffree === 0);
}

/** System messages for a full disk or an exceeded quota, in the language set by {@link ENVIRONMENT}. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** Converts a failed run to an error: `DISK_FULL` if the program reports that, otherwise the given code. */
export function failureOfProgram(end: ProgramEnd, code: 'PROGRAM' | 'CONFIG', what: string): HostRefusal {
  return new HostRefusal(DISK_FULL.test(end.stderr) ? 'DISK_FULL' : code, `${what}: ${errorTail(end)}`);
}

/** Returns the end of the error output in one line. */
function errorTail({ stderr, stdout }: ProgramEnd): string {
  const text = oneLine(stderr.trim() || stdout.trim());
  return clip(text.length > 300 ? text.slice(-300) : text, 300);
}
