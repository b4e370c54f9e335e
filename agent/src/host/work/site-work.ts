import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { PortRefusal } from '../../../../src/hosting/driver/ports/port-problem.js';
import { folderSize } from '../../../../src/hosting/embedded/folder-size.js';
import { problemOf } from '../../../../src/hosting/embedded/files/folder.js';
import { SiteArea } from '../../../../src/hosting/embedded/files/site-area.js';
import { markOf } from '../../../../src/hosting/embedded/files/tree-mark.js';
import { KeyedMutex } from '../../../../src/hosting/embedded/files/keyed-mutex.js';
import { messageOf } from '../../errors.js';
import { HostRefusal } from '../refusal.js';
import { failureOf } from '../failures.js';
import { unpackArchive, writeArchive } from './site-archives.js';
import { runCommand, type SiteCommand } from './site-command.js';
import { FILE_WORK, type WorkContext } from './site-files.js';
import { dump, dumpToFile, type OwnDatabase, restoreFile, restoreSql, type SiteDump } from './site-sql.js';
import type { WorkMessage, WorkOrder } from './work-order.js';

type Work = (area: SiteArea, args: never, context: WorkContext) => Promise<object>;

/** Subfolders that count as used space. */
const USED = ['public', 'trash', 'work'];

/** Jobs other than the file actions. */
const OWN_WORK: Readonly<Record<string, Work>> = {
  used: async (area, _args: never, { stop }) => ({ bytes: await folderSize(area.folder, stop, USED) }),
  welcome: async (area, { page }: { page: string }) => {
    // May be repeated after a crash; a site that already has files keeps them.
    if ((await fs.readdir(area.files)).length > 0) return {};
    await fs.writeFile(path.join(area.files, 'index.html'), page, { flag: 'wx', mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return {};
  },
  untouched: async (area, { page }: { page: string }) => ({ files: await hasNothingBut(area.files, page) }),
  empty: async (_area, { folder }: { folder: string }) => {
    const names = await fs.readdir(folder).catch((): string[] => []);
    for (const name of names) await fs.rm(path.join(folder, name), { recursive: true, force: true });
    return {};
  },
  archive: (area, _args: never, context) => writeArchive(area, context),
  mark: async (area, _args: never, { stop }) => ({ mark: await area.use([], (folder) => markOf(folder, stop, Date.now())) }),
  unpack: (area, { archive, ...known }: { archive: string; content: number; space: number }, context) =>
    unpackArchive(area, archive, known, context),
  dump: (_area, database: OwnDatabase, context) => dump(database, context),
  'dump to file': (area, wanted: SiteDump, context) => dumpToFile(area, wanted, context),
  'sql of file': (area, wanted: SiteDump, context) => restoreFile(area, wanted, context),
  /** Writes the one-time ticket for Adminer, readable by this site's user only. */
  door: async (area, { ticket, ...note }: { ticket: string; database: string; until: number }) => {
    const file = path.join(area.folder, 'adminer', `ticket-${ticket}.json`);
    await fs.writeFile(`${file}.draft`, JSON.stringify(note), { mode: 0o600 });
    await fs.rename(`${file}.draft`, file);
    return {};
  },
  sql: (_area, database: OwnDatabase, context) => restoreSql(database, context),
  command: (area, command: SiteCommand, context) => runCommand(command, area.folder, context),
};
const ALL = { ...FILE_WORK, ...OWN_WORK } as Readonly<Record<string, Work>>;

/**
 * Main function of a worker process, which runs one job for a site as its user. Receives the job from the agent, its parent, and exits with
 * it.
 */
export async function siteWork(): Promise<number> {
  if (process.getuid?.() === 0 || !process.send) return 2;
  const stop = new AbortController();
  process.on('disconnect', () => process.exit(1));
  const order = await new Promise<WorkOrder>((resolve) => process.once('message', (message) => resolve(message as WorkOrder)));
  process.umask(0o022);
  const timer = setTimeout(() => stop.abort(new HostRefusal('LATE', 'The deadline of the task passed.')), order.leftMs);
  try {
    const work = Object.hasOwn(ALL, order.work) ? ALL[order.work] : undefined;
    if (!work) throw new Error(`Unknown work ${order.work}.`);
    const area = new SiteArea(order.home, new KeyedMutex(), Date.now);
    const value = (await work(area, order.args as never, turnOf(stop.signal))) as Record<string, unknown>;
    await sendMessage({ is: 'end', value });
    return 0;
  } catch (error) {
    await sendMessage(refusalOf(error));
    return 1;
  } finally {
    clearTimeout(timer);
    process.disconnect();
  }
}

function turnOf(stop: AbortSignal): WorkContext {
  let reportedAt = 0;
  return {
    stop,
    input: process.stdin,
    progress: (done, total) => {
      if (Date.now() - reportedAt < 500) return;
      reportedAt = Date.now();
      void sendMessage({ is: 'progress', done, total });
    },
    send: async (bytes: number | null, content: Readable) => {
      await sendMessage({ is: 'body', bytes });
      await pipeline(content, process.stdout, { signal: stop });
    },
  };
}

function refusalOf(error: unknown): WorkMessage {
  const problem = problemOf(error);
  if (problem instanceof PortRefusal) return { is: 'refused', code: problem.code, message: problem.code, params: problem.params };
  const { code, params } = failureOf(error);
  return { is: 'refused', code, message: messageOf(error), params };
}

function sendMessage(message: WorkMessage): Promise<void> {
  return new Promise((resolve) => process.send!(message, undefined, undefined, () => resolve()));
}

async function hasNothingBut(folder: string, page: string): Promise<boolean> {
  const names = (await fs.readdir(folder)).filter((name) => name !== 'index.html');
  if (names.length > 0) return false;
  const handle = await fs
    .open(path.join(folder, 'index.html'), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
    .catch(() => null);
  if (!handle) return true;
  try {
    const { size } = await handle.stat();
    return size === Buffer.byteLength(page) && (await handle.readFile('utf8')) === page;
  } finally {
    await handle.close();
  }
}
