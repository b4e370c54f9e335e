import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** What changes without anybody's doing: what is packed, what npm brings, what begins with a dot, what editors write beside a file. */
const IGNORED = /^(?:node_modules|THIRD-PARTY-LICENSES\.txt|\..*|.*\.zip)$|\.part$|~$/;

/**
 * Calls `changed` whenever something in a project's folder is another; folders that come later are looked at, too. Each folder is watched
 * by itself: Node's recursive watching on Linux loses files that an editor replaces by renaming, and would look at all of node_modules.
 *
 * @param built files below the folder that the build writes
 * @returns what ends it
 */
export function watchProject(folder: string, built: readonly string[], changed: () => void): () => void {
  const watched = new Map<string, FSWatcher>();
  const add = (path: string): void => {
    if (watched.has(path)) return;
    const watcher = watch(join(folder, path), (_event, name) => {
      if (name === null) return;
      const file = path === '' ? name : `${path}/${name}`;
      if (IGNORED.test(name) || built.includes(file)) return;
      addBelow(path);
      changed();
    });
    // A folder that went away is no mistake, and may come back.
    watcher.on('error', () => watcher.close());
    watcher.on('close', () => watched.delete(path));
    watched.set(path, watcher);
    addBelow(path);
  };
  const addBelow = (path: string): void => {
    for (const name of foldersIn(join(folder, path))) add(path === '' ? name : `${path}/${name}`);
    for (const [other, watcher] of watched) if (other !== '' && !isThere(join(folder, other))) watcher.close();
  };
  add('');
  return () => {
    for (const watcher of watched.values()) watcher.close();
  };
}

function foldersIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && !IGNORED.test(entry.name)).map(({ name }) => name);
  } catch {
    // It has gone since.
    return [];
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
