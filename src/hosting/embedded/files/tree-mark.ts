import { createHash } from 'node:crypto';

import type { Folder } from './folder.js';
import { TreeWalk } from './tree-walk.js';

/** A file changed less than this before it is read may change again with the same timestamp, in milliseconds. */
const RACY_MS = 2_000;

/**
 * Returns a fingerprint of everything below an open folder, computed from file metadata; contents are not read. An equal fingerprint later
 * means that nothing was written, added, removed or renamed in between.
 *
 * @param now milliseconds since 1970
 * @returns 64 hex digits; empty if something changed so recently that the fingerprint could miss the next change
 * @throws FileProblem TOO_MANY; the abort reason of the signal
 */
export async function markOf(folder: Folder, signal: AbortSignal, now: number): Promise<string> {
  const hash = createHash('sha256');
  const walk = new TreeWalk(signal);
  let newest = 0;
  for await (const { folder: where, name, path } of walk.everything(folder)) {
    const stats = await where.stat(name);
    if (stats === null) return '';
    const { ino, size, mode, mtimeMs, ctimeMs } = stats;
    newest = Math.max(newest, mtimeMs, ctimeMs);
    hash.update(JSON.stringify([path, ino, size, mode, mtimeMs, ctimeMs]));
  }
  return newest > now - RACY_MS ? '' : hash.digest('hex');
}
