export { ThemeSettingRow } from './theme-setting.entity.js';
export { ThemeScriptGrantRow } from './theme-script-grant.entity.js';
