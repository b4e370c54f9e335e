import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { replaceFile } from './replace-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that is replaced', () => {
  it('is the old one, alone in its folder, where the new one cannot be written to its end', async () => {
    const file = join(folder, 'tasks.json');
    writeFileSync(file, 'old');
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const writing = replaceFile(file, async (handle) => {
      await handle.writeFile('half of the n');
      throw full;
    });
    await expect(writing).rejects.toBe(full);
    expect(readdirSync(folder)).toEqual(['tasks.json']);
    expect(readFileSync(file, 'utf8')).toBe('old');
    await replaceFile(file, (handle) => handle.writeFile('new'));
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['tasks.json'], 'new']);
  });
});
