import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { transform } from '@swc/core';
import { build, formatMessages, type BuildOptions, type Message, type OnLoadResult, type Plugin } from 'esbuild';

import { AuthorError } from './author-error.js';
import { LICENSES_FILE, licencesOf } from './licences.js';
import { nativeAddOns } from './native-add-ons.js';
import type { Project } from './project.js';

/** Packages the panel provides to plugins at run time; see docs/plugin-api.md "The package". */
export const GIVEN_BY_PANEL = ['@svc/sdk', '@nestjs/*', 'typeorm', 'rxjs', 'reflect-metadata'];

/** The result of a build. */
export interface BuiltCode {
  /** Paths relative to the project's folder: the code, then the scripts of pages. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Names and versions of the bundled packages. */
  readonly packages: readonly string[];
  /** Messages for the author that do not stop the build. */
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

/** Build options for code that runs in the panel. */
const FOR_PANELS: BuildOptions = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Log lines and TypeORM identify classes by name.
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: true,
  supported: { 'dynamic-import': false },
  external: GIVEN_BY_PANEL,
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
};

/** Build options for scripts of pages. Not minified, because reviewers read them; they are sent compressed. */
const FOR_BROWSERS: BuildOptions = { platform: 'browser', format: 'iife', target: 'es2022', tsconfigRaw: {} };

/**
 * Bundles a plugin's sources and the packages they use into the one CommonJS file its manifest names, with a source map and the licences of
 * those packages next to it, and each script of its pages (`browser/*.ts`) into a file in `assets/`. Nothing is written until everything
 * has been built.
 *
 * @throws AuthorError with file, line and reason if the build fails
 */
export async function buildCode({ folder, source, main, scripts }: Project): Promise<BuiltCode> {
  const since = performance.now();
  const wanted: BuildOptions[] = [
    { ...FOR_PANELS, entryPoints: [join(folder, source!)], outfile: join(folder, main), plugins: [nativeAddOns, decoratorTypes] },
    ...(scripts.length === 0
      ? []
      : [{ ...FOR_BROWSERS, entryPoints: scripts.map(({ source: script }) => join(folder, script)), outdir: join(folder, 'assets') }]),
  ];
  const results = await Promise.all(wanted.map((options) => bundled(folder, options)));
  const written = results.flatMap(({ outputFiles }) => outputFiles);
  for (const { path, contents } of written) writeAtomically(path, contents);
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const { packages, text } = licencesOf(inputs, folder);
  if (text === '') rmSync(join(folder, LICENSES_FILE), { force: true });
  else writeAtomically(join(folder, LICENSES_FILE), text);
  const bytesOf = (file: string): number => written.find(({ path }) => path === join(folder, file))!.contents.length;
  return {
    files: [main, ...scripts.map(({ built }) => built)].map((path) => ({ path, bytes: bytesOf(path) })),
    packages,
    warnings: (await Promise.all(results.map(({ warnings }) => formatted(warnings, 'warning')))).flat(),
    milliseconds: Math.round(performance.now() - since),
  };
}

/** @throws AuthorError with file, line and reason */
async function bundled(folder: string, options: BuildOptions) {
  return build({
    ...options,
    absWorkingDir: folder,
    bundle: true,
    charset: 'utf8',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }).catch(async (error: unknown) => {
    const { errors } = error as { errors?: Message[] };
    if (!errors) throw error;
    throw new AuthorError((await formatted(errors, 'error')).join('\n'));
  });
}

async function formatted(messages: Message[], kind: 'error' | 'warning'): Promise<string[]> {
  const lines = await formatMessages(messages, { kind, color: false, terminalWidth: 140 });
  return lines.map((line) => line.trim());
}

/**
 * Writes a file atomically, by renaming, so that a panel reading the folder sees either the old or the new file. An unchanged file is not
 * written, so that `svc-plugin dev` does not treat it as a change.
 */
function writeAtomically(path: string, contents: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  writeFileSync(part, contents);
  renameSync(part, path);
}

/** Lets SWC emit the constructor parameter types that Nest injects by; esbuild omits them. */
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
        // As in TypeScript: modules imported only for their types need not exist.
        return { contents, loader: 'ts' };
      } catch {
        // esbuild reports the error with file and line.
        return undefined;
      }
    });
  },
};
