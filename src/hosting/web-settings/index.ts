import { absentSettingOperations } from './absent-setting.operations.js';
import { cacheRuleOperations } from './cache-rule.operations.js';
import { folderPasswordOperations } from './folder-password.operations.js';
import { redirectOperations } from './redirect.operations.js';
import { rewriteOperations } from './rewrite.operations.js';
import { WebSettingEditor } from './setting-editor.js';
import { settingSectionOperations } from './setting-section.operations.js';
import { settingOperations } from './setting.operations.js';

export { ListData } from './setting-editor.js';
export { WebSettingRepository } from './setting-repository.js';
export { WebSettingError } from './setting-errors.js';
export { WebSettingPages } from './setting.pages.js';

/** Operations on the web server settings of a hosted site, for its owner and for administrators. */
export const WEB_SETTING_OPERATIONS = [
  WebSettingEditor,
  ...settingOperations,
  ...settingSectionOperations,
  ...cacheRuleOperations,
  ...folderPasswordOperations,
  ...redirectOperations,
  ...rewriteOperations,
  ...absentSettingOperations,
];
