import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { buildProject } from './build.js';
import type { AuthorCommand } from './terminal.js';

const TEST_FILE = /\.test\.[cm]?[jt]s$/;

/** `svc-plugin test`. */
export const test: AuthorCommand = {
  usage: '[--panel DIR] [--database SERVER]',
  summary:
    'builds, and runs test/*.test.ts (or .js) with Node’s test runner; DIR is a built panel for the test kit; SERVER ' +
    'is used instead of SQLite, for example mysql://root@127.0.0.1:3306',
  async run(args, terminal) {
    const { values } = readArguments(args, { panel: { type: 'string' }, database: { type: 'string' } }, 0);
    const { folder } = await buildProject(terminal);
    const files = testsIn(join(folder, 'test'));
    if (files.length === 0) throw new AuthorError('There are no tests. Add one to test/, for example test/first.test.ts');
    const tempDir = mkdtempSync(join(tmpdir(), 'svc-plugin-tests-'));
    try {
      const ready = await bundleTests(folder, files, tempDir);
      const env = {
        ...terminal.env,
        ...(values.panel === undefined ? {} : { SVC_PANEL: values.panel }),
        ...(values.database === undefined ? {} : { SVC_TEST_DATABASE: values.database }),
      };
      const line = ['--enable-source-maps', '--test', '--test-force-exit', '--test-reporter=spec', ...ready];
      const child = spawn(process.execPath, line, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const lines = (chunk: Buffer): string => chunk.toString().replace(/\n$/, '');
      child.stdout.on('data', (chunk: Buffer) => terminal.say(lines(chunk)));
      child.stderr.on('data', (chunk: Buffer) => terminal.warn(lines(chunk)));
      const [status] = (await once(child, 'close')) as [number | null];
      return status === 0 ? 0 : 1;
    } finally {
      rmSync(tempDir, { recursive: true, force: true });
    }
  },
};

function testsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => TEST_FILE.test(name) && !name.includes('node_modules')).map((name) => join(folder, name));
}

/**
 * Bundles tests into files that Node runs directly. `@svc/sdk` resolves to the files next to this program, whether or not it is installed
 * in the test's folder.
 */
const localSdk: Plugin = {
  name: 'local-sdk',
  setup(builder) {
    const files: Record<string, string> = { '@svc/sdk': './index.js', '@svc/sdk/testing': './testing.js' };
    builder.onResolve({ filter: /^@svc\/sdk(?:\/testing)?$/ }, ({ path }) => ({
      path: pathToFileURL(fileURLToPath(new URL(files[path]!, import.meta.url))).href,
      external: true,
    }));
  },
};

/** @returns the files to run */
async function bundleTests(folder: string, files: readonly string[], tempDir: string): Promise<string[]> {
  const entryPoints = Object.fromEntries(files.map((file, at) => [`${at}-${parse(file).name}`, file]));
  try {
    await build({
      entryPoints,
      outdir: tempDir,
      outExtension: { '.js': '.mjs' },
      absWorkingDir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [localSdk],
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
  } catch (error) {
    throw new AuthorError(`The tests cannot be built: ${(error as Error).message}`);
  }
  return Object.keys(entryPoints).map((name) => join(tempDir, `${name}.mjs`));
}
