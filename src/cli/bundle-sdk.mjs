/**
 * `node src/cli/bundle-sdk.mjs` writes `sdk/dist`: what the package `@svc/sdk` is made of beside its templates. Its types and helpers are
 * those of `src/sdk`; the command `svc-plugin` is `src/cli/author`, in one file with the parts of the panel it uses. Plain JavaScript,
 * because it runs before anything is built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** The checkout this file belongs to. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Packages that go into the file; `esbuild` and `@swc/core` have parts for each system, and are installed beside it. */
const INSIDE = /^(?:liquidjs|semver|yazl|buffer-crc32)(?:\/|$)/;
const BESIDE = /^(?:node:|esbuild$|@swc\/core$)/;
/**
 * Packages that code of the panel asks for where it is one, which it is not here: its decorators mark nothing, and its log says nothing.
 */
const ABSENT = {
  '@nestjs/common': `const mark = () => () => undefined;
${Object.keys(await import('@nestjs/common'))
  .filter((name) => name !== 'default' && name !== 'module.exports')
  .map((name) => `export const ${name} = mark;`)
  .join('\n')}`,
  pino: `const none = () => undefined;
const quiet = { trace: none, debug: none, info: none, warn: none, error: none, fatal: none, child: () => quiet, bindings: () => ({}) };
export const pino = Object.assign(() => quiet, { stdSerializers: {}, stdTimeFunctions: {} });
export const destination = () => null;
export const symbols = {};`,
};

/**
 * Of the panel's folders only what is used: their `index.ts` would bring all of them. Texts are registered by being imported.
 * @type {import('esbuild').Plugin}
 */
const partsOfPanel = {
  name: 'parts-of-panel',
  setup(builder) {
    builder.onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
      if (!importer.startsWith(join(ROOT, 'src'))) return undefined;
      if (path.startsWith('.')) {
        if (!path.endsWith('.js')) return undefined;
        return { path: resolve(resolveDir, path).replace(/\.js$/, '.ts'), sideEffects: path.endsWith('texts.js') };
      }
      if (path in ABSENT) return { path, namespace: 'absent', sideEffects: false };
      return INSIDE.test(path) ? undefined : { path, external: true, sideEffects: false };
    });
    builder.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({ contents: ABSENT[path] }));
  },
};

/** Packages inside the bundle that are CommonJS ask for modules of Node by `require`. */
const COMMONJS = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

async function bundleCommand(to) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, 'src/cli/author/run-command.ts')],
    outfile: to,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    charset: 'utf8',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, target: 'es2022' } },
    banner: { js: `/* svc-plugin: src/cli/author of the panel, with liquidjs, semver and yazl (MIT, ISC, MIT). */\n${COMMONJS}` },
    plugins: [partsOfPanel],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const stray = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external && !BESIDE.test(path) && !/^[a-z_/]+$/.test(path));
  if (stray.length > 0) throw new Error(`svc-plugin would need packages it does not bring: ${stray.map(({ path }) => path).join(', ')}`);
  // Several may run it for the first time at once.
  const part = `${to}.${process.pid}`;
  writeFileSync(part, outputFiles[0].contents);
  renameSync(part, to);
}

/** Writes `sdk/dist`, where there is such a package. @param root of the checkout that is built */
export async function bundleSdk(root = ROOT) {
  if (!existsSync(join(root, 'sdk/package.json'))) return;
  const dist = join(root, 'sdk/dist');
  mkdirSync(dist, { recursive: true });
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.sdk.json')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of @svc/sdk could not be written.');
  await bundleCommand(join(dist, 'svc-plugin.mjs'));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  rmSync(join(ROOT, 'sdk/dist'), { recursive: true, force: true });
  await bundleSdk();
}
