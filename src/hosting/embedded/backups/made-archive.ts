import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';

import { MOST_AT_ONCE, uploadTo } from '../../../common/index.js';
import { type ArchivePlace, BackupProblem, type DeedTurn, type MadeBackup } from '../../driver/index.js';
import { problemOf, safeParts, type SiteArea, TreeWalk, type WalkedThing, writeTar } from '../files/index.js';
import { folderSize } from '../folder-size.js';

import type { ArchiveFolder } from './archive-folder.js';
import { storageProblem } from './storage-problem.js';

/** Paths of changed files that are named. */
const MOST_NAMED = 20;

/** Makes an archive of everything visitors of a site could see, and puts it where it is to be. Whatever ends it, nothing half-made stays but what {@link ArchiveFolder.remove} takes away. */
export async function makeArchive(area: SiteArea, archives: ArchiveFolder, to: ArchivePlace, turn: DeedTurn): Promise<MadeBackup> {
  const { signal } = turn;
  const expected = await folderSize(area.files, signal);
  await archives.requireRoom(expected);
  const part = archives.part(to.name);
  // What an attempt that was interrupted left.
  await rm(part, { force: true });
  try {
    const made = await writeSite(area, part, expected, turn);
    if (to.url === undefined) await archives.keep(to.name);
    else await send(part, made.size, to.url, signal);
    return made;
  } finally {
    await rm(part, { force: true });
  }
}

async function writeSite(area: SiteArea, part: string, expected: number, turn: DeedTurn): Promise<MadeBackup> {
  const { signal } = turn;
  const walk = new TreeWalk(signal);
  const seen = new Seen((bytes) => turn.progress(Math.min(bytes, expected), expected));
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
        seen.fit(walk.everything(folder)),
        [counted, output],
        signal,
        (bytes) => seen.add(bytes),
        (path) => seen.change(path),
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  }
  return {
    size,
    sha256: hash.digest('hex'),
    content: seen.content,
    files: walk.seen - seen.unfit,
    left: walk.left + seen.unfit,
    changed: seen.changed,
    changedPaths: seen.changedPaths,
  };
}

/** What came by on the way into an archive. */
class Seen {
  content = 0;
  /** What an archive could not be unpacked with. */
  unfit = 0;
  changed = 0;
  readonly changedPaths: string[] = [];

  constructor(private readonly tell: (bytes: number) => void) {}

  /** Leaves out what could not be put back. */
  async *fit(things: AsyncGenerator<WalkedThing>): AsyncGenerator<WalkedThing> {
    for await (const thing of things) {
      if (isFit(thing.path)) yield thing;
      else this.unfit += 1;
    }
  }

  add(bytes: number): void {
    this.content += bytes;
    this.tell(this.content);
  }

  change(path: string): void {
    this.changed += 1;
    if (this.changedPaths.length < MOST_NAMED) this.changedPaths.push(`/${path}`);
  }
}

function isFit(path: string): boolean {
  try {
    return safeParts({ path, kind: 'file' }).join('/') === path;
  } catch {
    return false;
  }
}

async function send(part: string, size: number, url: string, signal: AbortSignal): Promise<void> {
  if (size > MOST_AT_ONCE) throw new BackupProblem('BACKUP_LARGE');
  await uploadTo(url, { open: () => createReadStream(part), size }, { signal }).catch((error: unknown) => {
    throw storageProblem(error);
  });
}
