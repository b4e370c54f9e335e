import { createWriteStream } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type DriverTurn, FileProblem } from '../../driver/index.js';

import { isProtected, newName, partsOf } from './site-path.js';

/** One entry of an archive. */
export interface ArchiveEntry {
  /** As written in the archive. */
  readonly path: string;
  /** `other`: a link or a special file. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly changedAt?: Date;
}

/** Receives the entries of an archive: first the description, then the content of a file. */
export interface ArchiveReceiver {
  /** Returns whether the content is wanted. @throws FileProblem */
  take(thing: ArchiveEntry): Promise<boolean>;
  /** @throws FileProblem */
  write(thing: ArchiveEntry, content: Readable): Promise<void>;
}

/** Limits of unpacking. */
export interface TreeBounds {
  /** Depth of the destination folder. */
  readonly depth: number;
  /** Maximum files and folders. */
  readonly entries: number;
  /** Called before bytes are written. @throws FileProblem if they exceed a limit */
  readonly take: (bytes: number) => Promise<void>;
  /** Files keep their modification time from the archive. */
  readonly keepsTimes?: boolean;
}

/**
 * Writes the entries of an archive below a folder. Rejects paths that lead outside, links and special files; skips the server's own file.
 */
export class UnpackedTree implements ArchiveReceiver {
  /** Entries skipped. */
  skipped = 0;
  seen = 0;

  constructor(
    private readonly made: string,
    private readonly turn: DriverTurn,
    private readonly bounds: TreeBounds,
  ) {}

  async take(thing: ArchiveEntry): Promise<boolean> {
    this.turn.signal.throwIfAborted();
    this.seen += 1;
    if (this.seen > this.bounds.entries) throw new FileProblem('TOO_MANY');
    this.turn.progress(this.seen, 0);
    const parts = safeParts(thing);
    if (parts.length > 0) partsOf('a/'.repeat(this.bounds.depth) + parts.join('/'));
    if (parts.some(isProtected)) {
      this.skipped += 1;
      return false;
    }
    if (thing.kind === 'folder') await this.folder(parts);
    return thing.kind === 'file' && parts.length > 0;
  }

  async write(thing: ArchiveEntry, content: Readable): Promise<void> {
    const parts = safeParts(thing);
    await this.folder(parts.slice(0, -1));
    const to = join(this.made, ...parts);
    await pipeline(content, this.counted(), createWriteStream(to, { flags: 'wx', mode: 0o644 }), { signal: this.turn.signal }).catch(
      async (error: unknown) => {
        // Two entries of the archive have the same path.
        if (['EEXIST', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new FileProblem('ARCHIVE_BROKEN');
        throw error;
      },
    );
    if (this.bounds.keepsTimes && thing.changedAt) await utimes(to, thing.changedAt, thing.changedAt);
  }

  private async folder(parts: readonly string[]): Promise<void> {
    if (parts.length === 0) return;
    await mkdir(join(this.made, ...parts), { recursive: true }).catch((error: unknown) => {
      if (['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new FileProblem('ARCHIVE_BROKEN');
      throw error;
    });
  }

  /** Checks the limits for each chunk before passing it on. */
  private counted(): Transform {
    const { take } = this.bounds;
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        take(chunk.length).then(() => done(null, chunk), done);
      },
    });
  }
}

/**
 * Splits a path in an archive into its parts. Windows programs separate them by `\`.
 *
 * @throws FileProblem ARCHIVE_UNSAFE for a path that leads outside, and for anything but a file or folder
 */
export function safeParts({ path, kind }: ArchiveEntry): string[] {
  const name = path.slice(0, 200).replace(/\p{Cs}/gu, '\ufffd');
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
