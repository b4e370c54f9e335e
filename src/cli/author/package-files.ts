import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AuthorError } from './author-error.js';
import { LICENSES_FILE } from './licences.js';
import { readPackageJson, type Project } from './project.js';

/** Folders of a plugin that belong to the package, besides its manifest and code; `files` of package.json adds more. */
const PLUGIN_CONTENT = ['assets', 'lang', 'pages', 'views', 'templates', 'migrations'];
const THEME_CONTENT = ['admin', 'user', 'home', 'pay', 'shared', 'lang', 'assets', 'scripts'];
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', LICENSES_FILE];
/** Excluded from every package: hidden files, leftovers of editors and systems, and build inputs. */
const EXCLUDED = /(?:^|\/)(?:\.[^/]*|node_modules|package-lock\.json|npm-debug\.log|Thumbs\.db|[^/]*\.part)(?:\/|$)/;

/** A file of a package. */
export interface PackageFile {
  /** Relative to the project's folder, with `/`. */
  readonly path: string;
  readonly content: Buffer;
}

/**
 * Returns the files of a package, sorted by path.
 *
 * @throws AuthorError if package.json names a missing file, or a file is a link
 */
export function packageFiles(project: Project): PackageFile[] {
  const { folder, type, manifestFile, main, source } = project;
  const own = type === 'theme' ? THEME_CONTENT : [...PLUGIN_CONTENT, main, ...(source ? [`${main}.map`] : [])];
  const paths = new Set<string>();
  for (const part of [manifestFile, ...own, ...DOCUMENTS]) addTo(paths, folder, part);
  for (const part of namedFiles(folder)) {
    const before = paths.size;
    addTo(paths, folder, part);
    if (paths.size === before && !paths.has(part)) throw new AuthorError(`package.json: "files" contains ${part}, which does not exist.`);
  }
  return [...paths].sort().map((path) => ({ path, content: readFileSync(join(folder, path)) }));
}

/** SHA-256 of a file's content, in hex. */
export function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function namedFiles(folder: string): string[] {
  const { files } = readPackageJson(folder);
  if (files === undefined) return [];
  if (!Array.isArray(files)) throw new AuthorError('package.json: "files" must be a list of names.');
  return files.map((entry: unknown) => {
    const path = typeof entry === 'string' ? entry.replace(/^\.\//, '').replace(/\/$/, '') : '';
    if (path === '' || /[*?[\]\\]|(?:^|\/)\.\.(?:\/|$)|^\//.test(path))
      throw new AuthorError(
        `package.json: "files" must contain names of files and folders in this folder, not patterns: ${JSON.stringify(entry)}`,
      );
    return path;
  });
}

function addTo(paths: Set<string>, folder: string, path: string): void {
  if (EXCLUDED.test(path)) return;
  const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (!found) return;
  if (found.isSymbolicLink())
    throw new AuthorError(`${path} is a symbolic link. Packages may only contain regular files and folders: replace it with a copy.`);
  if (found.isDirectory()) for (const name of readdirSync(join(folder, path))) addTo(paths, folder, `${path}/${name}`);
  else if (found.isFile()) paths.add(path);
}
