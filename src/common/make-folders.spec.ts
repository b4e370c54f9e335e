import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { makeFolders } from './make-folders.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-folders-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('creates missing folders and leaves existing ones unchanged', () => {
  makeFolders(join(folder, 'a/b/c'), 0o700);
  expect(statSync(join(folder, 'a/b/c')).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, 'a/b/c/file'), '');
  makeFolders(join(folder, 'a/b/c'), 0o700);
  expect(existsSync(join(folder, 'a/b/c/file'))).toBe(true);
});

it.skipIf(!existsSync('/proc/self'))('ends with an error where the system makes none, as below /proc', () => {
  expect(() => makeFolders('/proc/x/y')).toThrow(/ENOENT/);
});

it('fails if a file is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file/below'))).toThrow(/ENOTDIR/);
});
