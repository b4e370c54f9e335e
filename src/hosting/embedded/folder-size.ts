import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

import { isMissing } from './site-places.js';

/**
 * Returns the bytes of all files under `folder`. Symbolic links count as themselves and are never followed.
 *
 * @param only subfolders to count; all if omitted
 * @throws the abort reason of `deadline`
 */
export async function folderSize(folder: string, deadline: AbortSignal, only?: readonly string[]): Promise<number> {
  let bytes = 0;
  const waiting = only ? only.map((name) => join(folder, name)) : [folder];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    deadline.throwIfAborted();
    try {
      for await (const entry of await opendir(current)) {
        const path = join(current, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else bytes += (await lstat(path)).size;
      }
    } catch (error) {
      // The owner may delete files while they are counted.
      if (!isMissing(error)) throw error;
    }
  }
  return bytes;
}
