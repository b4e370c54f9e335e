import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { isPluginSlug, readPluginVersion } from '../../common/plugin-manifest-rules.js';
import { isThemeName } from '../../theme/names.js';

import { AuthorError } from './author-error.js';

/** Possible locations of the source, in order of precedence. */
const PLUGIN_SOURCES = ['ts', 'mts', 'js', 'mjs'].map((suffix) => `src/index.${suffix}`);
const THEME_SOURCES = ['ts', 'mts', 'js', 'mjs'].map((suffix) => `src/theme.${suffix}`);
/** Versions the store accepts. */
const STORE_VERSION = /^[0-9A-Za-z.+_-]{1,32}$/;

/** A folder with a plugin or theme in development. */
export interface Project {
  readonly folder: string;
  readonly type: 'plugin' | 'theme';
  readonly slug: string;
  /** As written in the manifest. */
  readonly version: string;
  /** Display name. */
  readonly name: string;
  readonly manifestFile: 'plugin.json' | 'theme.json';
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Path of the source to build, relative to the folder; null if nothing is built: plain CommonJS, or a theme without code. */
  readonly source: string | null;
  /** Path of the file the panel loads, relative to the folder; empty for a theme. */
  readonly main: string;
  /** Scripts of a plugin's pages: source and built file, as paths relative to the folder. */
  readonly scripts: readonly { readonly source: string; readonly built: string }[];
}

/**
 * Reads the project in a folder.
 *
 * @throws AuthorError if there is none, or its manifest cannot be read, or has an invalid name or no version
 */
export function readProject(folder: string): Project {
  const manifestFile = (['plugin.json', 'theme.json'] as const).find((name) => existsSync(join(folder, name)));
  if (!manifestFile)
    throw new AuthorError(
      `There is no plugin.json or theme.json in ${folder}. Run this in the folder of a ` +
        'plugin or theme, or create one: svc-plugin create NAME --kind function',
    );
  const type = manifestFile === 'plugin.json' ? 'plugin' : 'theme';
  const manifest = readObject(join(folder, manifestFile), manifestFile);
  const slug = slugOf(manifest, folder, type);
  const isName = type === 'plugin' ? isPluginSlug(slug) : isThemeName(slug);
  if (!isName) throw new AuthorError(`${manifestFile}: "${slug}" is not a valid name for a ${type}. ${NAME_RULE[type]}`);
  const version = manifest.version;
  if (typeof version !== 'string' || !STORE_VERSION.test(version))
    throw new AuthorError(`${manifestFile}: "version" is missing or invalid. Example: "1.0.0".`);
  if (type === 'plugin' && readPluginVersion(version) === null)
    throw new AuthorError(`plugin.json: the version "${version}" is not a semantic version. Example: "1.0.0".`);
  const named = type === 'plugin' ? manifest.name : (manifest.title ?? manifest.name);
  const main = typeof manifest.main === 'string' && manifest.main !== '' ? manifest.main : 'index.js';
  return {
    folder,
    type,
    slug,
    version,
    name: typeof named === 'string' && named !== '' ? named : slug,
    manifestFile,
    manifest,
    source: (type === 'plugin' ? PLUGIN_SOURCES : THEME_SOURCES).find((path) => existsSync(join(folder, path))) ?? null,
    main: type === 'plugin' ? main : '',
    scripts: type === 'plugin' ? scriptsIn(folder) : [],
  };
}

/** Returns the scripts in the folder `browser`; shared code is in folders below it. */
function scriptsIn(folder: string): Project['scripts'] {
  const names = existsSync(join(folder, 'browser')) ? readdirSync(join(folder, 'browser')).sort() : [];
  return names.flatMap((name) => {
    const called = /^(.+)(?<!\.d)\.m?[jt]s$/.exec(name)?.[1];
    return called === undefined ? [] : [{ source: `browser/${name}`, built: `assets/${called}.js` }];
  });
}

/** Naming rules, as text. */
export const NAME_RULE: Readonly<Record<Project['type'], string>> = {
  plugin:
    'Use 1 to 63 letters, digits, "_" and "-", starting with a letter or digit; "core", device names (con, nul) and names ' +
    'of object properties (constructor) are reserved.',
  theme: 'Use 1 to 63 letters, digits, "_" and "-"; device names (con, nul) are reserved.',
};

/** Shown if {@link descriptionOf} is empty: the store accepts no new item without a description. */
export const NO_DESCRIPTION =
  'The store requires a description: set "description" in the manifest. You can change it later on the page of the item.';

/** Returns the description from the manifest; empty if it has none. */
export function descriptionOf({ manifest }: Pick<Project, 'manifest'>): string {
  return typeof manifest.description === 'string' ? manifest.description.trim() : '';
}

/** Reads `package.json` of the project; empty if it does not exist. */
export function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  return existsSync(join(folder, 'package.json')) ? readObject(join(folder, 'package.json'), 'package.json') : {};
}

/** A theme is named after its folder in the panel: `name` of `theme.json`, otherwise the name of this folder. */
function slugOf(manifest: Readonly<Record<string, unknown>>, folder: string, type: Project['type']): string {
  const given = type === 'plugin' ? manifest.id : manifest.name;
  return typeof given === 'string' && given !== '' ? given : basename(folder);
}

function readObject(path: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new AuthorError(`${name} cannot be read: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AuthorError(`${name} must be an object: { … }`);
  return value as Record<string, unknown>;
}
