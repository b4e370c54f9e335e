import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { clip, oneLine } from '../text.js';
import { TaskRefused } from './ends.js';

/** Folders of the system itself: endless, or answers that hang. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev', '/run'];

/**
 * The folder to scan, without symbolic links. Who has the panel must not get the rest of the server with it.
 *
 * @throws TaskRefused
 */
export async function realRoot(root: unknown, sitesRoot: string | null): Promise<string> {
  if (typeof root !== 'string' || root === '') throw new TaskRefused('请填写扫描目录');
  const shown = clip(oneLine(root), 200);
  if (root.includes('\0') || root.length > 4_096) throw new TaskRefused(`扫描目录无效：${shown}`);
  if (!path.isAbsolute(root)) throw new TaskRefused(`扫描目录必须是绝对路径：${shown}`);
  if (root.split(/[/\\]/).includes('..')) throw new TaskRefused(`扫描目录不能包含 ..：${shown}`);
  let real;
  try {
    real = await fs.realpath(root);
    if (!(await fs.stat(real)).isDirectory()) throw new TaskRefused(`扫描目录不是文件夹：${shown}`);
  } catch (error) {
    if (error instanceof TaskRefused) throw error;
    throw new TaskRefused(codeOf(error) === 'ENOENT' ? `扫描目录不存在：${shown}` : `扫描目录无法读取（${codeOf(error)}）：${shown}`);
  }
  if (real === path.parse(real).root) throw new TaskRefused(`不能扫描整个磁盘：${shown}`);
  if (SYSTEM_FOLDERS.some((folder) => isInside(real, folder))) throw new TaskRefused(`不能扫描系统目录：${shown}`);
  if (sitesRoot !== null) {
    const allowed = await fs.realpath(sitesRoot).catch(() => sitesRoot);
    if (!isInside(real, allowed)) throw new TaskRefused(`扫描目录不在允许的范围内：${shown}（节点配置 sites_root：${sitesRoot}）`);
  }
  return real;
}

/** @param outer both real paths */
function isInside(inner: string, outer: string) {
  const relative = path.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
