import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import { putAll } from '../../../../src/hosting/embedded/files/copies.js';
import { runStaged } from '../../../../src/hosting/embedded/files/staged-work.js';
import { openFile } from '../../../../src/hosting/embedded/files/reading.js';
import { requireFree, type SiteArea } from '../../../../src/hosting/embedded/files/site-area.js';
import { newName, splitPath } from '../../../../src/hosting/embedded/files/site-path.js';
import type { SpacePurse } from '../../../../src/hosting/embedded/files/space-purse.js';
import { clip, oneLine } from '../../text.js';
import { PROGRAMS } from '../programs/program-table.js';
import { HostRefusal } from '../refusal.js';
import { Budget } from './budget.js';
import type { WorkContext } from './site-files.js';

/** A database as the site's own user accesses it: over the socket, without a password. */
export interface OwnDatabase {
  readonly socket: string;
  readonly user: string;
  readonly name: string;
}

/** A dump to a file of the site. */
export interface SiteDump {
  readonly database: OwnDatabase;
  readonly path: string;
  readonly id: string;
  readonly space: number;
}

const GZIP = [0x1f, 0x8b];
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' };

/** Dumps a database, compressed, to standard output. */
export async function dump(database: OwnDatabase, context: WorkContext): Promise<Record<string, unknown>> {
  const options = [
    '--single-transaction',
    '--quick',
    '--routines',
    '--triggers',
    '--events',
    '--no-tablespaces',
    '--default-character-set=utf8mb4',
  ];
  const child = start('mariadb-dump', [...login(database), ...options, '--', database.name], context);
  child.stdin!.end();
  const hash = createHash('sha256');
  const counts = { content: 0, size: 0 };
  const counted = (key: keyof typeof counts): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        counts[key] += chunk.length;
        if (key === 'size') hash.update(chunk);
        else context.progress(counts.content, 0);
        done(null, chunk);
      },
    });
  const output = new PassThrough();
  const ended = endOf(child);
  const sent = context.send(null, output);
  await pipeline(child.stdout!, counted('content'), createGzip(), counted('size'), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) if (!output.write(chunk)) await once(output, 'drain');
    // The output is not closed before the dump has succeeded, so that a failed dump does not look complete.
    await ended;
    output.end();
  });
  await sent;
  return { ...counts, sha256: hash.digest('hex') };
}

/** Dumps a database, compressed, to a file of the site, which appears only when it is complete. */
export async function dumpToFile(
  area: SiteArea,
  { database, path, id, space }: SiteDump,
  context: WorkContext,
): Promise<Record<string, unknown>> {
  const { parts, name } = splitPath(path);
  newName(name);
  let dumped: Record<string, unknown> = {};
  await runStaged(area, { id, signal: context.stop, progress: context.progress }, new Budget(space), {
    make: async (made, purse) => {
      await area.use(parts, (target) => requireFree(target, name));
      const send = async (_bytes: number | null, content: Readable): Promise<void> =>
        pipeline(content, paid(purse), createWriteStream(join(made, name), { flags: 'wx', mode: 0o600 }), { signal: context.stop });
      dumped = await dump(database, { ...context, send });
      return { done: 1, left: 0 };
    },
    put: (made) => area.use(parts, (target) => putAll(made, target)),
  });
  return dumped;
}

/** Runs SQL from a file of the site. */
export async function restoreFile(
  area: SiteArea,
  { database, path }: Pick<SiteDump, 'database' | 'path'>,
  context: WorkContext,
): Promise<Record<string, unknown>> {
  const { content } = await openFile(area, path);
  return restoreSql(database, { ...context, input: content });
}

function paid(purse: SpacePurse): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      purse.take(chunk.length).then(() => done(null, chunk), done);
    },
  });
}

/** Runs SQL of a customer: with a client that can neither read files nor run commands, as a user with access to this database only. */
export async function restoreSql(database: OwnDatabase, context: WorkContext): Promise<Record<string, unknown>> {
  const options = [
    '--sandbox',
    '--local-infile=0',
    '--batch',
    '--skip-reconnect',
    '--default-character-set=utf8mb4',
    '--max-allowed-packet=64M',
  ];
  const child = start('mariadb', [...login(database), ...options, `--database=${database.name}`], context);
  child.stdout!.resume();
  const ended = endOf(child);
  const sql = await plain(context.input);
  // The client exits at the first error without reading the rest.
  await pipeline(sql, child.stdin!).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw new HostRefusal('DATABASE_SQL', 'The file is not a valid gzip file.', { answer: 'gzip' });
  });
  await ended;
  return {};
}

/** Returns the SQL as text, decompressed if necessary. */
async function plain(input: Readable): Promise<Readable> {
  const first = ((await once(input, 'readable').then(() => input.read() as Buffer | null)) ?? Buffer.alloc(0)) as Buffer;
  if (first.length > 0) input.unshift(first);
  return GZIP.every((byte, at) => first[at] === byte) ? input.pipe(createGunzip()) : input;
}

function login({ socket, user }: OwnDatabase): string[] {
  return ['--no-defaults', '--protocol=socket', `--socket=${socket}`, `--user=${user}`];
}

function start(program: 'mariadb' | 'mariadb-dump', args: string[], { stop }: WorkContext): ChildProcess {
  return spawn(PROGRAMS[program], args, {
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: ENVIRONMENT,
    cwd: '/',
    signal: stop,
    killSignal: 'SIGKILL',
  });
}

/** @throws HostRefusal `DATABASE_SQL` with the server's error, or `DISK_FULL` if that is the error */
async function endOf(child: ChildProcess): Promise<void> {
  let output = '';
  // The client repeats the statement before the error, so only the end is kept.
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2_000)));
  child.stdin!.on('error', () => undefined);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const complaint = oneLine(output.slice(output.lastIndexOf('\nERROR ') + 1));
  if (NO_ROOM.test(complaint)) throw new HostRefusal('DISK_FULL', clip(complaint, 400));
  throw new HostRefusal('DATABASE_SQL', clip(complaint || 'The database server closed the connection.', 400), {
    answer: clip(complaint, 300),
  });
}

/** Server messages for a file that could not grow. */
const NO_ROOM = /^ERROR 1021 |^(?!ERROR 1064 ).*\b(?:Errcode:|errno:?|error) (?:28|122)\b/;
