import { createHash } from 'node:crypto';

import type { Folder } from './folder.js';
import { TreeWalk } from './tree-walk.js';

/** What changed so little before it was looked at may change again without another time being written on it, in milliseconds. */
const RACY_MS = 2_000;

/**
 * Stands for everything below an open folder, by what the system notes of each file and folder: the same mark later says that nothing was
 * written, added, removed or renamed in between. Contents are not read.
 *
 * @param now milliseconds since 1970
 * @returns 64 hex digits; empty where something changed just now, so that a mark would not notice the next change
 * @throws FileProblem TOO_MANY; what the signal was aborted with
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
