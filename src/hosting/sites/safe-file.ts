import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { PROGRAM_ENDING, WELL_KNOWN } from '../driver/index.js';

/** Programs are never run by this server, and their source must not be sent. */
const PROGRAM_NAME = new RegExp(`${PROGRAM_ENDING}$`, 'i');

/** Returns whether any part of a path, from the web root, names a program or a hidden file. */
export function isPrivate(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.some((part, index) => PROGRAM_NAME.test(part) || (part.startsWith('.') && !(index === 0 && part === WELL_KNOWN)));
}

/** Decodes the path of a request target; null if no file can have it. */
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
 * Resolves a path inside `root`, following symbolic links: the real path of a regular file, `folder` for a folder (resolved through its
 * index file), `private` for what is never sent, whether it exists or not, null for anything else.
 *
 * @param root real path of the served folder
 * @param indexes index files of a folder; the first existing one is used
 */
export async function resolveInside(root: string, path: string, indexes: readonly string[]): Promise<Resolved | null> {
  if (path.split('/').some((part) => part === '.' || part === '..')) return null;
  if (isPrivate(path)) return { kind: 'private' };
  const actual = await actualPath(join(root, path));
  if (actual === null || !isInside(root, actual)) return null;
  // A symbolic link with a harmless name can point to a program.
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
 * Returns the real path of a folder below a web root, from which files are then served.
 *
 * @param root real path of the web root
 * @param folder without surrounding slashes; empty for the web root
 * @returns null if it does not exist, is outside of the root, or is never sent
 */
export async function folderInside(root: string, folder: string): Promise<string | null> {
  if (folder === '') return root;
  if (isPrivate(folder) || folder.split('/').some((part) => part === '.' || part === '..')) return null;
  const actual = await actualPath(join(root, folder));
  if (actual === null || !isInside(root, actual) || isPrivate(relative(root, actual))) return null;
  return (await lstat(actual).catch(() => null))?.isDirectory() ? actual : null;
}

/**
 * Opens a file that may have been replaced since it was checked. Opens only regular files, non-blocking: a site owner can create a FIFO,
 * and opening one blocks until a writer appears, in one of the few threads that read all files of the process.
 *
 * @returns a handle the caller must close
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
  // If a path cannot be resolved for any reason (missing, too long, a loop), there is no file to serve.
  return realpath(path).catch(() => null);
}
