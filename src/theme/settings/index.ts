export { inkOn, rgbOf } from './colour.js';
export { settingsForView, type PictureAddress } from './setting-values.js';
export {
  isWritten,
  readThemeSettings,
  settingProblem,
  settingsByField,
  valueKeys,
  type ThemeSetting,
  type ThemeSettingValues,
} from './theme-setting.js';
