import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

// What `.ci/run` does with a suite in which a worker dies: Vitest itself reports such files as passed, or not at all.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-summary-'));
  mkdirSync(join(folder, 'test'));
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(folder, 'node_modules'));
  const order = JSON.stringify(join(PACKAGE_ROOT, 'test/support/longest-first.ts'));
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `import { LongestFirst } from ${order};
    const run = { include: ['test/*.spec.mjs'], pool: 'forks', isolate: false, maxWorkers: 1, sequence: { sequencer: LongestFirst } };
    export default { test: { ...run, reporters: ['json'], outputFile: process.env.VITEST_JSON } };\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spec = (name: string, body: string, more = ''): void =>
  // The larger one comes first.
  writeFileSync(join(folder, `test/${name}.spec.mjs`), `import { expect, it } from 'vitest';\n${body}\n${more}`);
function vitest(report: string, ...files: string[]): void {
  const args = [join(PACKAGE_ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...files];
  const env = { PATH: process.env.PATH, HOME: folder, VITEST_JSON: join(folder, report) };
  const { stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  expect(existsSync(join(folder, report)), stderr).toBe(true);
}
function summary(...args: string[]): { status: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(PACKAGE_ROOT, '.ci/summary.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { status, lines: stdout.split('\n').filter((line) => line !== '') };
}

it('names files whose worker died and files not started, and uses the result of their second run', () => {
  spec('first', "it('passes', () => expect(1).toBe(1)); it.skip('is skipped', () => {});", ' '.repeat(9_000));
  spec('fails', "it('fails', () => expect(1).toBe(2));", ' '.repeat(6_000));
  spec('dies', "it('dies', () => process.kill(process.pid, 'SIGKILL'));", ' '.repeat(3_000));
  spec('last', "it('passes', () => expect(1).toBe(1));");
  vitest('suite.json');
  const told = JSON.parse(readFileSync(join(folder, 'suite.json'), 'utf8')) as { testResults: { name: string; status: string }[] };
  // If Vitest reports more one day, this is no longer needed.
  expect(told.testResults.map(({ name, status }) => `${name.split('/').at(-1)} ${status}`).sort()).toEqual([
    'dies.spec.mjs passed',
    'fails.spec.mjs failed',
    'first.spec.mjs passed',
  ]);
  expect(summary('--failed', 'suite.json').lines.sort()).toEqual(['test/dies.spec.mjs', 'test/fails.spec.mjs']);
  expect(summary('--not-run', 'suite.json').lines).toEqual(['test/last.spec.mjs']);
  const { status, lines } = summary('suite.json');
  expect([status, lines.at(-1)]).toEqual([1, '1 passed, 3 failed, 1 skipped']);
  expect(lines.slice(0, -1).sort()).toEqual([
    'suite: test/dies.spec.mjs failed: its worker crashed',
    expect.stringMatching(/^suite: test\/fails\.spec\.mjs failed: fails: AssertionError: expected 1 to be 2/),
    'suite: test/last.spec.mjs did not run: its worker crashed before it ran',
  ]);

  // Again: accidents are fixed by the second run, and files that still crash stay failed.
  spec('fails', "it('fails no more', () => expect(1).toBe(1));");
  vitest('suite-again.json', 'test/fails.spec.mjs', 'test/last.spec.mjs');
  expect(summary('suite.json', 'suite-again.json')).toMatchObject({ status: 1 });
  expect(summary('suite.json', 'suite-again.json').lines.at(-1)).toBe('3 passed, 1 failed, 1 skipped');
  spec('dies', "it('lives', () => expect(1).toBe(1));");
  vitest('suite-again.json', 'test/fails.spec.mjs', 'test/last.spec.mjs', 'test/dies.spec.mjs');
  const mended = summary('suite.json', 'suite-again.json');
  expect([mended.status, mended.lines.at(-1)]).toEqual([0, '4 passed, 0 failed, 1 skipped']);
  expect(mended.lines).toContain(
    'suite: test/last.spec.mjs did not run in the full run and passed alone: its worker crashed before it ran',
  );
});
