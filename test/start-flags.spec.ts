import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

/** Allocates much that stays for a while, and returns the size of the young generation then, in megabytes. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8';
const { whileLoading, whileServing, whileWorking } = await import(process.argv[1]);
function young() {
  let kept = [];
  for (let i = 0; i < 400_000; i += 1) {
    if (i % 100_000 === 0) kept = [];
    kept.push({ i });
  }
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 ** 2;
}
whileLoading();
const loading = young();
whileWorking();
whileServing();
console.log(JSON.stringify({ loading, serving: young() }));
`;

it('the young generation stays small during startup and grows afterwards; this Node version supports the flags', async () => {
  const flags = pathToFileURL(join(PACKAGE_ROOT, 'dist/src/app/v8-flags.js')).href;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM, flags]);
  expect(stderr).toBe('');
  const { loading, serving } = JSON.parse(stdout) as { loading: number; serving: number };
  expect(serving).toBeGreaterThanOrEqual(4 * loading);
});

/** Loads something while compiled code is cached, and returns where: only newer Node versions have a cache. */
const KEEPING = `
import * as nodeModule from 'node:module';
const { keepCompiled, writeCompiled } = await import(process.argv[1]);
keepCompiled();
await import(process.argv[2]);
writeCompiled();
console.log(nodeModule.getCompileCacheDir?.() ?? '');
process.kill(process.pid, 'SIGKILL');
`;

it('compiled code is cached next to the program, also by a killed process, if Node supports it', async () => {
  const [cache, loaded] = ['common/compile-cache.js', 'common/durations.js'].map(
    (file) => pathToFileURL(join(PACKAGE_ROOT, 'dist/src', file)).href,
  );
  // A configured folder takes precedence over ours.
  const { NODE_COMPILE_CACHE: _place, ...env } = process.env;
  const program = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', KEEPING, cache!, loaded!], { env });
  const { stdout, stderr } = await program.catch((killed: unknown) => killed as { stdout: string; stderr: string });
  expect(stderr).toBe('');
  const [folder = ''] = stdout.split('\n');
  expect(folder).toMatch('flushCompileCache' in nodeModule ? /\/dist\/compiled\/[^/]+$/ : /^$/);
  if (folder !== '') expect(readdirSync(folder).length).toBeGreaterThan(0);
});
