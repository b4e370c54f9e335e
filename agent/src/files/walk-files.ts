import type { Dir } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { toShownPath, toSystemPath } from './byte-path.js';

/** Deeper folders are skipped: no site is that deep, but a loop of mounts is. */
const DEPTH_LIMIT = 100;

/** Selects the files of a scan. */
export interface ScanRules {
  /** Suffixes to search, without dot, in lower case. */
  suffixes: Set<string>;
  /** Folder names or paths below the root, in lower case. */
  skippedDirs: Set<string>;
  skippedSuffixes: Set<string>;
}

/**
 * Walks the files below a folder that have a searched suffix. One folder per level is open at a time, so memory does not grow with the
 * tree. Symbolic links are neither followed nor returned.
 *
 * @param root byte path
 * @param failed called for a folder that cannot be read
 * @returns byte paths
 */
export async function* walkFiles(root: string, rules: ScanRules, failed: (path: string, error: unknown) => void): AsyncGenerator<string> {
  const open: { path: string; dir: Dir }[] = [];
  const enter = async (folder: string) => {
    try {
      // "buffer" returns names as bytes, which Node's types do not declare for this option.
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
