import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { SpaceMeter } from '../../driver/index.js';

import { removeTree, type SiteArea } from './site-area.js';
import { GONE } from './trash.js';

/**
 * Removes abandoned files: unfinished work not touched since `before`, and a backup that was never restored. Entries leaving the trash are
 * handled by `purge`.
 */
export async function tidy(area: SiteArea, before: number, meter: SpaceMeter, deadline: AbortSignal): Promise<void> {
  for (const name of await area.names('work')) {
    deadline.throwIfAborted();
    if (name.startsWith(GONE)) continue;
    const path = join(area.work, name);
    const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < before) await removeTree(path, meter, deadline);
  }
  const { mtimeMs } = await lstat(area.restoring).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  if (mtimeMs < before) await rm(area.restoring, { recursive: true, force: true });
}
