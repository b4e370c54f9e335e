import type { IncomingMessage, ServerResponse } from 'node:http';

import { answerPart, sendNotModified } from '../../http/index.js';
import { StoreError } from '../errors.js';
import { type PackageStorage, StorageError } from '../packages/index.js';

import { sendChunks } from './send-chunks.js';

/** A package and what its file is to be called. */
export interface SentPackage {
  readonly sha256: string;
  /** Of letters, digits and `._+-` only. */
  readonly fileName: string;
}

/**
 * Answers with a package: whole or a part (see {@link answerPart}), or that the client has it already.
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
  if (size === null) throw new StoreError('FILE_GONE');
  // Written with the status, so that an error further on does not go out with them.
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
