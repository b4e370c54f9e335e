import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

function findPackageRoot(): string {
  let folder = here;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder of package.json was not found.');
    folder = parent;
  }
  return folder;
}

/** Folder that holds package.json, the bundled plugins and the themes; the same from sources and from `dist`. */
export const PACKAGE_ROOT = findPackageRoot();

/**
 * Folder of the program's own files that are no code (views, pictures): `src`, or `dist/src` where it was built,
 * wherever the build put this line.
 */
export const PROGRAM_ROOT = join(PACKAGE_ROOT, relative(PACKAGE_ROOT, here).split(sep)[0] === 'dist' ? 'dist/src' : 'src');
