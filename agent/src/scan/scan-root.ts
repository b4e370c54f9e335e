import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { clip, oneLine } from '../text.js';
import { TaskRefused } from './ends.js';

/** Virtual file systems: endless, or reads may hang. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev', '/run'];

/**
 * Resolves and validates the folder to scan. Access to the panel must not grant access to the rest of the server.
 *
 * @throws TaskRefused
 */
export async function realRoot(root: unknown, sitesRoot: string | null): Promise<string> {
  if (typeof root !== 'string' || root === '') throw new TaskRefused('root_missing');
  const shown = clip(oneLine(root), 200);
  if (root.includes('\0') || root.length > 4_096) throw new TaskRefused('root_form', { path: shown });
  if (!path.isAbsolute(root)) throw new TaskRefused('root_relative', { path: shown });
  if (root.split(/[/\\]/).includes('..')) throw new TaskRefused('root_upwards', { path: shown });
  let real;
  try {
    real = await fs.realpath(root);
    if (!(await fs.stat(real)).isDirectory()) throw new TaskRefused('root_no_folder', { path: shown });
  } catch (error) {
    if (error instanceof TaskRefused) throw error;
    const code = codeOf(error);
    throw code === 'ENOENT' ? new TaskRefused('root_gone', { path: shown }) : new TaskRefused('root_unreadable', { code, path: shown });
  }
  if (real === path.parse(real).root) throw new TaskRefused('root_disk', { path: shown });
  if (SYSTEM_FOLDERS.some((folder) => isInside(real, folder))) throw new TaskRefused('root_system', { path: shown });
  if (sitesRoot !== null) {
    const allowed = await fs.realpath(sitesRoot).catch(() => sitesRoot);
    if (!isInside(real, allowed)) throw new TaskRefused('root_outside', { path: shown, sites: sitesRoot });
  }
  return real;
}

/**
 * Whether `inner` is `outer` or below it; both are real paths.
 * @param outer both real paths
 */
function isInside(inner: string, outer: string) {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
