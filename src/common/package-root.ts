import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

function findPackageRoot(): string {
  let folder = here;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder with package.json was not found.');
    folder = parent;
  }
  return folder;
}

/** Folder with package.json, the bundled plugins and the themes; the same for sources and for `dist`. */
export const PACKAGE_ROOT = findPackageRoot();

/** Folder of the program's files that are no code (views, images): `src`, or `dist/src` in a build. */
export const PROGRAM_ROOT = join(PACKAGE_ROOT, relative(PACKAGE_ROOT, here).split(sep)[0] === 'dist' ? 'dist/src' : 'src');
