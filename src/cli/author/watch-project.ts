import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** Files that change without the author's doing: built packages, npm packages, dot files, and temporary files of editors. */
const IGNORED = /^(?:node_modules|THIRD-PARTY-LICENSES\.txt|\..*|.*\.zip)$|\.part$|~$/;

/**
 * Calls `changed` whenever something in a project's folder changes, including folders created later. Each folder has its own watcher:
 * Node's recursive watching on Linux misses files that an editor replaces by renaming, and would watch all of node_modules.
 *
 * @param built files relative to the folder that the build writes
 * @returns a function that stops watching
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
    // A deleted folder is not an error; it may come back.
    watcher.on('error', () => watcher.close());
    watcher.on('close', () => watched.delete(path));
    watched.set(path, watcher);
    addBelow(path);
  };
  const addBelow = (path: string): void => {
    for (const name of foldersIn(join(folder, path))) add(path === '' ? name : `${path}/${name}`);
    for (const [other, watcher] of watched) if (other !== '' && !exists(join(folder, other))) watcher.close();
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
    // The folder has been deleted in the meantime.
    return [];
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
