import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';

import type { ArchivePlace, DriverTurn, MadeBackup } from '../../driver/index.js';
import { problemOf, safeParts, type SiteArea, TreeWalk, type WalkedThing, writeTar } from '../files/index.js';
import { folderSize } from '../folder-size.js';

import type { ArchiveFolder } from './archive-folder.js';
import { sendArchive } from './sent-archive.js';

/** Maximum number of changed paths that are reported by name. */
const MAX_NAMED_PATHS = 20;

/**
 * Creates an archive of all publicly visible files of a site and stores or sends it. If it fails, only files that {@link
 * ArchiveFolder.remove} deletes are left behind.
 */
export async function makeArchive(area: SiteArea, archives: ArchiveFolder, to: ArchivePlace, turn: DriverTurn): Promise<MadeBackup> {
  const { name, url } = to;
  try {
    if (url === undefined) {
      const made = await write(area, archives, name, turn);
      await archives.keep(name);
      return made;
    }
    const made = (await archives.unsent(name)) ?? (await writeToSend(area, archives, name, turn));
    await sendArchive(archives.part(name), made, { ...to, url }, turn);
    await archives.clear(name);
    return made;
  } catch (error) {
    // After an abort, a retry can continue with a complete archive.
    if (!turn.signal.aborted || (await archives.unsent(name)) === null) await archives.clear(name);
    throw error;
  }
}

/** Writes an archive to be sent, which counts as half of the progress. */
async function writeToSend(area: SiteArea, archives: ArchiveFolder, name: string, turn: DriverTurn): Promise<MadeBackup> {
  const made = await write(area, archives, name, { ...turn, progress: (done, total) => turn.progress(done, total * 2) });
  await archives.note(name, made);
  return made;
}

async function write(area: SiteArea, archives: ArchiveFolder, name: string, turn: DriverTurn): Promise<MadeBackup> {
  const expected = await folderSize(area.files, turn.signal);
  await archives.requireRoom(expected);
  // Remove the remains of an interrupted attempt.
  await archives.clear(name);
  return writeSite(area, archives.part(name), expected, turn);
}

async function writeSite(area: SiteArea, part: string, expected: number, turn: DriverTurn): Promise<MadeBackup> {
  const { signal } = turn;
  const walk = new TreeWalk(signal);
  const counts = new ArchiveCounts((bytes) => turn.progress(Math.min(bytes, expected), expected));
  const hash = createHash('sha256');
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  const output = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await area.use([], (folder) =>
      writeTar(
        counts.restorable(walk.everything(folder)),
        [counted, output],
        signal,
        (bytes) => counts.add(bytes),
        (path) => counts.change(path),
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  }
  return {
    size,
    sha256: hash.digest('hex'),
    content: counts.content,
    files: walk.seen - counts.unrestorable,
    left: walk.left + counts.unrestorable,
    changed: counts.changed,
    changedPaths: counts.changedPaths,
  };
}

/** Counts what is written into an archive. */
class ArchiveCounts {
  content = 0;
  /** Entries with a path that could not be unpacked again. */
  unrestorable = 0;
  changed = 0;
  readonly changedPaths: string[] = [];

  constructor(private readonly report: (bytes: number) => void) {}

  /** Leaves out entries that could not be restored. */
  async *restorable(things: AsyncGenerator<WalkedThing>): AsyncGenerator<WalkedThing> {
    for await (const thing of things) {
      if (isRestorable(thing.path)) yield thing;
      else this.unrestorable += 1;
    }
  }

  add(bytes: number): void {
    this.content += bytes;
    this.report(this.content);
  }

  change(path: string): void {
    this.changed += 1;
    if (this.changedPaths.length < MAX_NAMED_PATHS) this.changedPaths.push(`/${path}`);
  }
}

function isRestorable(path: string): boolean {
  try {
    return safeParts({ path, kind: 'file' }).join('/') === path;
  } catch {
    return false;
  }
}
