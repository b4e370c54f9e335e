import type { FileHandle } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { crc32 } from 'node:zlib';

import type yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

import { whenUsed } from '../../../common/index.js';
import { FileProblem, PortRefusal } from '../../driver/index.js';

import { isSystemError } from './wait-for-both.js';
import { nameDecoder } from './name-encoding.js';
import type { ArchiveEntry, ArchiveReceiver } from './unpacked-tree.js';

const zip = whenUsed<typeof yauzl>('yauzl');
const MAX_ENTRIES = 100_000;
const UTF8 = 0x800;
/** Unix file type, in the upper half of an entry's external attributes. */
const TYPE = { mask: 0o170000, file: 0o100000, folder: 0o040000 };

/** An entry with its decoded name. */
interface Named {
  readonly entry: Entry;
  readonly thing: ArchiveEntry;
}

/**
 * Reads a ZIP file: checks all names first, then reads the contents only if no name is rejected.
 *
 * Uses yauzl because these archives are untrusted: it enforces each entry's declared size and reads from an already opened file. unzipper,
 * which unpacks verified packages (see `KeptPackage`), leaves the size check to its caller.
 */
export async function readZip(handle: FileHandle, taker: ArchiveReceiver, encoding?: 'utf-8' | 'gbk'): Promise<void> {
  try {
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
    const archive = await zip().fromFdPromise(handle.fd, options);
    const entries = await entriesOf(archive);
    const wanted: Named[] = [];
    for (const named of namedOf(entries, encoding)) {
      if (named.entry.isEncrypted()) throw new FileProblem('ARCHIVE_LOCKED');
      if (await taker.take(named.thing)) wanted.push(named);
    }
    for (const { entry, thing } of wanted) {
      const content = await archive.openReadStreamPromise(entry);
      await taker.write(thing, checked(content, entry.crc32));
    }
  } catch (error) {
    throw archiveError(error);
  }
}

async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  let packed = 0;
  for await (const entry of archive.eachEntry()) {
    entries.push(entry);
    packed += entry.compressedSize;
    if (entries.length > MAX_ENTRIES) throw new FileProblem('TOO_MANY');
    // Entries that share the same bytes: their sum exceeds the file.
    if (packed > archive.fileSize) throw new FileProblem('ARCHIVE_BOMB');
  }
  return entries;
}

function* namedOf(entries: readonly Entry[], encoding?: 'utf-8' | 'gbk'): Generator<Named> {
  const bytesOf = ({ fileName }: Entry): Buffer => fileName;
  const declaresUtf8 = (entry: Entry): boolean => (entry.generalPurposeBitFlag & UTF8) !== 0;
  const decode = nameDecoder(entries.filter((entry) => !declaresUtf8(entry)).map(bytesOf), encoding);
  const utf8 = nameDecoder([], 'utf-8');
  for (const entry of entries) {
    const path = (declaresUtf8(entry) ? utf8 : decode)(bytesOf(entry));
    yield { entry, thing: { path, kind: kindOf(path, entry) } };
  }
}

function kindOf(path: string, { externalFileAttributes }: Entry): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & TYPE.mask;
  if (type !== 0 && type !== TYPE.file && type !== TYPE.folder) return 'other';
  return /[/\\]$/.test(path) || type === TYPE.folder ? 'folder' : 'file';
}

/** Passes the bytes through and fails if their checksum does not match the archive's. */
function checked(content: Readable, expected: number): Readable {
  let sum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      done(sum === expected ? null : new FileProblem('ARCHIVE_BROKEN'));
    },
  });
  content.on('error', (error) => check.destroy(error));
  check.on('close', () => content.destroy());
  return content.pipe(check);
}

/** Maps a library's own error about a malformed archive to ARCHIVE_BROKEN; disk errors stay as they are. */
export function archiveError(error: unknown): unknown {
  if (error instanceof PortRefusal || (error as Error).name === 'AbortError') return error;
  const isFault = error instanceof TypeError || error instanceof RangeError;
  return isFault || isSystemError(error) ? error : new FileProblem('ARCHIVE_BROKEN');
}
