import { LOCALES } from '../common/index.js';
import { THEME_SIDES } from './names.js';
import type { ThemePackage } from './theme-package.js';

/**
 * Merges a child theme with its parent: its own templates, texts, assets, scripts and settings override the parent's.
 *
 * @example `aurora-night` with nothing but `assets/aurora.css` looks like `aurora` in other colours.
 */
export function mergeWithParent(child: ThemePackage, parent: ThemePackage): ThemePackage {
  const texts = LOCALES.map((locale) => [locale, new Map([...parent.texts[locale], ...child.texts[locale]])]);
  const sides = THEME_SIDES.filter((side) => [child, parent].some(({ info }) => info.sides.includes(side)));
  return {
    parent,
    info: { ...child.info, sides },
    scripts: [...new Map([...parent.scripts, ...child.scripts].map((script) => [script.file, script])).values()],
    settings: [...new Map([...parent.settings, ...child.settings].map((setting) => [setting.key, setting])).values()],
    templates: new Map([...parent.templates, ...child.templates]),
    texts: Object.fromEntries(texts) as ThemePackage['texts'],
    assets: new Map([...parent.assets, ...child.assets]),
    problems: [...child.problems, ...parent.problems],
  };
}
