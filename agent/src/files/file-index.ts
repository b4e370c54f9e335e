import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { codeOf } from '../errors.js';
import { replaceFile } from './replace-file.js';

/** Index entry of a file: size, mtime, ctime (which the owner cannot set back), and hash or ''. */
export type Known = [size: number, mtime: number, ctime: number, hash: string];

/** Index of the files of one root as of the last scan; decides which files changed. */
export class FileIndex {
  entries = new Map<string, Known>();
  readonly file: string;

  /**
   * @param root byte path
   * @param rules hash of the scan rules; earlier results are invalid when the keywords change
   */
  constructor(
    folder: string,
    root: string,
    private readonly rules: string,
  ) {
    this.file = path.join(folder, `${createHash('sha256').update(root, 'latin1').digest('hex').slice(0, 32)}.jsonl`);
  }

  /**
   * Loads the index. @returns why it is empty, if it is
   * @returns why it is empty, if it is
   */
  async load(): Promise<'loaded' | 'none' | 'rules' | 'damaged'> {
    const stream = createReadStream(this.file, 'utf8');
    let first = true;
    let outcome: 'loaded' | 'none' | 'rules' | 'damaged' = 'none';
    let expected = 0;
    try {
      for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
        const value = JSON.parse(line);
        if (first) {
          first = false;
          if (value.rules !== this.rules) return 'rules';
          expected = value.files;
          outcome = 'loaded';
        } else {
          const [name, size, mtime, ctime, hash] = value;
          this.entries.set(String(name), [Number(size), Number(mtime), Number(ctime), String(hash)]);
        }
      }
    } catch (error) {
      outcome = codeOf(error) === 'ENOENT' ? 'none' : 'damaged';
    } finally {
      stream.destroy();
    }
    if (outcome === 'loaded' && this.entries.size !== expected) outcome = 'damaged';
    if (outcome !== 'loaded') this.entries.clear();
    return outcome;
  }

  /** Writes the index atomically. */
  async save() {
    await replaceFile(this.file, async (handle) => {
      let lines: string[] = [JSON.stringify({ rules: this.rules, files: this.entries.size })];
      for (const [name, known] of this.entries) {
        lines.push(JSON.stringify([name, ...known]));
        if (lines.length >= 2_000) {
          await handle.write(`${lines.join('\n')}\n`);
          lines = [];
        }
      }
      if (lines.length > 0) await handle.write(`${lines.join('\n')}\n`);
    });
  }

  /** Removes all but the newest indexes, because the panel may name any number of roots. */
  static async prune(folder: string, keep: number) {
    const files = await Promise.all(
      (await fs.readdir(folder))
        .filter((name) => name.endsWith('.jsonl'))
        .map(async (name) => ({ name, time: (await fs.stat(path.join(folder, name)).catch(() => ({ mtimeMs: 0 }))).mtimeMs })),
    );
    files.sort((a, b) => b.time - a.time);
    for (const { name } of files.slice(keep)) await fs.rm(path.join(folder, name), { force: true });
  }
}

/** Builds the index entry of a file from its stat. */
export function knownOf(stat: Stats, hash: string): Known {
  return [stat.size, stat.mtimeMs, stat.ctimeMs, hash];
}
