import type { Dir } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { toShownPath, toSystemPath } from './byte-path.js';

/** Deeper folders are left out: nobody's site is, and a loop of mounts would be. */
const DEPTH_LIMIT = 100;

/** Which files a scan looks at. */
export interface ScanRules {
  /** Searched; without dot, lower case. */
  suffixes: Set<string>;
  /** Names, lower case, or paths below the root. */
  skippedDirs: Set<string>;
  skippedSuffixes: Set<string>;
}

/**
 * Files below a folder whose suffix is searched, one folder open a level: memory does not grow with the tree. Symbolic links are
 * neither entered nor given.
 *
 * @param root byte path
 * @param failed a folder that cannot be read
 * @returns byte paths
 */
export async function* walkFiles(root: string, rules: ScanRules, failed: (path: string, error: unknown) => void): AsyncGenerator<string> {
  const open: { path: string; dir: Dir }[] = [];
  const enter = async (folder: string) => {
    try {
      // "buffer" gives names as bytes; the types of Node do not know it here.
      open.push({
        path: folder,
        dir: await fs.opendir(toSystemPath(folder), { encoding: 'buffer' as BufferEncoding, bufferSize: 256 }),
      });
    } catch (error) {
      failed(folder, error);
    }
  };
  try {
    await enter(root);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      let entry;
      try {
        entry = await top.dir.read();
      } catch (error) {
        failed(top.path, error);
        entry = null;
      }
      if (entry === null) {
        open.pop();
        await top.dir.close().catch(() => undefined);
        continue;
      }
      const name = (entry.name as unknown as Buffer).toString('latin1');
      const full = top.path.endsWith(path.sep) ? top.path + name : top.path + path.sep + name;
      if (entry.isDirectory()) {
        const shown = toShownPath(name).toLowerCase();
        const below = toShownPath(full.slice(root.length + 1))
          .split(path.sep)
          .join('/')
          .toLowerCase();
        if (rules.skippedDirs.has(shown) || rules.skippedDirs.has(below)) continue;
        if (open.length >= DEPTH_LIMIT) failed(full, new Error('too deep'));
        else await enter(full);
      } else if (entry.isFile()) {
        const dot = name.lastIndexOf('.');
        const suffix = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
        if (rules.suffixes.has(suffix) && !rules.skippedSuffixes.has(suffix)) yield full;
      }
    }
  } finally {
    for (const { dir } of open) await dir.close().catch(() => undefined);
  }
}
