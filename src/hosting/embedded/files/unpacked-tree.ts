import { createWriteStream } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type DriverTurn, FileProblem } from '../../driver/index.js';

import { isProtected, newName, partsOf } from './site-path.js';

/** One thing of an archive. */
export interface ArchivedThing {
  /** As the archive has it. */
  readonly path: string;
  /** `other`: a link or something special. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly changedAt?: Date;
}

/** Takes the things of an archive: first what they are, then, of a file, what is in it. */
export interface ArchiveTaker {
  /** Whether its content is wanted. @throws FileProblem */
  take(thing: ArchivedThing): Promise<boolean>;
  /** @throws FileProblem */
  write(thing: ArchivedThing, content: Readable): Promise<void>;
}

/** Limits of what is unpacked. */
export interface TreeBounds {
  /** How deep the folder lies that it is for. */
  readonly depth: number;
  /** Files and folders. */
  readonly entries: number;
  /** Asked before bytes are written. @throws FileProblem where they may not be */
  readonly take: (bytes: number) => Promise<void>;
  /** Files are as old as the archive says. */
  readonly keepsTimes?: boolean;
}

/**
 * Writes the things of an archive below a folder. Nothing that leads out, no link and nothing special; the server's own file is left out.
 */
export class UnpackedTree implements ArchiveTaker {
  /** What was left out. */
  left = 0;
  seen = 0;

  constructor(
    private readonly made: string,
    private readonly turn: DriverTurn,
    private readonly bounds: TreeBounds,
  ) {}

  async take(thing: ArchivedThing): Promise<boolean> {
    this.turn.signal.throwIfAborted();
    this.seen += 1;
    if (this.seen > this.bounds.entries) throw new FileProblem('TOO_MANY');
    this.turn.progress(this.seen, 0);
    const parts = safeParts(thing);
    if (parts.length > 0) partsOf('a/'.repeat(this.bounds.depth) + parts.join('/'));
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
    if (this.bounds.keepsTimes && thing.changedAt) await utimes(to, thing.changedAt, thing.changedAt);
  }

  private async folder(parts: readonly string[]): Promise<void> {
    if (parts.length === 0) return;
    await mkdir(join(this.made, ...parts), { recursive: true }).catch((error: unknown) => {
      if (['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw new FileProblem('ARCHIVE_BROKEN');
      throw error;
    });
  }

  /** Passes on what may be written. */
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
 * The parts of a path in an archive. Programs of Windows divide them by `\`.
 *
 * @throws FileProblem ARCHIVE_UNSAFE for one that leads out, and for what is neither file nor folder
 */
export function safeParts({ path, kind }: ArchivedThing): string[] {
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
