/** Bundles everything shipped as a single file, with esbuild and rolldown. Plain JavaScript, because it runs during the build. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { build, transform } from 'esbuild';
import { PurgeCSS } from 'purgecss';
import { rolldown } from 'rolldown';

const AGENT_NOTE = `/**
 * The agent of a hosting server: fetches tasks from the panel over /api/node.php, runs them and reports the results.
 * One file without dependencies, for Node 18 or newer: copy it to the server and run node svc-agent.mjs --config agent.json.
 * It opens no port. Unless its config says "hosting", it starts no program and writes only into its state folder.
 * Its README.md describes the installation.
 * Bundled from agent/src of the panel.
 */`;

/**
 * Writes dist/agent/svc-agent.mjs: a single file to copy to servers that have nothing else installed. Readable, so that administrators can
 * review it.
 */
export async function bundleAgent() {
  await build({
    entryPoints: ['agent/src/main.ts'],
    outfile: 'dist/agent/svc-agent.mjs',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    charset: 'utf8',
    banner: { js: `${AGENT_NOTE}\n${COMMONJS}` },
    plugins: [panelParts],
    logLevel: 'warning',
  });
  // Files that a panel hands out to servers are in one folder.
  cpSync('agent/server-install.sh', 'dist/agent/server-install.sh');
}

/** Bundled CommonJS packages load Node modules with `require`. */
const COMMONJS = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/**
 * The agent shares the site file code of the panel's own driver, `src/hosting/embedded/files`. Imports of other panel folders are replaced
 * with minimal versions, so that the rest of the panel, Nest and the database are not bundled. `zlib.crc32` needs a replacement for Node
 * 18.
 */
const PANEL_PARTS = {
  '../../driver/index.js': 'agent/src/host/work/panel-ports.ts',
  '../../../common/index.js': 'agent/src/host/work/panel-common.ts',
  '../../../database/index.js': 'agent/src/host/work/panel-locks.ts',
  'node:zlib': 'agent/src/host/work/panel-zlib.ts',
};
const FILES_OF_SITES = /[\\/]src[\\/]hosting[\\/]embedded[\\/]/;

/** @type {import('esbuild').Plugin} */
export const panelParts = {
  name: 'panel-parts',
  setup(builder) {
    builder.onResolve({ filter: /^(?:(?:\.\.\/)+\w+\/index\.js|node:zlib)$/ }, ({ path, importer }) => {
      const part = FILES_OF_SITES.test(importer) ? PANEL_PARTS[path] : undefined;
      if (part === undefined || (path === 'node:zlib' && !importer.endsWith('zip-archive.ts'))) return undefined;
      return { path: resolve(part) };
    });
  },
};

/** Entry points of separate programs, and the panel that plugin tests start in their own process. */
const PROGRAMS = ['main', 'cli/svc', 'cli/demo', 'cli/test-panel'];

/**
 * Packages with many files that are loaded at every start. Plugins share some of them through the program, not from files
 * (`module-loader.ts`).
 */
const BUNDLED = [
  ...['common', 'core', 'mapped-types', 'platform-express', 'schedule', 'swagger', 'typeorm'].map((name) => `@nestjs/${name}`),
  ...['class-transformer', 'class-validator', 'iterare', 'path-to-regexp', 'rxjs', 'semver', 'tslib', 'validator'],
  ...['@sqltools/formatter', 'sql-highlight', 'typeorm'],
];
const isBundled = (name) => name.startsWith('.') || isAbsolute(name) || BUNDLED.some((one) => name === one || name.startsWith(`${one}/`));

/** `@nestjs/typeorm` loads TypeORM a second time from its files to access exports of older versions. */
const oneTypeOrm = {
  name: 'one-typeorm',
  load: (id) =>
    id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')
      ? "import * as typeorm from 'typeorm';\nexport const { Connection, AbstractRepository } = typeorm;"
      : null,
};

/** TypeORM loads drivers for all its engines: a tenth of the files read at startup. Unused ones are replaced with stubs that throw. */
const ourDrivers = {
  name: 'our-drivers',
  load: (id) => {
    const [, folder, driver] = /\/typeorm\/driver\/([\w-]+)\/(\w+Driver)\.js$/.exec(id) ?? [];
    if (driver === undefined || ['better-sqlite3', 'mysql', 'sqlite-abstract'].includes(folder)) return null;
    return `exports.${driver} = class { constructor() { throw new Error('The panel runs on SQLite, MySQL and MariaDB.'); } };`;
  },
};

/** Loads the phone number tables on first use, which currently never happens. */
const PHONE_NUMBERS = '{ parsePhoneNumber: (...given) => require("libphonenumber-js/max").parsePhoneNumber(...given) }';
const latePhoneNumbers = {
  name: 'late-phone-numbers',
  transform: (code, id) =>
    id.endsWith('/class-validator/cjs/decorator/string/IsPhoneNumber.js')
      ? // The line structure is unchanged, so no source map is needed.
        { code: code.replace('require("libphonenumber-js/max")', PHONE_NUMBERS), map: null }
      : null,
};

/**
 * Shared chunks in dependency order: a folder of src with all its imports not in an earlier chunk, so that no chunk imports a later one.
 * Chunks have similar sizes: V8 needs six times a file's size to compile it and does not return all of that memory. `entriesAware`
 * separates modules that only one program uses or that load lazily.
 */
const PARTS = Object.entries({ base: 'site', store: 'store', hosting: 'hosting', plugins: 'plugin-registry' }).map(([name, folder]) => ({
  name,
  test: new RegExp(`/dist/src/${folder}/`),
  entriesAware: true,
}));

/**
 * Bundles each program with its own modules and those of large packages: a start reads some 300 files instead of 2,500 and takes half the
 * time (`npm run bench:start`). The compiled files stay for imports of single modules, such as ormconfig.js. rolldown keeps class names,
 * which TypeORM and log lines show. Output is ASCII only, because V8 stores other files with two bytes per character.
 */
export async function bundlePrograms() {
  const programs = PROGRAMS.filter((name) => existsSync(`dist/src/${name}.js`));
  if (programs.length === 0) return;
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, `dist/src/${name}.js`])),
    platform: 'node',
    external: (name) => !isBundled(name),
    plugins: [oneTypeOrm, ourDrivers, latePhoneNumbers],
  });
  await bundle.write({
    dir: 'dist/src',
    format: 'esm',
    // A name also contains the programs that load the chunk.
    chunkFileNames: ({ name }) => `parts/${name.split('~')[0]}-[hash].js`,
    codeSplitting: { groups: PARTS },
    sourcemap: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  });
  await bundle.close();
}

/** Bundling of page scripts and styles: one file each, for all supported browsers. */
const FOR_BROWSERS = {
  bundle: true,
  // Licenses of bundled packages are written to separate files.
  legalComments: 'external',
  minify: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
};

const BROWSER = 'src/web/browser';
/** Package files served unmodified, by their served names. */
const VENDORED = {
  'tabler.min.css': '@tabler/core/dist/css/tabler.min.css',
  'tabler.min.js': '@tabler/core/dist/js/tabler.min.js',
  'chart.min.js': 'chart.js/dist/chart.umd.min.js',
  'htmx.min.js': 'htmx.org/dist/htmx.min.js',
};
/** Source maps are not served. */
const SOURCE_MAP = /\/\*# sourceMappingURL=[^*]*\*\/|^\/\/# sourceMappingURL=.*$/gm;

/** Files that contain class names of the panel's and the store's pages. */
const NAMES_CLASSES = ['themes', 'src', 'plugins', 'dist/browser/tabler.min.js'];
/** Class name prefixes completed by a value: `bg-{{ colour }}`, `'btn-' | append: colour`, `alert-${kind}`. */
const CLASS_PREFIXES = /\b[a-z]+(?:-[a-z]+)*-(?=\{[{%]|\$\{|' \| append)/g;

/**
 * Writes dist/browser: each page script and style bundled with its npm libraries (Alpine's build without eval, Chart.js, CodeMirror,
 * js-sha256: all MIT).
 */
export async function bundleBrowser() {
  if (!existsSync(BROWSER)) return;
  await build({
    entryPoints: ['scripts', 'styles'].flatMap((folder) =>
      readdirSync(`${BROWSER}/${folder}`).map((name) => `${BROWSER}/${folder}/${name}`),
    ),
    outdir: 'dist/browser',
    entryNames: '[name]',
    tsconfig: 'src/web/browser/tsconfig.json',
    banner: { js: '/* Written as src/web/browser; docs/themes.md says what it does. */' },
    ...FOR_BROWSERS,
  });
  for (const [name, file] of Object.entries(VENDORED))
    if (existsSync(`node_modules/${file}`))
      writeFileSync(`dist/browser/${name}`, readFileSync(`node_modules/${file}`, 'utf8').replace(SOURCE_MAP, ''));
  const whole = 'dist/browser/tabler.min.css';
  if (existsSync(whole)) writeFileSync('dist/browser/tabler.used.css', await usedStyle(readFileSync(whole, 'utf8')));
  await compressFiles('dist/browser', 'dist/compressed');
}

/**
 * Removes CSS rules that no page of the panel, the store or the bundled plugins can use. A class counts as used if its name is a word in
 * any template or source, so the result may keep too much but never too little.
 */
async function usedStyle(css) {
  const texts = NAMES_CLASSES.flatMap(textsIn);
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const prefixes = new Set(texts.flatMap((text) => text.match(CLASS_PREFIXES) ?? []));
  const [used] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content: [{ raw: [...words].join(' '), extension: 'txt' }],
    defaultExtractor: (text) => text.split(' '),
    safelist: [...prefixes].map((name) => new RegExp(`^${name}`)),
    keyframes: true,
  });
  return (await transform(used.css, { loader: 'css', minify: true, charset: 'utf8' })).code;
}

/** Reads templates and sources at or below a path, except specs. */
function textsIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => textsIn(`${path}/${name}`));
  return /\.(?:liquid|html|js|(?<!spec\.)ts)$/.test(path) ? [readFileSync(path, 'utf8')] : [];
}

/**
 * Precompresses files at maximum level: two seconds at build time instead of for the first visitor after each start. Files are named by the
 * SHA-256 of their content, as expected by `src/http/compressed-files.ts`.
 */
async function compressFiles(from, to) {
  mkdirSync(to, { recursive: true });
  const smaller = async (name) => {
    const body = readFileSync(`${from}/${name}`);
    const hash = createHash('sha256').update(body).digest('hex');
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(`${to}/${hash}.br`, await promisify(brotliCompress)(body, { params }));
    writeFileSync(`${to}/${hash}.gzip`, await promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }));
  };
  await Promise.all(
    readdirSync(from)
      .filter((name) => /\.(?:css|js)$/.test(name))
      .map(smaller),
  );
}

/** Parts of a plugin package besides its code; see docs/plugin-api.md. */
const PACKAGE_PARTS = ['plugin.json', 'lang', 'assets', 'pages'];

/**
 * Writes dist/plugins/<slug> for every bundled plugin, as a regular package with the settings that docs/plugin-api.md recommends to
 * authors.
 */
export async function bundlePlugins() {
  for (const slug of existsSync('plugins') ? readdirSync('plugins') : []) {
    if (!existsSync(`plugins/${slug}/plugin.json`)) continue;
    const to = `dist/plugins/${slug}`;
    await build({
      entryPoints: [`plugins/${slug}/src/index.ts`],
      outfile: `${to}/index.js`,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      charset: 'utf8',
      supported: { 'dynamic-import': false },
      external: ['@svc/sdk', '@nestjs/*', 'typeorm', 'rxjs', 'reflect-metadata'],
      logLevel: 'warning',
    });
    for (const part of PACKAGE_PARTS)
      if (existsSync(`plugins/${slug}/${part}`)) cpSync(`plugins/${slug}/${part}`, `${to}/${part}`, { recursive: true });
    await bundleAssets(`plugins/${slug}`, `${to}/assets`);
  }
}

/**
 * Bundles scripts (`browser/*.ts`) and styles (`assets/*.css`) of a plugin's pages with their imports from plugins/page-kit and packages;
 * other assets are copied. `svc-plugin build` does the same for scripts of any plugin.
 */
async function bundleAssets(plugin, to) {
  const filesOf = (folder, suffix) =>
    (existsSync(`${plugin}/${folder}`) ? readdirSync(`${plugin}/${folder}`) : [])
      .filter((name) => name.endsWith(suffix))
      .map((name) => `${plugin}/${folder}/${name}`);
  const entryPoints = [...filesOf('browser', '.ts'), ...filesOf('assets', '.css')];
  if (entryPoints.length > 0) await build({ entryPoints, outdir: to, entryNames: '[name]', ...FOR_BROWSERS });
}

/** Copies assets and views of the store pages. */
export function copyStorePages() {
  for (const folder of ['assets', 'views'])
    if (existsSync(`src/store/web/${folder}`)) cpSync(`src/store/web/${folder}`, `dist/src/store/web/${folder}`, { recursive: true });
}
