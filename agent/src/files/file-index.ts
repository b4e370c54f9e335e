import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { codeOf } from '../errors.js';
import { replaceFile } from './replace-file.js';

/** What is known of a file: size, times of change of content and of entry (the latter cannot be set back by its owner), hash or ''. */
export type Known = [size: number, mtime: number, ctime: number, hash: string];

/** Files of one root as the last scan saw them; decides what changed. */
export class FileIndex {
  entries = new Map<string, Known>();
  readonly file: string;

  /**
   * @param root byte path
   * @param rules hash of what makes a file's last result worthless: other words find other things
   */
  constructor(
    folder: string,
    root: string,
    private readonly rules: string,
  ) {
    this.file = path.join(folder, `${createHash('sha256').update(root, 'latin1').digest('hex').slice(0, 32)}.jsonl`);
  }

  /** @returns why it is empty, if it is */
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

  /** Writes it whole, or not at all. */
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

  /** Removes all but the newest indexes: the panel may name any number of roots. */
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

/** What is known of a file that was just looked at. */
export function knownOf(stat: Stats, hash: string): Known {
  return [stat.size, stat.mtimeMs, stat.ctimeMs, hash];
}
