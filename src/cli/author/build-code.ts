import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { transform } from '@swc/core';
import { build, formatMessages, type Message, type OnLoadResult, type Plugin } from 'esbuild';

import { AuthorError } from './author-error.js';
import { LICENSES_FILE, licencesOf } from './licences.js';
import { nativeAddOns } from './native-add-ons.js';
import type { Project } from './project.js';

/** What the panel has for plugins at run time; see docs/plugin-api.md "The package". */
export const GIVEN_BY_PANEL = ['@svc/sdk', '@nestjs/*', 'typeorm', 'rxjs', 'reflect-metadata'];

/** What a build wrote. */
export interface BuiltCode {
  /** Path below the project's folder. */
  readonly file: string;
  readonly bytes: number;
  /** Names and versions of packages that are part of it. */
  readonly packages: readonly string[];
  /** Lines for the author that stop nothing. */
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/**
 * Puts a plugin's sources and the packages they use into the one CommonJS file its manifest names, with a source map and the licences of
 * those packages beside it. Nothing of it is written before all of it is there.
 *
 * @throws AuthorError with file, line and reason where it cannot be built
 */
export async function buildCode({ folder, source, main }: Project): Promise<BuiltCode> {
  const since = performance.now();
  const outfile = join(folder, main);
  const result = await build({
    entryPoints: [join(folder, source!)],
    absWorkingDir: folder,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8',
    // Classes are known by their names in log lines and in TypeORM.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: true,
    supported: { 'dynamic-import': false },
    external: GIVEN_BY_PANEL,
    plugins: [nativeAddOns, decoratorTypes],
    metafile: true,
    write: false,
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  }).catch(async (error: unknown) => {
    const { errors } = error as { errors?: Message[] };
    if (!errors) throw error;
    throw new AuthorError((await inWords(errors, 'error')).join('\n'));
  });
  for (const { path, contents } of result.outputFiles) writeWhole(path, contents);
  const { packages, text } = licencesOf(Object.keys(result.metafile.inputs), folder);
  if (text === '') rmSync(join(folder, LICENSES_FILE), { force: true });
  else writeWhole(join(folder, LICENSES_FILE), text);
  return {
    file: main,
    bytes: result.outputFiles.find(({ path }) => path === outfile)!.contents.length,
    packages,
    warnings: await inWords(result.warnings, 'warning'),
    milliseconds: Math.round(performance.now() - since),
  };
}

async function inWords(messages: Message[], kind: 'error' | 'warning'): Promise<string[]> {
  const lines = await formatMessages(messages, { kind, color: false, terminalWidth: 140 });
  return lines.map((line) => line.trim());
}

/** Beside it and renamed: a panel that looks at the folder sees the file before or the new one. */
function writeWhole(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  writeFileSync(part, contents);
  renameSync(part, path);
}

/** What TypeScript knows of the parameters of a class, which Nest injects by, is written down by SWC; esbuild leaves it out. */
const decoratorTypes: Plugin = {
  name: 'decorator-types',
  setup(builder) {
    const root = builder.initialOptions.absWorkingDir!;
    builder.onLoad({ filter: /\.[cm]?ts$/ }, async ({ path }): Promise<OnLoadResult | undefined> => {
      const code = readFileSync(path, 'utf8');
      if (/[\\/]node_modules[\\/]/.test(path) || !code.includes('@')) return undefined;
      try {
        const { code: contents } = await transform(code, {
          filename: relative(root, path).replaceAll('\\', '/'),
          configFile: false,
          swcrc: false,
          sourceMaps: 'inline',
          inlineSourcesContent: true,
          module: { type: 'es6' },
          jsc: {
            target: 'es2022',
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true },
          },
        });
        // As TypeScript: what was imported for its type alone need not be there.
        return { contents, loader: 'ts' };
      } catch {
        // esbuild says what is wrong with it, by file and line.
        return undefined;
      }
    });
  },
};
