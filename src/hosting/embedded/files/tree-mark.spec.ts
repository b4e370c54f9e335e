import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Folder } from './folder.js';
import { markOf } from './tree-mark.js';

const STOP = new AbortController().signal;
/** As if what was written just now had been written long ago. */
const LATER = 10_000;

describe('fingerprint of a tree', () => {
  let root: string;
  const mark = (later = LATER) => Folder.use(root, [], (folder) => markOf(folder, STOP, Date.now() + later));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-mark-'));
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a', 'one.txt'), 'one');
    writeFileSync(join(root, 'two.txt'), 'two');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is equal while nothing changes, and empty during recent changes', async () => {
    const first = await mark();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await mark()).toBe(first);
    expect(await mark(0)).toBe('');
  });

  it.each<[string, () => void]>([
    ['a file is written with as many bytes and its old time', () => rewrite('one')],
    ['a file is added', () => writeFileSync(join(root, 'a', 'new'), '')],
    ['a file is removed', () => rmSync(join(root, 'two.txt'))],
    ['a file is renamed', () => renameSync(join(root, 'two.txt'), join(root, 'three.txt'))],
    ['a folder is added', () => mkdirSync(join(root, 'b'))],
    ['its rights change', () => chmodSync(join(root, 'two.txt'), 0o600)],
  ])('differs after %s', async (_what, change) => {
    const first = await mark();
    change();
    expect(await mark()).not.toBe(first);
  });

  it('does not follow links', async () => {
    symlinkSync('/etc', join(root, 'etc'));
    expect(await mark()).toMatch(/^[0-9a-f]{64}$/);
  });

  function rewrite(text: string): void {
    const file = join(root, 'a', 'one.txt');
    writeFileSync(file, text);
    utimesSync(file, 1, 1);
  }
});
