import type { FormValues } from '../../http/index.js';
import type { WebSettingsState } from '../driver/index.js';

import { shownBytes } from './setting-values.js';

/** Form values of the settings page, by field name. Their versions detect concurrent edits in two tabs. */
export const SETTING_FORMS = {
  indexes: ({ indexes }) => ({ ml: indexes.join(',') }),
  runFolder: ({ runFolder }) => ({ wb: runFolder }),
  rewrites: ({ rewrites }) => ({ wb: rewrites }),
  compression: ({ compression: { enabled, level, minBytes, types } }) => ({
    action: enabled,
    level,
    min_len: shownBytes(minBytes),
    types: types.join('\n'),
  }),
  hotlink: ({ hotlink: { enabled, suffixes, domains, allowEmpty, status } }) => ({
    status: enabled,
    fix: suffixes.join(','),
    domains: domains.join('\n'),
    http_status: allowEmpty,
    return_rule: status,
  }),
  errorPages: ({ errorPages }) => ({ p403: errorPages['403'] ?? '', p404: errorPages['404'] ?? '', p503: errorPages['503'] ?? '' }),
} satisfies Record<string, (present: WebSettingsState) => FormValues>;

/** Name of a form. */
export type SettingForm = keyof typeof SETTING_FORMS;
