import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { closestNames } from '../../common/closest-names.js';
import { isPluginSlug } from '../../common/plugin-manifest-rules.js';
import { isReservedName } from '../../common/reserved-names.js';
import { isThemeName } from '../../theme/names.js';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { NAME_RULE } from './project.js';
import type { AuthorCommand } from './terminal.js';

const KINDS = {
  function: 'a plugin written as a function: a route, a widget and texts',
  nest: 'a plugin written as a Nest module with an injected service and a table',
  gateway: 'a payment gateway',
  driver: 'a driver for a kind of hosting server',
  theme: 'a theme for the user side',
} as const;
type Kind = keyof typeof KINDS;

/** Template folders of a kind; later ones add to the first. */
const templatesOf = (kind: Kind): string[] => (kind === 'theme' ? ['theme'] : ['plugin', kind]);

/** `svc-plugin create`: creates a folder that builds, is accepted by the store, and passes its own test. */
export const create: AuthorCommand = {
  usage: `NAME --kind ${Object.keys(KINDS).join('|')} [--js]`,
  summary: 'creates the folder NAME with a plugin or theme to start from',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { kind: { type: 'string' }, js: { type: 'boolean' } }, 1);
    const kind = readKind(values.kind);
    const name = readName(positionals[0], kind);
    const folder = resolve(terminal.folder, name);
    if (existsSync(folder)) throw new AuthorError(`The folder ${folder} already exists. Choose another name, or move the folder away.`);
    const isJs = values.js === true;
    if (isJs && kind === 'theme') throw new AuthorError('--js is not for themes: they have no code.');
    try {
      for (const template of templatesOf(kind)) writeTemplate(join(TEMPLATES, template), folder, { name, isJs });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile());
    terminal.say(`Made ${name}: ${KINDS[kind]}.`);
    for (const path of files.sort()) terminal.say(`  ${path.split(sep).join('/')}`);
    terminal.say('');
    terminal.say(`Next:  cd ${name}  ·  npx svc-plugin check  ·  npx svc-plugin pack`);
    return 0;
  },
};

function readKind(given: string | undefined): Kind {
  const all = Object.entries(KINDS).map(([kind, text]) => `  --kind ${kind.padEnd(9)} ${text}`);
  if (given === undefined) throw new AuthorError(`Choose what to create:\n${all.join('\n')}`);
  if (Object.hasOwn(KINDS, given)) return given as Kind;
  const [meant = ''] = closestNames(given, Object.keys(KINDS), 1);
  throw new AuthorError(`There is no kind "${given}".${meant ? ` Did you mean ${meant}?` : ''} Kinds:\n${all.join('\n')}`);
}

function readName(given: string | undefined, kind: Kind): string {
  const type = kind === 'theme' ? 'theme' : 'plugin';
  if (given === undefined) throw new AuthorError(`Name the ${type}, for example: svc-plugin create coupons --kind ${kind}`);
  const isName = type === 'plugin' ? isPluginSlug(given) : isThemeName(given) && given.length <= 63 && !isReservedName(given);
  if (!isName) throw new AuthorError(`"${given}" is not a valid name for a ${type}. ${NAME_RULE[type]}`);
  return given;
}

/** Folder of this package: this file is its `dist/svc-plugin.mjs`. */
const PACKAGE = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TEMPLATES = join(PACKAGE, 'templates');

interface Choices {
  readonly name: string;
  readonly isJs: boolean;
}

/** Files used only for TypeScript, and their counterparts with `--js`. */
const ONLY_TYPESCRIPT = /(?:\.ts|tsconfig\.json)$/;
const ONLY_JAVASCRIPT = /\.js$/;

function writeTemplate(template: string, folder: string, { name, isJs }: Choices): void {
  for (const path of readdirSync(template, { recursive: true, encoding: 'utf8' }).sort()) {
    const from = join(template, path);
    if (!statSync(from).isFile()) continue;
    const isCode = path.startsWith('src') || path.startsWith('test') || path === 'tsconfig.json';
    if (isCode && (isJs ? ONLY_TYPESCRIPT : ONLY_JAVASCRIPT).test(path)) continue;
    // npm excludes files with this name from packages.
    const to = join(folder, path === 'gitignore' ? '.gitignore' : path.replaceAll('__name__', name));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, filled(readFileSync(from, 'utf8'), name, folder));
  }
}

/** Replaces the placeholders: `__name__` is the name, `__Name__` the class name, `__sdk__` the npm source of this package. */
function filled(text: string, name: string, folder: string): string {
  const words = name.split(/[_-]+/).filter(Boolean);
  const className = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return text
    .replaceAll('__name__', name)
    .replaceAll('__Name__', /^[A-Za-z]/.test(className) ? className : `Plugin${className}`)
    .replaceAll('__label__', words.length === 0 ? name : words.join(' ').replace(/^./, (first) => first.toUpperCase()))
    .replaceAll('__sdk__', sourceOfSdk(folder));
}

/** In a checkout of the panel, the package is a folder of it; elsewhere it is an npm package, requested by version. */
function sourceOfSdk(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  if (!existsSync(join(PACKAGE, '../src/sdk'))) return `^${version}`;
  return `file:${relative(folder, realpathSync(PACKAGE)).split(sep).join('/')}`;
}
