import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it that are missing; one that is there stays as it is. Node's own way (`mkdir` with `recursive`) never
 * ends where the system answers ENOENT for a folder whose parent exists, as it does below `/proc`: for paths that people configure.
 *
 * @param mode of each folder it makes
 * @throws Error of the system: ENOENT, EACCES, ENOTDIR, EROFS …
 */
export function makeFolders(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) {
    missing.unshift(folder);
    if (dirname(folder) === folder) break;
  }
  for (const folder of missing) makeFolder(folder, mode);
}

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was a moment faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
