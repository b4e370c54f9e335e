import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder of package.json was not found.');
    folder = parent;
  }
  return folder;
}

/** Folder that holds package.json, the bundled plugins and the themes; the same from sources and from `dist`. */
export const PACKAGE_ROOT = findPackageRoot();
