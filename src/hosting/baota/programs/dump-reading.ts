import { gunzipSync } from 'node:zlib';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DatabaseProblem, FileProblem } from '../../driver/index.js';
import { readZip } from '../../embedded/index.js';

/** Bytes of SQL that are run at once. */
export const MOST_SQL = 128 * 1024 * 1024;
/** What begins a file of gzip. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * The SQL in a file, by the end of its name.
 *
 * @param folder on this machine, for what has to be read twice
 * @throws DatabaseProblem, FileProblem
 */
export async function readDump(name: string, bytes: Buffer, folder: string): Promise<Buffer> {
  if (/\.sql$/i.test(name)) return bytes;
  if (/\.gz$/i.test(name)) return unzipped(bytes);
  if (/\.zip$/i.test(name)) return fromZip(bytes, join(folder, 'dump.zip'));
  throw new DatabaseProblem('DATABASE_SQL', { answer: name });
}

/**
 * The SQL of a dump on its way here, compressed or not.
 *
 * @throws DatabaseProblem, FileProblem
 */
export async function dumpFrom(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop ends the stream.
  for await (const part of content as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_SQL) throw tooLarge();
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  return bytes.subarray(0, GZIP.length).equals(GZIP) ? unzipped(bytes) : bytes;
}

function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_SQL });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new FileProblem('ARCHIVE_BROKEN');
  }
}

function tooLarge(): DatabaseProblem {
  return new DatabaseProblem('DATABASE_SQL', { answer: `> ${MOST_SQL >> 20} MB` });
}

async function fromZip(bytes: Buffer, path: string): Promise<Buffer> {
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
  const handle = await open(path);
  let found: Buffer | null = null;
  try {
    await readZip(handle, {
      take: ({ path: name, kind }) => Promise.resolve(found === null && kind === 'file' && /\.sql$/i.test(name)),
      write: async (_thing, content) => {
        found ??= await buffer(content);
      },
    });
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
  if (found === null) throw new DatabaseProblem('DATABASE_SQL', { answer: 'zip' });
  return found;
}
