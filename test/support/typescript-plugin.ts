import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { PACKAGE_ROOT } from '../../src/common/index.js';

const execute = promisify(execFile);
const BIN = join(PACKAGE_ROOT, 'node_modules/.bin');

/** Folder of a plugin author: sources, `@svc/sdk`, and the packages docs/plugin-api.md says to install. */
export class TypeScriptPlugin {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-author-'));

  static async create(): Promise<TypeScriptPlugin> {
    const author = new TypeScriptPlugin();
    const modules = join(author.folder, 'node_modules');
    const sdk = join(modules, '@svc/sdk');
    mkdirSync(sdk, { recursive: true });
    await execute(join(BIN, 'tsc'), ['-p', join(PACKAGE_ROOT, 'tsconfig.sdk.json'), '--outDir', join(sdk, 'dist')]);
    cpSync(join(PACKAGE_ROOT, 'sdk/package.json'), join(sdk, 'package.json'));
    for (const name of ['@types', '@nestjs', 'typeorm', 'rxjs', 'reflect-metadata'])
      symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(modules, name));
    author.write('package.json', '{ "name": "author", "version": "1.0.0" }');
    return author;
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Runs a command such as `npx tsc`; a failure throws an error with its output. */
  async run(command: string): Promise<void> {
    const line = command.replace(/^npx /, '');
    try {
      await execute('/bin/sh', ['-c', line], { cwd: this.folder, env: { ...process.env, PATH: `${BIN}:${process.env.PATH}` } });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${line}\n${stdout}${stderr}`, { cause: error });
    }
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the code blocks below a heading of a page in docs/, in order. */
export function codeBlocks(page: string, heading: string): string[] {
  const text = readFileSync(join(PACKAGE_ROOT, 'docs', page), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`)).split(/\n#{2,3} /)[1] ?? '';
  return [...section.matchAll(/```\w+\n([^]*?)```/g)].map((match) => match[1]!);
}
