import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';

import type * as TarStream from 'tar-stream';

import { whenUsed } from '../../common/index.js';

import { type About, ARCHIVE_FORMAT, ENTRIES, type Manifest } from './manifest.js';
import { decrypt } from './recovery-key.js';

const tarStream = whenUsed<typeof TarStream>('tar-stream');

/** Maximum bytes of a JSON entry, which is read into memory. */
const MAX_JSON = 64 * 1_048_576;

/** An archive that cannot be used; the message is for the user who wants to restore it. */
export class ArchiveError extends Error {
  /** Text key of the message; null if there is no translated text. */
  readonly text: string | null;

  constructor(message: string, { text = null, ...options }: ErrorOptions & { readonly text?: string | null } = {}) {
    super(message, options);
    this.text = text;
  }
}

/** An archive to be read sequentially. */
export interface ArchiveSource {
  /** Display name. */
  readonly name: string;
  readonly content: Readable;
}

/** Receives the entries in archive order. */
export interface ArchiveVisitor {
  /** Must consume the whole content; folders and links have none. */
  entry(header: TarStream.Header, content: Readable): Promise<void>;
}

/**
 * Reads an archive to the end. The visitor's data is valid only once this resolves: only then is the archive known to be complete and
 * unmodified.
 *
 * @throws ArchiveError for a wrong key, a truncated or modified file, or no archive
 */
export async function readArchive({ name, content }: ArchiveSource, recoveryKey: string, visitor: ArchiveVisitor): Promise<Manifest> {
  const file = Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
  const plain = await decrypt(file, recoveryKey).catch((error: unknown) => {
    throw new ArchiveError(`${name} cannot be decrypted with this recovery key, or is not a backup of a panel.`, {
      cause: error,
      text: 'backup.archive_key',
    });
  });
  const tar = tarStream().extract();
  const found: { about: About | null; manifest: Manifest | null } = { about: null, manifest: null };
  const digest = createHash('sha256');
  const reading = new Reading();
  const entries = (async () => {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      const content = reading.hashed(entry as unknown as AsyncIterable<Buffer>);
      if (name === ENTRIES.manifest) found.manifest = (await json(content)) as Manifest;
      else if (name === ENTRIES.about) {
        found.about = checked((await json(content)) as About);
      } else {
        if (!found.about) throw new ArchiveError('This is not a backup of a panel.');
        await reading.guarded(visitor.entry(entry.header, Readable.from(content)));
        if (type !== 'file') entry.resume();
      }
      if (type === 'file' && name !== ENTRIES.manifest) digest.update(`${name} ${size} ${reading.digest}\n`);
    }
  })();
  entries.catch(() => tar.destroy());
  try {
    await Promise.all([pipeline(Readable.fromWeb(plain as unknown as ReadableStream<Uint8Array>), createGunzip(), tar), entries]);
  } catch (error) {
    const reason = await entries.then(
      () => error,
      (failure: unknown) => failure,
    );
    if (reason instanceof ArchiveError || reason === reading.visitorFailure) throw reason;
    throw new ArchiveError('The backup is damaged or incomplete. Use another backup.', { cause: reason, text: 'backup.archive_damaged' });
  }
  if (!found.manifest || found.manifest.digest !== digest.digest('hex'))
    throw new ArchiveError('The backup is damaged: its checksum does not match. Use another backup.', { text: 'backup.archive_damaged' });
  return found.manifest;
}

function checked(about: About): About {
  if (about.format > ARCHIVE_FORMAT)
    throw new ArchiveError(`This backup was made by a newer panel (${about.panel}). Install that version, then restore with it.`, {
      text: 'backup.archive_newer',
    });
  return about;
}

/** Distinguishes read errors of the archive from errors of the visitor. */
class Reading {
  digest = '';
  visitorFailure: unknown = null;
  private broke = false;

  async *hashed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      this.broke = true;
      throw error;
    }
    this.digest = hash.digest('hex');
  }

  async guarded(work: Promise<void> | void): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.broke) this.visitorFailure = error;
      throw error;
    }
  }
}

async function json(content: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    if ((size += chunk.length) > MAX_JSON) throw new ArchiveError('This is not a backup of a panel.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
