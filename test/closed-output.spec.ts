/** Commands whose output is not read to the end, as in `… | head`: they exit quietly and still complete their work. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'svc-closed-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program whose output is not read. Without a terminal of its own, it cannot ask questions either. */
async function unread(program: string, args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const env = { ...process.env, DATA_DIR: join(folder, 'data') };
  const child: ChildProcess = spawn(process.execPath, [join(PACKAGE_ROOT, program), ...args], { cwd: folder, env, detached: true });
  child.stdin!.end();
  child.stdout!.destroy();
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const errors = await text(child.stderr!);
  return { code: (await ended)[0], errors };
}

it.each([
  ['svc', 'dist/src/cli/svc.js', ['help'], 0],
  ['svc, of what there is not', 'dist/src/cli/svc.js', ['dance'], 2],
  ['svc-plugin', 'sdk/bin/svc-plugin.mjs', ['help'], 0],
  ['the agent', 'dist/agent/svc-agent.mjs', ['--help'], 0],
  ['its installation, which nobody can be asked about', 'dist/agent/svc-agent.mjs', ['--install'], 1],
])('%s exits quietly', { timeout: 60_000 }, async (_name, program, args, code) => {
  expect(await unread(program, args)).toEqual({ code, errors: '' });
});

it('svc-plugin create still creates the whole project', { timeout: 60_000 }, async () => {
  expect(await unread('sdk/bin/svc-plugin.mjs', ['create', 'unread', '--kind', 'function'])).toEqual({ code: 0, errors: '' });
  const read = spawn(process.execPath, [join(PACKAGE_ROOT, 'sdk/bin/svc-plugin.mjs'), 'create', 'wasread', '--kind', 'function'], {
    cwd: folder,
  });
  await text(read.stdout);
  const made = (name: string): string[] => readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).sort();
  expect(made('unread').map((path) => path.replaceAll('unread', 'wasread'))).toEqual(made('wasread'));
  expect(made('unread')).toContain('package.json');
});
