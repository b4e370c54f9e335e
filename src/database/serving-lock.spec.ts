import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../common/index.js';

import { serveAlone } from './serving-lock.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-serving-'));
  path = join(folder, 'panel.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is held by one process, which a second one can name, and by the next one after its release', async () => {
  const letGo = await serveAlone(path, 'panel');
  await expect(serveAlone(path, 'panel')).rejects.toMatchObject({
    name: 'ServedAlready',
    holder: { what: 'panel', pid: process.pid, host: hostname() },
    message: expect.stringMatching(
      new RegExp(`in use by panel, process ${process.pid} on .* UTC\\. .*kill ${process.pid}.*DATA_DIR`),
    ) as string,
  });
  letGo();
  const next = await serveAlone(path, 'svc restore');
  await expect(serveAlone(path, 'panel')).rejects.toMatchObject({ holder: { what: 'svc restore' } });
  next();
});

it('is granted to one of many concurrent callers', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => serveAlone(path, 'panel')));
  const had = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(had).toHaveLength(1);
  had[0]!();
});

it('is released when its process is killed', async () => {
  const script = `import(${JSON.stringify(join(PACKAGE_ROOT, 'dist/src/database/serving-lock.js'))})
    .then(({ serveAlone }) => serveAlone(process.argv[1], 'panel')).then(() => { console.log('held'); setInterval(() => {}, 1000); });`;
  expect(existsSync(join(PACKAGE_ROOT, 'dist/src/database'))).toBe(true);
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    expect(String((await once(child.stdout, 'data'))[0])).toContain('held');
    await expect(serveAlone(path, 'panel')).rejects.toMatchObject({ holder: { pid: child.pid } });
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  (await serveAlone(path, 'panel'))();
});

it('reports a file that is not a lock instead of continuing without one', async () => {
  writeFileSync(`${path}.serving`, 'something else, long enough to be looked at as the head of a database '.repeat(4));
  await expect(serveAlone(path, 'panel')).rejects.toThrow(/panel\.db\.serving cannot be read .*not a database.* remove the file/);
});
