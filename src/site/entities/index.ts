export { SiteConfig } from './site-config.entity.js';
export { ThemeSettingRow } from './theme-setting.entity.js';
export { ThemeScriptGrantRow } from './theme-script-grant.entity.js';
export { ThemeUpdateRow } from './theme-update.entity.js';
