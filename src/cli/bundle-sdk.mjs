/**
 * `node src/cli/bundle-sdk.mjs` writes `sdk/dist`, the content of the package `@svc/sdk` besides its templates. Types and helpers come from
 * `src/sdk`; the command `svc-plugin` is `src/cli/author` bundled with the parts of the panel it uses. Plain JavaScript, because it runs
 * before anything is compiled.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** The repository root. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundled packages; `esbuild` and `@swc/core` have platform-specific binaries and stay external. */
const BUNDLED = /^(?:liquidjs|semver|yazl|buffer-crc32)(?:\/|$)/;
const EXTERNAL = /^(?:node:|esbuild$|@swc\/core$)/;
/** Stubs for packages that panel code imports but `svc-plugin` does not need: decorators without effect and a silent logger. */
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
 * Bundles only the used parts of the panel, without the side effects of each folder's `index.ts`. Language texts register on import and are
 * kept.
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
      return BUNDLED.test(path) ? undefined : { path, external: true, sideEffects: false };
    });
    builder.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({ contents: ABSENT[path] }));
  },
};

/** Bundled CommonJS packages load Node modules with `require`. */
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
    .filter(({ path, external }) => external && !EXTERNAL.test(path) && !/^[a-z_/]+$/.test(path));
  if (stray.length > 0) throw new Error(`svc-plugin imports packages that are not bundled: ${stray.map(({ path }) => path).join(', ')}`);
  // Several processes may run this concurrently for the first time.
  const part = `${to}.${process.pid}`;
  writeFileSync(part, outputFiles[0].contents);
  renameSync(part, to);
}

/** Writes `sdk/dist` if the package exists. @param root repository root to build */
export async function bundleSdk(root = ROOT) {
  if (!existsSync(join(root, 'sdk/package.json'))) return;
  const dist = join(root, 'sdk/dist');
  mkdirSync(dist, { recursive: true });
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.sdk.json')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of @svc/sdk could not be built.');
  await bundleCommand(join(dist, 'svc-plugin.mjs'));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  rmSync(join(ROOT, 'sdk/dist'), { recursive: true, force: true });
  await bundleSdk();
}
