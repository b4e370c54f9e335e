import { gunzipSync } from 'node:zlib';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DatabaseProblem, FileProblem } from '../../driver/index.js';
import { readZip } from '../../embedded/index.js';

/** Maximum size of SQL to run, in bytes. */
export const MAX_SQL_BYTES = 128 * 1024 * 1024;
/** First bytes of a gzip file. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Extracts the SQL of a file according to its extension.
 *
 * @param folder local folder for archives that need random access
 * @throws DatabaseProblem, FileProblem
 */
export async function readDump(name: string, bytes: Buffer, folder: string): Promise<Buffer> {
  if (/\.sql$/i.test(name)) return bytes;
  if (/\.gz$/i.test(name)) return unzipped(bytes);
  if (/\.zip$/i.test(name)) return fromZip(bytes, join(folder, 'dump.zip'));
  throw new DatabaseProblem('DATABASE_SQL', { answer: name });
}

/**
 * Reads a dump from a stream, compressed or not.
 *
 * @throws DatabaseProblem, FileProblem
 */
export async function dumpFrom(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop ends the stream.
  for await (const part of content as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_SQL_BYTES) throw tooLarge();
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  return bytes.subarray(0, GZIP.length).equals(GZIP) ? unzipped(bytes) : bytes;
}

function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SQL_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new FileProblem('ARCHIVE_BROKEN');
  }
}

function tooLarge(): DatabaseProblem {
  return new DatabaseProblem('DATABASE_SQL', { answer: `> ${MAX_SQL_BYTES >> 20} MB` });
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
