export { inkOn, rgbOf } from './colour.js';
export { settingsForView, type PictureAddress } from './setting-values.js';
export {
  isWritten,
  readThemeSettings,
  settingProblem,
  settingsByField,
  THEME_SETTING_TYPES,
  valueKeys,
  type ThemeSetting,
  type ThemeSettingType,
  type ThemeSettingValues,
} from './theme-setting.js';
