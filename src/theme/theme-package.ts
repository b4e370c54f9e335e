import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { LOCALES, PROGRAM_ROOT, type Locale } from '../common/index.js';
import { readThemeScripts, SCRIPT_DEFECTS, SCRIPTS_FOLDER, type ThemeScript } from './scripts/index.js';
import { readThemeSettings, type ThemeSetting } from './settings/index.js';
import {
  isThemeName,
  isThemeSide,
  OWN_SIDE,
  parseViewName,
  SHARED_FOLDER,
  THEME_SIDES,
  type TemplatePath,
  type ThemeSide,
} from './names.js';

/** Copy of the default theme inside the built program, used if the themes folder is missing. */
export const BUILT_IN_THEME = join(PROGRAM_ROOT, 'theme/built-in/default');

const TEMPLATE_SUFFIX = '.liquid';
const MAX_TEMPLATES = 500;
/** Maximum bytes of one template. */
export const MAX_TEMPLATE_BYTES = 200_000;
const MAX_JSON_BYTES = 500_000;
const MAX_ASSETS = 2_000;
const MAX_ASSET_DEPTH = 4;
const ASSET_SEGMENT = /^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}$/;
/** Returns whether a file is a browser script. */
export const isScript = (path: string): boolean => /\.[cm]?js$/i.test(path);

/** Returns whether a path below `assets/` is valid; its type is checked separately. */
export function isAssetPath(path: string): boolean {
  const segments = path.split('/');
  return segments.length <= MAX_ASSET_DEPTH && segments.every((segment) => ASSET_SEGMENT.test(segment));
}

/** File types a theme may serve, with their content type. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

/** Content of theme.json. */
export interface ThemeInfo {
  /** Name of the folder; it takes precedence over the file. */
  name: string;
  title: string;
  version: string;
  description: string;
  author: string;
  /** Parent theme, whose files are used where this theme has none; empty: only the default theme. */
  parent: string;
  /** Informational; {@link ThemeInfo.sides} is decisive. */
  scope: string[];
  /** The sides the theme has folders for. */
  sides: ThemeSide[];
}

/** An asset file of a theme. */
export interface ThemeAsset {
  /** Path relative to `assets/`, such as `img/logo.svg`. */
  name: string;
  /** Absolute path without symbolic links. */
  file: string;
  /** Sixteen hex digits of the content's SHA-256. */
  hash: string;
  type: string;
}

/** A theme loaded from its folder. */
export interface ThemePackage {
  info: ThemeInfo;
  /** Settings for its administrator. */
  settings: readonly ThemeSetting[];
  /** Browser scripts, which run only if permitted. */
  scripts: readonly ThemeScript[];
  /** Source of each template. */
  templates: ReadonlyMap<TemplatePath, string>;
  texts: Readonly<Record<Locale, ReadonlyMap<string, string>>>;
  assets: ReadonlyMap<string, ThemeAsset>;
  /** The parent theme, whose files are merged into this one; also the fallback for failing views. */
  parent?: ThemePackage;
  /** Whether it was installed; others are bundled. */
  isInstalled?: boolean;
  /** Problems of its files, which were skipped. */
  problems: { file: string; message: string }[];
}

/** Returns the entries of a folder without symbolic links and dotfiles; empty for an unreadable folder. */
function realEntries(folder: string): { name: string; path: string; isFolder: boolean; size: number }[] {
  let names: string[];
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, path: join(folder, name), stat: lstatSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isDirectory() || stat.isFile())
    .map(({ name, path, stat }) => ({ name, path, isFolder: stat.isDirectory(), size: stat.size }));
}

function readJson(path: string): Record<string, unknown> {
  const stat = lstatSync(path);
  if (!stat.isFile()) throw new Error('is not a regular file');
  if (stat.size > MAX_JSON_BYTES) throw new Error(`is larger than ${MAX_JSON_BYTES} bytes`);
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('is not a JSON object');
  return value as Record<string, unknown>;
}

/**
 * Reads theme.json in `folder`, with the folder's name and the sides it has folders for.
 *
 * @throws Error if theme.json is missing or not a JSON object
 */
export function readThemeInfo(folder: string, name: string): ThemeInfo {
  const json = readJson(join(folder, 'theme.json'));
  const text = (key: string, fallback: string): string => (typeof json[key] === 'string' ? json[key].slice(0, 500) : fallback);
  const folders = new Set(
    realEntries(folder)
      .filter((entry) => entry.isFolder)
      .map((entry) => entry.name),
  );
  return {
    name,
    title: text('title', name),
    version: text('version', '0.0.0'),
    description: text('description', ''),
    author: text('author', ''),
    parent: parentOf(json.parent),
    scope: Array.isArray(json.scope) ? json.scope.filter((side): side is string => typeof side === 'string').slice(0, 20) : [],
    sides: THEME_SIDES.filter((side) => folders.has(side)),
  };
}

/** @throws Error for an invalid theme name */
function parentOf(value: unknown): string {
  if (value === undefined || value === '' || isThemeName(value)) return (value as string | undefined) ?? '';
  throw new Error('"parent" must be the name of a theme: letters, digits, - and _');
}

