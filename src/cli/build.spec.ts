import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../common/index.js';

/** Stands for the compiler, which takes seconds: copies the sources, and fails where one says so. */
const COMPILER = `
const { cpSync, readFileSync } = require('node:fs');
cpSync('src', 'dist/src', { recursive: true });
process.exitCode = readFileSync('src/main.ts', 'utf8').includes('mistake') ? 1 : 0;`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-test-'));
  put('node_modules/typescript-7/bin/tsc', COMPILER);
  put('src/main.ts', 'one');
  put('agent/src/main.ts', "import { word } from './word.js';\nconsole.log(word as string);");
  put('agent/src/word.ts', "export const word = 'first';");
  put('agent/server-install.sh', 'the installer');
  put('src/other.ts', 'other');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Whether a build ran, and how it ended. */
function build(...options: string[]): { built: boolean; status: number | null } {
  const { status, stdout } = spawnSync(process.execPath, [join(PACKAGE_ROOT, 'src/cli/build.mjs'), ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  return { built: stdout.includes('Building'), status };
}

const builtFile = (name: string): string => join(root, 'dist/src', name);

describe('building when needed', () => {
  it('builds once, and always when told to', () => {
    expect(build('--if-needed')).toEqual({ built: true, status: 0 });
    expect(build('--if-needed')).toEqual({ built: false, status: 0 });
    expect(build()).toEqual({ built: true, status: 0 });
    expect(build('--if-needed')).toEqual({ built: false, status: 0 });
  });

  it('builds again when a source is another, also one with an older time, and not for a test', () => {
    build();
    put('src/main.spec.ts', 'a test is not part of a build');
    expect(build('--if-needed').built).toBe(false);
    put('src/main.ts', 'two');
    utimesSync(join(root, 'src/main.ts'), 1_000_000, 1_000_000);
    expect(build('--if-needed')).toEqual({ built: true, status: 0 });
    expect(readFileSync(builtFile('main.ts'), 'utf8')).toBe('two');
    put('package-lock.json', '{}');
    expect(build('--if-needed').built).toBe(true);
  });

  it('puts the agent together as one file that runs alone, again when a part of it is another', () => {
    const agent = (): string => spawnSync(process.execPath, [join(root, 'dist/agent/svc-agent.mjs')], { encoding: 'utf8' }).stdout;
    build();
    expect(agent()).toBe('first\n');
    put('agent/src/word.ts', "export const word = 'second';");
    expect([build('--if-needed').built, agent()]).toEqual([true, 'second\n']);
    put('agent/src/word.ts', 'export const nothing = 1;');
    expect(build('--if-needed').status).toBe(1);
    expect(build('--if-needed')).toEqual({ built: true, status: 1 });
  });

  it('puts a program together with the modules it loads, whenever it loads them', () => {
    put(
      'src/main.js',
      "import { word } from './word.js';\nconst { late } = await import('./late.js');\nconsole.log(word, late, late.name);",
    );
    put('src/word.js', "export const word = 'first';");
    put('src/late.js', 'export class late {}');
    build();
    for (const name of ['word.js', 'late.js']) rmSync(builtFile(name));
    const { stdout } = spawnSync(process.execPath, [builtFile('main.js')], { encoding: 'utf8' });
    expect(stdout).toBe('first [class late] late\n');
  });

  it('puts each script and each style of pages together as one file, again when a part of it is another', () => {
    put('src/web/browser/tsconfig.json', '{}');
    put('src/web/browser/scripts/app.ts', "import { word } from '../kit/word.js';\ndocument.title = word as string;");
    put('src/web/browser/kit/word.ts', "export const word = 'first';");
    put('src/web/browser/styles/app.css', "@import '../kit/kit.css';\nb { color: blue; }");
    put('src/web/browser/kit/kit.css', 'a { color: red; }');
    expect(build('--if-needed')).toEqual({ built: true, status: 0 });
    const script = (): string => readFileSync(join(root, 'dist/browser/app.js'), 'utf8');
    expect(script()).toMatch(/document\.title=.*first|first.*document\.title=/);
    expect(script()).not.toContain('import');
    expect(readFileSync(join(root, 'dist/browser/app.css'), 'utf8')).toMatch(/^a\{color:red\}b\{color:(#00f|blue)\}\s*$/);
    put('src/web/browser/kit/word.ts', "export const word = 'second';");
    build('--if-needed');
    expect(script()).toContain('second');
  });

  it('makes a package of every bundled plugin: its code as one file, and what is around it', () => {
    put('plugins/coupons/plugin.json', '{"id":"coupons"}');
    put(
      'plugins/coupons/src/index.ts',
      "import { Module } from '@nestjs/common';\nimport { name } from './name.js';\n@Module({})\nexport default " +
        'class Coupons { static called = name; }',
    );
    put('plugins/coupons/src/name.ts', "export const name: string = 'coupons';");
    put('plugins/coupons/lang/en.json', '{}');
    put('plugins/tsconfig.json', '{ "compilerOptions": { "experimentalDecorators": true } }');
    expect(build('--if-needed')).toEqual({ built: true, status: 0 });
    const folder = join(root, 'dist/plugins/coupons');
    expect(readdirSync(folder).sort()).toEqual(['index.js', 'lang', 'plugin.json']);
    const code = readFileSync(join(folder, 'index.js'), 'utf8');
    expect(code).toContain('require("@nestjs/common")');
    expect(code).toContain('"coupons"');
    put('plugins/coupons/lang/en.json', '{"a":"b"}');
    expect(build('--if-needed').built).toBe(true);
  });

  it('puts each script and style of a bundled plugin together with what several share, and leaves its other assets as they are', () => {
    put('plugins/coupons/plugin.json', '{"id":"coupons"}');
    put('plugins/coupons/src/index.ts', 'export default () => undefined;');
    put('plugins/coupons/assets/coupons.css', "@import '../../page-kit/page.css';\nb { color: blue; }");
    put('plugins/coupons/browser/coupons.ts', "import '@svc/page-kit/browser/shared';\ndocument.title += 'own' as string;");
    put('plugins/tsconfig.json', '{ "compilerOptions": { "paths": { "@svc/page-kit/browser/*": ["./page-kit/browser/*.ts"] } } }');
    put('plugins/coupons/assets/logo.svg', '<svg  />');
    put('plugins/page-kit/page.css', 'a { color: red; }');
    put('plugins/page-kit/browser/shared.ts', "document.title = 'first';");
    build();
    const asset = (name: string): string => readFileSync(join(root, 'dist/plugins/coupons/assets', name), 'utf8');
    expect(asset('coupons.css')).toMatch(/^a\{color:red\}b\{color:(#00f|blue)\}\s*$/);
    expect(asset('coupons.js')).toMatch(/"first".*"own"/);
    expect(asset('coupons.js')).not.toContain('import');
    expect(asset('logo.svg')).toBe('<svg  />');
    expect(readdirSync(join(root, 'dist/plugins'))).toEqual(['coupons']);
    put('plugins/page-kit/browser/shared.ts', "document.title = 'second';");
    expect(build('--if-needed').built).toBe(true);
    expect(asset('coupons.js')).toContain('second');
  });

  it('leaves nothing of a source that is gone', () => {
    build();
    expect(existsSync(builtFile('other.ts'))).toBe(true);
    rmSync(join(root, 'src/other.ts'));
    expect(build('--if-needed').built).toBe(true);
    expect([existsSync(builtFile('other.ts')), existsSync(builtFile('main.ts'))]).toEqual([false, true]);
  });

  it('does not take a build that failed for one', () => {
    put('src/main.ts', 'a mistake');
    expect(build('--if-needed')).toEqual({ built: true, status: 1 });
    expect(build('--if-needed')).toEqual({ built: true, status: 1 });
  });
});
