import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents; existing ones are left unchanged. For configured paths: Node's `mkdir` with `recursive` never
 * returns if the system answers ENOENT for a folder whose parent exists, as below `/proc`.
 *
 * @param mode of each folder created
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
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
