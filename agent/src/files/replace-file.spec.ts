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

describe('replacing a file', () => {
  it('keeps the old file and leaves no temporary file if writing fails', async () => {
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
