import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type DeedTurn, type FileDeed, FileProblem, type SpaceMeter, type Unpacking } from '../../driver/index.js';

import { archiveKind } from './archive-kind.js';
import { withDeedFolder } from './copies.js';
import { type Folder, problemOf } from './folder.js';
import { type SiteArea, spend } from './site-area.js';
import { isProtected, newName, partsOf, presentName, splitPath } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { readTar } from './tar-archive.js';
import { readZip } from './zip-archive.js';

const MOST_ENTRIES = 100_000;
/** From so many bytes on, an archive may not become more than so many times as large: text packs to a tenth, nothing honest to a two-hundredth. */
const BOMB = { bytes: 100 * 1024 * 1024, times: 200 };

/** One thing of an archive. */
export interface ArchivedThing {
  /** As the archive has it. */
  readonly path: string;
  /** `other`: a link or something special. */
  readonly kind: 'file' | 'folder' | 'other';
}

/** Takes the things of an archive: first what they are, then, of a file, what is in it. */
export interface ArchiveTaker {
  /** Whether its content is wanted. @throws FileProblem */
  take(thing: ArchivedThing): Promise<boolean>;
  /** @throws FileProblem */
  write(thing: ArchivedThing, content: Readable): Promise<void>;
}

/** Unpacks an archive out of sight, and puts what was in it where it belongs when all of it is there: everything or nothing. */
export function unpackTo(area: SiteArea, { archive, folder, encoding }: Unpacking, meter: SpaceMeter, turn: DeedTurn): Promise<FileDeed> {
  const { parts, name } = splitPath(archive);
  presentName(name);
  const to = partsOf(folder);
  const kind = archiveKind(name);
  if (kind === null) throw new FileProblem('ARCHIVE_KIND', { name });
  return withDeedFolder(area, turn, meter, (made) =>
    spend(meter, async (purse) => {
      await area.use(to, () => Promise.resolve());
      const { handle, stats } = await area.use(parts, (source) => source.openFile(name));
      const taker = new Unpacked(made, to.length, purse, turn, stats.size);
      try {
        if (kind === 'zip') await readZip(handle, taker, encoding);
        else await readTar(handle, taker, encoding, turn.signal);
      } catch (error) {
        throw named(problemOf(error), name);
      } finally {
        await handle.close();
      }
      turn.signal.throwIfAborted();
      const freed = await area.turn(() => area.use(to, (target) => putTree(made, target)));
      return { value: { done: taker.seen, left: taker.left }, freed };
    }),
  );
}

/** What is wrong with an archive as a whole is told with its name. */
function named(error: unknown, name: string): unknown {
  return error instanceof FileProblem && error.params.name === undefined ? new FileProblem(error.code, { name }) : error;
}

class Unpacked implements ArchiveTaker {
  left = 0;
  seen = 0;
  private bytes = 0;

  constructor(
    private readonly made: string,
    private readonly depth: number,
    private readonly purse: SpacePurse,
    private readonly turn: DeedTurn,
    private readonly archiveSize: number,
  ) {}

  async take(thing: ArchivedThing): Promise<boolean> {
    this.turn.signal.throwIfAborted();
    this.seen += 1;
    if (this.seen > MOST_ENTRIES) throw new FileProblem('TOO_MANY');
    this.turn.progress(this.seen, 0);
    const parts = safeParts(thing);
    if (parts.length > 0) partsOf('a/'.repeat(this.depth) + parts.join('/'));
    if (parts.some(isProtected)) {
      this.left += 1;
      return false;
    }
    if (thing.kind === 'folder') await this.folder(parts);
    return thing.kind === 'file' && parts.length > 0;
  }

  async write(thing: ArchivedThing, content: Readable): Promise<void> {
    const parts = safeParts(thing);
    await this.folder(parts.slice(0, -1));
    const to = join(this.made, ...parts);
    await pipeline(content, this.counted(), createWriteStream(to, { flags: 'wx', mode: 0o644 }), { signal: this.turn.signal }).catch(
      async (error: unknown) => {
        // The same name twice: the archive says two things of one file.
        if (['EEXIST', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new FileProblem('ARCHIVE_BROKEN');
        throw error;
      },
    );
  }

  private async folder(parts: readonly string[]): Promise<void> {
    if (parts.length === 0) return;
    await mkdir(join(this.made, ...parts), { recursive: true }).catch((error: unknown) => {
      if (['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new FileProblem('ARCHIVE_BROKEN');
      throw error;
    });
  }

  /** Passes on what is no bomb, and what there is space for. */
  private counted(): Transform {
    const count = async (size: number): Promise<void> => {
      this.bytes += size;
      if (this.bytes > BOMB.bytes && this.bytes > BOMB.times * this.archiveSize) throw new FileProblem('ARCHIVE_BOMB');
      await this.purse.take(size);
    };
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count(chunk.length).then(() => done(null, chunk), done);
      },
    });
  }
}

/** The parts of a path in an archive. Programs of Windows divide them by `\`. @throws FileProblem ARCHIVE_UNSAFE for one that leads out, and for what is neither file nor folder */
function safeParts({ path, kind }: ArchivedThing): string[] {
  const name = path.slice(0, 200).toWellFormed();
  const slashed = path.replaceAll('\\', '/');
  const parts = slashed.split('/').filter((part) => part !== '' && part !== '.');
  if (kind === 'other' || slashed.startsWith('/') || /^[a-z]:/i.test(slashed) || parts.includes('..'))
    throw new FileProblem('ARCHIVE_UNSAFE', { name });
  try {
    for (const part of parts) if (!isProtected(part)) newName(part);
  } catch {
    throw new FileProblem('ARCHIVE_UNSAFE', { name });
  }
  return parts;
}

/** Puts a tree over a folder: first whether it fits is looked at, then each part goes there in one step. @returns bytes of the files that were replaced */
async function putTree(made: string, target: Folder): Promise<number> {
  await refuseClashes(made, target, '');
  return merge(made, target);
}

async function refuseClashes(from: string, target: Folder, shown: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const stats = await target.stat(entry.name);
    if (stats === null) continue;
    const name = `${shown}${entry.name}`;
    if (entry.isDirectory() ? !stats.isDirectory() : !stats.isFile()) throw new FileProblem('TAKEN', { name });
    if (entry.isDirectory()) await below(target, entry.name, (folder) => refuseClashes(join(from, entry.name), folder, `${name}/`));
  }
}

async function merge(from: string, target: Folder): Promise<number> {
  let freed = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    const stats = await target.stat(entry.name);
    if (stats?.isDirectory()) freed += await below(target, entry.name, (folder) => merge(path, folder));
    else {
      await rename(path, target.at(entry.name));
      freed += stats?.size ?? 0;
    }
  }
  return freed;
}

async function below<T>(folder: Folder, name: string, work: (folder: Folder) => Promise<T>): Promise<T> {
  const child = await folder.child(name);
  try {
    return await work(child);
  } finally {
    await child.close();
  }
}
