import './texts.js';

/** Every view of the default theme with values such as its controller passes, for who looks at a theme; loaded when they are asked for. */
export const sampleViews = () => import('./samples/index.js');

export { constantData, isConstant } from './constant-data.js';
export { ThemeError, type ThemeErrorCode } from './errors.js';
export { closestIcons, iconPath, iconSvg, isIconName } from './icons.js';
export { renderMarkdown } from './markdown.js';
export { isThemeName, isThemeSide, THEME_SIDES, type ThemeSide } from './names.js';
export { OverrideRegistry, type OverrideCallback, type OverrideKind, type OverrideOptions } from './override-registry.js';
export { OwnViews, type OwnViewsOptions } from './own-views.js';
export * from './registries/index.js';
export {
  inkOn,
  isWritten,
  rgbOf,
  settingProblem,
  settingsByField,
  THEME_SETTING_TYPES,
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
  SCRIPT_DEFECTS,
  scriptState,
  type ScriptDefect,
  type ScriptGrant,
  type ScriptState,
  type ThemeScript,
} from './scripts/index.js';
export { isTemplatePath, templateDefect, themeFileProblem, type ThemeFileProblem } from './template-check.js';
export { ThemeNotices, type ThemeNotice } from './theme-notices.js';
export { type ThemeOptions } from './theme-options.js';
export { isScript, readThemeInfo, type ThemeInfo } from './theme-package.js';
export { ThemeModule, type ThemeModuleAsyncOptions } from './theme.module.js';
export { ThemeRenderer, type RenderContext } from './theme-renderer.js';
export { renderText, type TextFormat, type TextValues } from './text-template.js';
export { TrustedHtml, trustedHtml } from './trusted-html.js';
