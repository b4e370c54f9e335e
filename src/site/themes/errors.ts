import { AppError, type ErrorShape } from '../../common/index.js';

/** Why a theme was not activated, shown or removed. */
export type ThemeChoiceErrorCode =
  'CHOOSE_BOTH' | 'NOT_SUPPORTED' | 'IN_USE' | 'NOT_INSTALLED' | 'NO_SETTINGS' | 'NO_SCRIPT' | 'SCRIPT_CHANGED' | 'SCRIPT_FIRST';

const ERROR_MAP: Record<ThemeChoiceErrorCode, ErrorShape> = {
  CHOOSE_BOTH: { err: 'E_ARGS', text: 'site.themes_choose_both' },
  NOT_SUPPORTED: { err: 'E_NOTEXIST', text: 'site.theme_not_supported' },
  IN_USE: { err: 'E_INUSE', text: 'site.theme_in_use' },
  NO_SETTINGS: { err: 'E_NOTEXIST', text: 'site.theme_no_settings' },
  NO_SCRIPT: { err: 'E_NOTEXIST', text: 'site.theme_no_script' },
  SCRIPT_CHANGED: { err: 'E_STATE', text: 'site.theme_script_changed' },
  SCRIPT_FIRST: { err: 'E_STATE', text: 'site.theme_script_first' },
  NOT_INSTALLED: { err: 'E_NOTEXIST', text: 'site.theme_not_installed' },
};

/** A rejected choice of themes; `params.theme` names the theme. */
export class ThemeChoiceError extends AppError<ThemeChoiceErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
