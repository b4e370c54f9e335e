import { Readable } from 'node:stream';

import { type FileContent, FileProblem, type SiteEntry } from '../../driver/index.js';
import { folderSize } from '../folder-size.js';

import { versionOf } from './folder.js';
import { entryOf } from './listing.js';
import type { SiteArea } from './site-area.js';
import { partsOf, presentName, splitPath } from './site-path.js';

/** Finds the entry at a path of a site. */
export function findFile(area: SiteArea, path: string): Promise<SiteEntry> {
  const { parts, name } = splitPath(path);
  return area.use(parts, async (folder) => {
    const entry = entryOf(folder, presentName(name));
    if (!entry) throw new FileProblem('MISSING', { name });
    return entry;
  });
}

/** Reads a whole file. @param maxBytes @throws FileProblem TOO_LARGE */
export function readFile(area: SiteArea, path: string, maxBytes: number): Promise<FileContent> {
  const { parts, name } = splitPath(path);
  return area.use(parts, async (folder) => {
    const { handle, stats } = await folder.openFile(presentName(name));
    try {
      if (stats.size > maxBytes) throw new FileProblem('TOO_LARGE', { name });
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size), 0, stats.size, 0);
      return { bytes: buffer.subarray(0, bytesRead), version: versionOf(stats), changedAt: Math.floor(stats.mtimeMs) };
    } finally {
      await handle.close();
    }
  });
}

/** Opens a file for sending, limited to its current size even if it grows. */
export function openFile(area: SiteArea, path: string): Promise<{ size: number; content: Readable }> {
  const { parts, name } = splitPath(path);
  return area.use(parts, async (folder) => {
    const { handle, stats } = await folder.openFile(presentName(name));
    if (stats.size > 0) return { size: stats.size, content: handle.createReadStream({ start: 0, end: stats.size - 1 }) };
    await handle.close();
    return { size: 0, content: Readable.from([]) };
  });
}

/** Returns the bytes of a file, or of everything in a folder. */
export async function sizeOf(area: SiteArea, path: string, deadline: AbortSignal): Promise<number> {
  const parts = partsOf(path);
  const found = parts.length === 0 ? null : await findFile(area, `/${parts.join('/')}`);
  if (found && found.type !== 'folder') return found.size;
  return area.use(parts, (folder) => folderSize(folder.self, deadline));
}
