import { AppError, type ErrorShape } from '../common/index.js';

/** Errors of a page. */
export type ThemeErrorCode = 'VIEW_NOT_FOUND' | 'VIEW_BROKEN' | 'THEME_NOT_FOUND';

const ERROR_MAP: Record<ThemeErrorCode, ErrorShape> = {
  VIEW_NOT_FOUND: { err: 'E_INTERNAL', text: 'theme.view_not_found', status: 500 },
  VIEW_BROKEN: { err: 'E_INTERNAL', text: 'theme.view_broken', status: 500 },
  THEME_NOT_FOUND: { err: 'E_NOTEXIST', text: 'theme.theme_not_found' },
};

/** An error of the theme engine; `params.view` or `params.name` identifies its subject. */
export class ThemeError extends AppError<ThemeErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
