/**
 * What ships as one file is written as modules and put together here, by esbuild and rolldown. Plain JavaScript, because it runs while the
 * package is built.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { build, transform } from 'esbuild';
import { PurgeCSS } from 'purgecss';
import { rolldown } from 'rolldown';

const AGENT_NOTE = `/**
 * The agent of a hosting server: asks the panel for work over /api/node.php, does it, and reports.
 * One file without dependencies, for Node 18 or newer: copy it to the server and run node svc-agent.mjs --config agent.json.
 * It opens no port. Unless its config says "hosting", it starts no program and writes only into its state folder.
 * Its README.md says how to set it up.
 * Put together from agent/src of the panel.
 */`;

/** Writes dist/agent/svc-agent.mjs: one file that is copied to servers, where nothing else is. Whoever does may want to read it first. */
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
  // What a panel hands out to servers lies together.
  cpSync('agent/server-install.sh', 'dist/agent/server-install.sh');
}

/** Packages inside the bundle that are CommonJS ask for modules of Node by `require`. */
const COMMONJS = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/**
 * The agent does with files of sites what the panel does with those on its own machine, by the same code:
 * `src/hosting/embedded/files`. Of the folders that code knows it gets only what it uses there; the rest of the panel, Nest and the
 * database stay out. `zlib.crc32` is newer than Node 18.
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

/** Programs that are started by themselves, and the panel that tests of plugins start in their own process. */
const PROGRAMS = ['main', 'cli/svc', 'cli/demo', 'cli/test-panel'];

/**
 * Packages of many files that every start loads. Plugins share some of them, and get them from the program, not
 * from a file (`module-loader.ts`).
 */
const INSIDE = [
  ...['common', 'core', 'mapped-types', 'platform-express', 'schedule', 'swagger', 'typeorm'].map((name) => `@nestjs/${name}`),
  ...['class-transformer', 'class-validator', 'iterare', 'path-to-regexp', 'rxjs', 'semver', 'tslib', 'validator'],
  ...['@sqltools/formatter', 'sql-highlight', 'typeorm'],
];
const isInside = (name) => name.startsWith('.') || isAbsolute(name) || INSIDE.some((one) => name === one || name.startsWith(`${one}/`));

/** `@nestjs/typeorm` asks for exports that older versions of TypeORM had by loading the package from its files: a second time. */
const oneTypeOrm = {
  name: 'one-typeorm',
  load: (id) =>
    id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')
      ? "import * as typeorm from 'typeorm';\nexport const { Connection, AbstractRepository } = typeorm;"
      : null,
};

/** TypeORM loads a driver for every engine it knows: a tenth of what a start reads. Those of other engines than ours say so. */
const ourDrivers = {
  name: 'our-drivers',
  load: (id) => {
    const [, folder, driver] = /\/typeorm\/driver\/([\w-]+)\/(\w+Driver)\.js$/.exec(id) ?? [];
    if (driver === undefined || ['better-sqlite3', 'mysql', 'sqlite-abstract'].includes(folder)) return null;
    return `exports.${driver} = class { constructor() { throw new Error('The panel runs on SQLite, MySQL and MariaDB.'); } };`;
  },
};

/** The tables of all telephone numbers of the world are read when one is checked, which nothing does so far. */
const PHONE_NUMBERS = '{ parsePhoneNumber: (...given) => require("libphonenumber-js/max").parsePhoneNumber(...given) }';
const latePhoneNumbers = {
  name: 'late-phone-numbers',
  transform: (code, id) =>
    id.endsWith('/class-validator/cjs/decorator/string/IsPhoneNumber.js')
      ? // Its lines stay where they are.
        { code: code.replace('require("libphonenumber-js/max")', PHONE_NUMBERS), map: null }
      : null,
};

/**
 * The parts that programs share, from the ground up: a folder of src with everything it imports that no part before it has, so that none
 * knows a part after it. V8 takes six times the size of a file while it compiles it, and not all of that goes back to the system: no part
 * is to be much larger than the others. `entriesAware` leaves apart what a program loads alone or later.
 */
const PARTS = Object.entries({ base: 'site', store: 'store', hosting: 'hosting', plugins: 'plugin-registry' }).map(([name, folder]) => ({
  name,
  test: new RegExp(`/dist/src/${folder}/`),
  entriesAware: true,
}));

/**
 * Puts each program together with the modules it loads, its own and those of large packages: a start reads some 300 files instead of 2,500
 * and takes half the time (`npm run bench:start`). The compiler's files stay beside it for what imports single ones, such as ormconfig.js.
 * By rolldown, which leaves the names of classes as they are: TypeORM and log lines show them. Without a character beyond ASCII, since V8
 * keeps a file that has one as two bytes for each character.
 */
export async function bundlePrograms() {
  const programs = PROGRAMS.filter((name) => existsSync(`dist/src/${name}.js`));
  if (programs.length === 0) return;
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, `dist/src/${name}.js`])),
    platform: 'node',
    external: (name) => !isInside(name),
    plugins: [oneTypeOrm, ourDrivers, latePhoneNumbers],
  });
  await bundle.write({
    dir: 'dist/src',
    format: 'esm',
    // A name also has the programs that load the part.
    chunkFileNames: ({ name }) => `parts/${name.split('~')[0]}-[hash].js`,
    codeSplitting: { groups: PARTS },
    sourcemap: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  });
  await bundle.close();
}

/** How scripts and styles of pages are put together: one file each, for every browser the panel is for. */
const FOR_BROWSERS = {
  bundle: true,
  // Licences of what is bundled lie beside it.
  legalComments: 'external',
  minify: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
};

const BROWSER = 'src/web/browser';
/** Files of packages that pages load as they are, and what they are called there. */
const VENDORED = {
  'tabler.min.css': '@tabler/core/dist/css/tabler.min.css',
  'tabler.min.js': '@tabler/core/dist/js/tabler.min.js',
  'chart.min.js': 'chart.js/dist/chart.umd.min.js',
  'htmx.min.js': 'htmx.org/dist/htmx.min.js',
};
/** Their source maps are not sent along. */
const SOURCE_MAP = /\/\*# sourceMappingURL=[^*]*\*\/|^\/\/# sourceMappingURL=.*$/gm;

/** Where the classes of the pages are named that come with the panel and the store. */
const NAMES_CLASSES = ['themes', 'src', 'plugins', 'dist/browser/tabler.min.js'];
/** Beginnings of names that go on with a value: `bg-{{ colour }}`, `'btn-' | append: colour`, `alert-${kind}`. */
const BEGUN_NAMES = /\b[a-z]+(?:-[a-z]+)*-(?=\{[{%]|\$\{|' \| append)/g;

/**
 * Writes dist/browser: each script and style of a page with the libraries it is made of, from npm (Alpine's build without eval, Chart.js,
 * CodeMirror, js-sha256: all MIT).
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
 * A style sheet without the rules that no page of the panel, the store and the bundled plugins can need. A class counts as used where its
 * name is a word of any template or source: more than is used stays, and nothing that is goes.
 */
async function usedStyle(css) {
  const texts = NAMES_CLASSES.flatMap(textsIn);
  const words = new Set(texts.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const begun = new Set(texts.flatMap((text) => text.match(BEGUN_NAMES) ?? []));
  const [used] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content: [{ raw: [...words].join(' '), extension: 'txt' }],
    defaultExtractor: (text) => text.split(' '),
    safelist: [...begun].map((name) => new RegExp(`^${name}`)),
    keyframes: true,
  });
  return (await transform(used.css, { loader: 'css', minify: true, charset: 'utf8' })).code;
}

/** Templates and sources at or below a path, specs left out. */
function textsIn(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => textsIn(`${path}/${name}`));
  return /\.(?:liquid|html|js|(?<!spec\.)ts)$/.test(path) ? [readFileSync(path, 'utf8')] : [];
}

/**
 * Compresses what every page loads as well as can be: two seconds once, which the first visitor after each start need not wait for. Files
 * are called by the SHA-256 of what they hold, as `src/http/compressed-files.ts` looks for them.
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

/** What is around the code of a plugin; see docs/plugin-api.md. */
const PACKAGE_PARTS = ['plugin.json', 'lang', 'assets', 'pages'];

/**
 * Writes dist/plugins/<slug> for every bundled plugin: a package as anybody ships one, by the settings
 * docs/plugin-api.md tells authors to use.
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
 * Scripts (`browser/*.ts`) and styles (`assets/*.css`) of a plugin's pages, each with what it imports of plugins/page-kit and of packages;
 * other assets are copied as they are. `svc-plugin build` does the same with scripts of anybody's plugin.
 */
async function bundleAssets(plugin, to) {
  const filesOf = (folder, suffix) =>
    (existsSync(`${plugin}/${folder}`) ? readdirSync(`${plugin}/${folder}`) : [])
      .filter((name) => name.endsWith(suffix))
      .map((name) => `${plugin}/${folder}/${name}`);
  const entryPoints = [...filesOf('browser', '.ts'), ...filesOf('assets', '.css')];
  if (entryPoints.length > 0) await build({ entryPoints, outdir: to, entryNames: '[name]', ...FOR_BROWSERS });
}

/** What the pages of the store are made of beside code. */
export function copyStorePages() {
  for (const folder of ['assets', 'views'])
    if (existsSync(`src/store/web/${folder}`)) cpSync(`src/store/web/${folder}`, `dist/src/store/web/${folder}`, { recursive: true });
}
