import { errorMessage } from '../common/index.js';
import { ThemeEngine } from './theme-engine.js';
import { ASSET_TYPES, isAssetPath, MAX_TEMPLATE_BYTES, type ThemePackage } from './theme-package.js';
import { isThemeSide, parseViewName, SHARED_FOLDER } from './names.js';

/** Why a file of a theme is ignored. */
export type ThemeFileProblem = 'view_name' | 'view_size' | 'asset_name' | 'asset_kind';

const NOTHING: ThemePackage = {
  info: { name: 'check', title: '', version: '', description: '', author: '', parent: '', scope: [], sides: [] },
  settings: [],
  scripts: [],
  templates: new Map(),
  texts: { 'zh-CN': new Map(), en: new Map() },
  assets: new Map(),
  problems: [],
};

/** Only parses: it never renders. */
const engine = new ThemeEngine(
  NOTHING,
  null,
  {
    timezone: 'UTC',
    asset: () => null,
    partial: () => null,
    override: () => null,
    missing: () => undefined,
    broken: () => undefined,
  },
  'at-once',
);

/** Returns why a template does not parse with the panel's tags and filters; null if it does. Source: docs/themes.md "Template language". */
export function templateDefect(source: string): string | null {
  try {
    engine.parseOnce(source);
    return null;
  } catch (error) {
    return errorMessage(error).split('\n')[0]!.slice(0, 300);
  }
}

/**
 * Returns why a panel ignores a file of a theme; null if it is accepted, or not a theme file at all.
 *
 * @param path relative to the theme's folder
 * @param size in bytes
 */
export function themeFileProblem(path: string, size: number): ThemeFileProblem | null {
  const [folder, ...rest] = path.split('/') as [string, ...string[]];
  if (rest.some((segment) => segment.startsWith('.'))) return null;
  if (folder === 'assets') {
    if (!isAssetPath(rest.join('/'))) return 'asset_name';
    return Object.hasOwn(ASSET_TYPES, path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ? null : 'asset_kind';
  }
  if (!isTemplatePath(path)) return null;
  if (!parseViewName(path.slice(0, -'.liquid'.length))) return 'view_name';
  return size > MAX_TEMPLATE_BYTES ? 'view_size' : null;
}

/** Returns whether a file of a theme is a view, a partial or a layout. */
export function isTemplatePath(path: string): boolean {
  const [folder, file, ...deeper] = path.split('/');
  return file !== undefined && deeper.length === 0 && file.endsWith('.liquid') && (isThemeSide(folder) || folder === SHARED_FOLDER);
}