/** Loads a whole theme; files that are too large, too many, wrongly named or symbolic links become problems. */
export function readThemePackage(folder: string, name: string): ThemePackage {
  const root = realpathSync(folder);
  const problems: ThemePackage['problems'] = [];
  const info = readThemeInfo(root, name);
  const { settings, scripts } = readJson(join(root, 'theme.json'));
  return {
    info,
    settings: readThemeSettings(settings, (message) => problems.push({ file: 'theme.json', message })),
    scripts: readThemeScripts(scripts, realEntries(join(root, SCRIPTS_FOLDER)), info.sides, (defect, file) =>
      problems.push({ file, message: SCRIPT_DEFECTS[defect] }),
    ),
    templates: readTemplates(root, problems),
    texts: Object.fromEntries(LOCALES.map((locale) => [locale, readTexts(root, locale, problems)])) as unknown as ThemePackage['texts'],
    assets: readAssets(root, problems),
    problems,
  };
}

function readTemplates(root: string, problems: ThemePackage['problems']): Map<TemplatePath, string> {
  const templates = new Map<TemplatePath, string>();
  for (const folder of realEntries(root)) {
    if (!folder.isFolder || !(isThemeSide(folder.name) || folder.name === SHARED_FOLDER)) continue;
    for (const file of realEntries(folder.path)) {
      if (file.isFolder || !file.name.endsWith(TEMPLATE_SUFFIX)) continue;
      const path = `${folder.name}/${file.name.slice(0, -TEMPLATE_SUFFIX.length)}` as TemplatePath;
      if (!parseViewName(path)) problems.push({ file: path, message: 'the name of this view is not allowed' });
      else if (file.size > MAX_TEMPLATE_BYTES) problems.push({ file: path, message: `is larger than ${MAX_TEMPLATE_BYTES} bytes` });
      else if (templates.size >= MAX_TEMPLATES) problems.push({ file: path, message: `exceeds the maximum of ${MAX_TEMPLATES} views` });
      else templates.set(path, readFileSync(file.path, 'utf8'));
    }
  }
  return templates;
}

/**
 * Loads the views of a service: its pages from `folder`, partials and layouts from `shared` below it.
 *
 * @throws Error for an invalid name, or a missing folder
 */
export function readOwnTemplates(folder: string): Map<TemplatePath, string> {
  const templates = new Map<TemplatePath, string>();
  const places = [
    [OWN_SIDE, folder],
    [SHARED_FOLDER, join(folder, SHARED_FOLDER)],
  ] as const;
  for (const [side, path] of places) {
    for (const name of readdirSync(path).filter((file) => file.endsWith(TEMPLATE_SUFFIX))) {
      const view = name.slice(0, -TEMPLATE_SUFFIX.length);
      if (!parseViewName(view)) throw new Error(`"${name}" is not a valid view name.`);
      templates.set(`${side}/${view}`, readFileSync(join(path, name), 'utf8'));
    }
  }
  return templates;
}

/**
 * Loads shared partials of a theme, and the texts they use. Nothing else of it is read.
 *
 * @throws Error for a missing partial
 */
export function readPartials(folder: string, names: readonly string[]): ThemePackage {
  const problems: ThemePackage['problems'] = [];
  return {
    info: { name: '', title: '', version: '', description: '', author: '', parent: '', scope: [], sides: [] },
    settings: [],
    scripts: [],
    templates: new Map(
      names.map((name) => [`${SHARED_FOLDER}/${name}`, readFileSync(join(folder, SHARED_FOLDER, name + TEMPLATE_SUFFIX), 'utf8')]),
    ),
    texts: Object.fromEntries(LOCALES.map((locale) => [locale, readTexts(folder, locale, problems)])) as unknown as ThemePackage['texts'],
    assets: new Map(),
    problems,
  };
}

function readTexts(root: string, locale: Locale, problems: ThemePackage['problems']): Map<string, string> {
  const file = `lang/${locale}.json`;
  try {
    if (!lstatSync(join(root, 'lang')).isDirectory()) throw new Error('its folder is not a regular folder');
    return new Map(Object.entries(readJson(join(root, file))).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') problems.push({ file, message: (error as Error).message });
    return new Map();
  }
}

function readAssets(root: string, problems: ThemePackage['problems']): Map<string, ThemeAsset> {
  const assets = new Map<string, ThemeAsset>();
  const walk = (folder: string, prefix: string, depth: number): void => {
    for (const entry of realEntries(folder)) {
      const name = prefix + entry.name;
      if (!ASSET_SEGMENT.test(entry.name)) problems.push({ file: `assets/${name}`, message: 'the name of this file is not allowed' });
      else if (!entry.isFolder) addAsset(assets, name, entry.path, problems);
      else if (depth < MAX_ASSET_DEPTH) walk(entry.path, `${name}/`, depth + 1);
    }
  };
  walk(join(root, 'assets'), '', 1);
  return assets;
}

function addAsset(assets: Map<string, ThemeAsset>, name: string, path: string, problems: ThemePackage['problems']): void {
  // As an asset it would run like the panel's own scripts, also on pages that handle money and passwords.
  if (isScript(name))
    return void problems.push({ file: `assets/${name}`, message: 'scripts must be in scripts/ and listed in theme.json' });
  const asset = readAsset(name, path);
  if (!asset) problems.push({ file: `assets/${name}`, message: 'files of this kind are not served' });
  else if (assets.size >= MAX_ASSETS) problems.push({ file: `assets/${name}`, message: `exceeds the maximum of ${MAX_ASSETS} files` });
  else assets.set(name, asset);
}

/** Describes an asset file; null if its type is not among {@link ASSET_TYPES}. */
export function readAsset(name: string, path: string): ThemeAsset | null {
  const type = ASSET_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (!type) return null;
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
  return { name, file: path, hash, type };
}
