export { ThemeSettingRow } from './theme-setting.entity.js';
