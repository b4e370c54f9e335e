import type { IncomingMessage, ServerResponse } from 'node:http';

import { answerPart, sendNotModified } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { type PackageStorage, StorageError } from '../packages/index.js';

import { sendChunks } from './send-chunks.js';

/** A package and its download file name. */
export interface SentPackage {
  readonly sha256: string;
  /** Letters, digits and `._+-` only. */
  readonly fileName: string;
}

/**
 * Responds with a package: all of it, a part (see {@link answerPart}), or 304.
 *
 * @param onFull runs before the complete package is sent in one response
 * @throws StoreError NOT_FOUND if the file no longer exists
 */
export async function sendPackage(
  req: IncomingMessage,
  res: ServerResponse,
  storage: PackageStorage,
  sent: SentPackage,
  onFull: () => Promise<void>,
): Promise<void> {
  const size = await storage.size(sent.sha256);
  if (size === null) throw new StoreError('FILE_GONE');
  // Set together with the status, so that a later error response does not carry them.
  const headers = { ETag: `"${sent.sha256}"`, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };
  if (sendNotModified(req, res, headers)) return;
  const answer = answerPart(req, res, size, headers);
  if (!answer) return;
  const head = {
    ...answer.headers,
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${sent.fileName}"`,
    'X-Checksum-Sha256': sent.sha256,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (req.method === 'HEAD') return void res.writeHead(200, head).end();
  const stored = await storage.open(sent.sha256, answer).catch(gone);
  try {
    if (answer.end - answer.start === size - 1) await onFull();
    res.writeHead(answer.status, head);
    await sendChunks(req, res, stored.chunks);
  } finally {
    await stored.close();
  }
}

function gone(error: unknown): never {
  throw error instanceof StorageError && error.code === 'NOT_FOUND' ? new StoreError('FILE_GONE') : error;
}
