import type { IncomingMessage, ServerResponse } from 'node:http';

import { clientHas, rangeWish } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { type PackageStorage, StorageError, type StoredPackage } from '../packages/index.js';

import { sendChunks } from './send-chunks.js';

/** A package and what its file is to be called. */
export interface SentPackage {
  readonly sha256: string;
  /** Of letters, digits and `._+-` only. */
  readonly fileName: string;
}

/**
 * Answers with a package: whole or a part, or that the client has it already. `Range`, `If-Range`,
 * `If-None-Match` and `HEAD` as in RFC 9110.
 *
 * @param onFull runs before all of it is sent in one answer
 * @throws StoreError NOT_FOUND where the file is gone
 */
export async function sendPackage(
  req: IncomingMessage,
  res: ServerResponse,
  storage: PackageStorage,
  sent: SentPackage,
  onFull: () => Promise<void>,
): Promise<void> {
  const size = await storage.size(sent.sha256);
  if (size === null) throw fileGone();
  const etag = `"${sent.sha256}"`;
  const isHead = req.method === 'HEAD';
  // Written with the status, so that an error further on does not go out with them.
  const common = { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };
  if (clientHas(req, etag)) return void res.writeHead(304, common).end();

  const ifRange = req.headers['if-range'];
  const wish = isHead || (ifRange !== undefined && ifRange !== etag) ? ({ kind: 'whole' } as const) : rangeWish(req.headers.range, size);
  if (wish.kind === 'none')
    return void res.writeHead(416, { ...common, 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
  const { start, end } = wish.kind === 'part' ? wish.range : { start: 0, end: size - 1 };
  const headers = {
    ...common,
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${sent.fileName}"`,
    'Content-Length': end - start + 1,
    'X-Checksum-Sha256': sent.sha256,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(wish.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}),
  };
  if (isHead) return void res.writeHead(200, headers).end();
  const stored = await open(storage, sent.sha256, start, end);
  try {
    if (start === 0 && end === size - 1) await onFull();
    res.writeHead(wish.kind === 'part' ? 206 : 200, headers);
    await sendChunks(req, res, stored.chunks);
  } finally {
    await stored.close();
  }
}

async function open(storage: PackageStorage, sha256: string, start: number, end: number): Promise<StoredPackage> {
  try {
    return await storage.open(sha256, { start, end });
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') throw fileGone();
    throw error;
  }
}

function fileGone(): StoreError {
  return new StoreError('FILE_GONE');
}
