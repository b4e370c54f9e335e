import { realpath, stat } from 'node:fs/promises';
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
 * Whether what a path names, with every link followed, lies inside `root`; a folder counts with its index file.
 *
 * @param root real path of the web root
 */
export async function staysInside(root: string, path: string): Promise<boolean> {
  if (path.split('/').some((part) => part.startsWith('.'))) return false;
  let actual = await actualPath(join(root, path));
  if (actual && isInside(root, actual) && (await stat(actual)).isDirectory()) {
    actual = path.endsWith('/') ? await actualPath(join(actual, 'index.html')) : actual;
  }
  return actual !== null && isInside(root, actual);
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

function actualPath(path: string): Promise<string | null> {
  // Whatever keeps a path from being resolved (missing, too long, a loop), there is no file to serve.
  return realpath(path).catch(() => null);
}
