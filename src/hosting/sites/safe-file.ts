import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { PROGRAM_ENDING, WELL_KNOWN } from '../driver/index.js';

/** Nothing runs here. */
const PROGRAM = new RegExp(`${PROGRAM_ENDING}$`, 'i');

/** Tells whether any part of a path, from the web root, names a program or a hidden file. */
export function isPrivate(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.some((part, index) => PROGRAM.test(part) || (part.startsWith('.') && !(index === 0 && part === WELL_KNOWN)));
}

/** The path of a request target as a person would write it; null for one no file can have. */
export function decodedPath(target: string): string | null {
  try {
    const path = decodeURIComponent(target.split(/[?#]/, 1)[0]!);
    return path.startsWith('/') && !/[\0\\]/.test(path) ? path : null;
  } catch {
    return null;
  }
}

/** Result of resolving a path of a site. */
export type Resolved = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'folder' } | { readonly kind: 'private' };

/**
 * What a path names, with every link followed, if it lies inside `root`: the real path of a regular file, `folder` for a folder (which
 * counts with its index file), `private` for what a site never sends, whether it is there or not, null for anything else.
 *
 * @param root real path of what is served
 * @param indexes files that stand for a folder; the first that is there does
 */
export async function resolveInside(root: string, path: string, indexes: readonly string[]): Promise<Resolved | null> {
  if (path.split('/').some((part) => part === '.' || part === '..')) return null;
  if (isPrivate(path)) return { kind: 'private' };
  const actual = await actualPath(join(root, path));
  if (actual === null || !isInside(root, actual)) return null;
  // A link with a harmless name can lead to a program.
  if (isPrivate(relative(root, actual))) return { kind: 'private' };
  const found = await lstat(actual).catch(() => null);
  if (!found?.isDirectory()) return found?.isFile() && !path.endsWith('/') ? { kind: 'file', path: actual } : null;
  if (!path.endsWith('/')) return { kind: 'folder' };
  for (const name of indexes) {
    const index = await actualPath(join(actual, name));
    if (index === null || !isInside(root, index)) continue;
    if (isPrivate(relative(root, index))) return { kind: 'private' };
    if ((await lstat(index).catch(() => null))?.isFile()) return { kind: 'file', path: index };
  }
  return null;
}

/**
 * Real path of a folder below a web root, which is then what is served.
 *
 * @param root real path of the web root
 * @param folder without slashes around it; empty for the web root
 * @returns null where there is none, or where it leads out or to what a site never sends
 */
export async function folderInside(root: string, folder: string): Promise<string | null> {
  if (folder === '') return root;
  if (isPrivate(folder) || folder.split('/').some((part) => part === '.' || part === '..')) return null;
  const actual = await actualPath(join(root, folder));
  if (actual === null || !isInside(root, actual) || isPrivate(relative(root, actual))) return null;
  return (await lstat(actual).catch(() => null))?.isDirectory() ? actual : null;
}

/**
 * Opens a file that may have become something else since it was looked at. Only regular files are opened, and without waiting: the owner of
 * a site can put a FIFO there, and whoever opens one waits for a writer, in one of the few threads all files of the process are read in.
 *
 * @returns the caller's to close
 */
export async function openRegular(path: string): Promise<FileHandle | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(() => null);
  if (handle === null || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

function actualPath(path: string): Promise<string | null> {
  // Whatever keeps a path from being resolved (missing, too long, a loop), there is no file to serve.
  return realpath(path).catch(() => null);
}
