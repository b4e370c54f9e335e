import { absentSettingOperations } from './absent-setting.operations.js';
import { cacheRuleOperations } from './cache-rule.operations.js';
import { folderPasswordOperations } from './folder-password.operations.js';
import { redirectOperations } from './redirect.operations.js';
import { rewriteOperations } from './rewrite.operations.js';
import { SettingEditor } from './setting-editor.js';
import { settingSectionOperations } from './setting-section.operations.js';
import { settingOperations } from './setting.operations.js';

export { ListData } from './setting-editor.js';
export { SettingRepository } from './setting-repository.js';
export { SettingError } from './setting-errors.js';
export { SiteSettingPages } from './setting.pages.js';

/** What owners and administrators do with the settings of a site. */
export const SITE_SETTING_OPERATIONS = [
  SettingEditor,
  ...settingOperations,
  ...settingSectionOperations,
  ...cacheRuleOperations,
  ...folderPasswordOperations,
  ...redirectOperations,
  ...rewriteOperations,
  ...absentSettingOperations,
];
