import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

/** Makes much that stays for a while, and says how large the young generation is then, in megabytes. */
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

it('the young generation stays small while the program starts, and grows afterwards; this version of Node knows the flags', async () => {
  const flags = pathToFileURL(join(PACKAGE_ROOT, 'dist/src/app/v8-flags.js')).href;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM, flags]);
  expect(stderr).toBe('');
  const { loading, serving } = JSON.parse(stdout) as { loading: number; serving: number };
  expect(serving).toBeGreaterThanOrEqual(4 * loading);
});
