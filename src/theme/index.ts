import './texts.js';

/** Every view of the default theme with example values, for previews of themes; loaded on demand. */
export const sampleViews = () => import('./samples/index.js');

export { constantData, isConstant } from './constant-data.js';
export { closestIcons, iconPath, isIconName } from './icons.js';
export { renderMarkdown } from './markdown.js';
export { isThemeName, THEME_SIDES, type ThemeSide } from './names.js';
export { OverrideRegistry, type OverrideKind } from './override-registry.js';
export { OwnViews } from './own-views.js';
export * from './registries/index.js';
export {
  inkOn,
  isWritten,
  rgbOf,
  settingProblem,
  settingsByField,
  valueKeys,
  type ThemeSetting,
  type ThemeSettingValues,
} from './settings/index.js';
export { ASSETS_PATH, LIBRARY_FILES, ThemeAssets } from './theme-assets.js';
export { DEFAULT_THEME, THEME_FOLDERS_LOCK, ThemeCatalogue } from './theme-catalogue.js';
export {
  MAX_SCRIPT_BYTES,
  scriptDeclarations,
  scriptDefect,
  scriptState,
  type ScriptGrant,
  type ScriptState,
  type ThemeScript,
} from './scripts/index.js';
export { isTemplatePath, templateDefect, themeFileProblem } from './template-check.js';
export { ThemeNotices } from './theme-notices.js';
export { isScript, readThemeInfo } from './theme-package.js';
export { ThemeModule } from './theme.module.js';
export { ThemeRenderer } from './theme-renderer.js';
export { renderText, type TextFormat, type TextValues } from './text-template.js';
export { TrustedHtml, trustedHtml } from './trusted-html.js';
