import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The path of a request target as a person would write it; null for one no file can have. */
export function decodedPath(target: string): string | null {
  try {
    const path = decodeURIComponent(target.split(/[?#]/, 1)[0]!);
    return path.startsWith('/') && !/[\0\\]/.test(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * What a path names, with every link followed, if it lies inside `root`: an open file, `folder` for a folder (which counts with
 * its index file), null for anything else. Only regular files are opened, and without waiting: the owner of a site can put a FIFO
 * there, and whoever opens one waits for a writer, in one of the few threads all files of the process are read in.
 *
 * @param root real path of the web root
 * @returns a file is the caller's to close
 */
export async function openInside(root: string, path: string): Promise<FileHandle | 'folder' | null> {
  if (path.split('/').some((part) => part.startsWith('.'))) return null;
  const actual = await actualPath(join(root, path));
  if (actual === null || !isInside(root, actual)) return null;
  const found = await lstat(actual).catch(() => null);
  if (!found?.isDirectory()) return found?.isFile() && !path.endsWith('/') ? openRegular(actual) : null;
  if (!path.endsWith('/')) return 'folder';
  const index = await actualPath(join(actual, 'index.html'));
  return index !== null && isInside(root, index) && (await lstat(index).catch(() => null))?.isFile() ? openRegular(index) : null;
}

/** Opens a file that may have become something else since it was looked at. */
async function openRegular(path: string): Promise<FileHandle | null> {
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
