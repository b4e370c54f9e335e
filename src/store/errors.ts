import { AppError, type ErrorShape, type TextParams, type WireError } from '../common/index.js';

import type { StoreTextKey } from './texts.js';

/** Error statuses of the store's API. Source: docs/store-api.md "Answers". */
export type StoreStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;

/** All expected errors with their HTTP status. The text key is derived from the code: `store.captcha_wrong`. */
export const STORE_ERRORS = {
  BETA_NEEDS_RELEASE: 400,
  BLOCKED_FILES: 400,
  BODY_MALFORMED: 400,
  CAPTCHA_MISSING: 400,
  CAPTCHA_WRONG: 400,
  CATEGORY_INVALID: 400,
  CHANGELOG_TOO_LONG: 400,
  CHANNEL_INVALID: 400,
  CODE_WRONG: 400,
  CO_AUTHOR_LIMIT: 400,
  CO_AUTHOR_SELF: 400,
  DESCRIPTION_REQUIRED: 400,
  DESCRIPTION_TOO_LONG: 400,
  DIGEST_BLOCKED_ALREADY: 400,
  EDIT_REQUEST_DECIDED: 400,
  EMAIL_INVALID: 400,
  EMAIL_TAKEN: 400,
  FACTOR_OVER: 400,
  FIELD_INVALID: 400,
  FIELD_NOT_EDITABLE: 400,
  FILE_NOT_TEXT: 400,
  GRAVE_FINDINGS: 400,
  HOMEPAGE_INVALID: 400,
  ID_INVALID: 400,
  INVALID: 400,
  LAST_ADMIN: 400,
  LINK_OVER: 400,
  LOOK_AT_IT: 400,
  MAIN_IMAGE_INVALID: 400,
  NAME_INVALID: 400,
  NAME_REQUIRED: 400,
  NAME_TAKEN: 400,
  NEW_PASSWORD_SHORT: 400,
  NO_MAIL: 400,
  NOTHING_TO_CHANGE: 400,
  OLD_PASSWORD_WRONG: 400,
  ONE_FILE_ONLY: 400,
  OTHER_VERSION_WAITS: 400,
  PASSWORD_FIELDS: 400,
  PASSWORD_LONG: 400,
  PASSWORD_PUBLISHED: 400,
  PASSWORD_SHORT: 400,
  PLUGIN_EXISTS: 400,
  PRICE_INVALID: 400,
  RATING_DECIDED: 400,
  REGISTER_FIELDS: 400,
  REPORT_CLOSED_ALREADY: 400,
  REQUIRES_INVALID: 400,
  SCREENSHOTS_INVALID: 400,
  SLUG_INVALID: 400,
  SLUG_REQUIRED: 400,
  SLUG_RESERVED: 400,
  STATE_CONFLICT: 400,
  TAGS_INVALID: 400,
  THEME_EXISTS: 400,
  TOKEN_LIMIT: 400,
  TOKEN_SCOPES: 400,
  TOO_MANY_SENT: 400,
  TOO_MANY_VERSIONS: 400,
  TOO_MANY_WAITING: 400,
  TYPE_REQUIRED: 400,
  USERNAME_CHARACTERS: 400,
  USERNAME_LENGTH: 400,
  VERSION_CLAIMED: 400,
  VERSION_DECIDED: 400,
  VERSION_INVALID: 400,
  VERSION_NOT_PUBLISHED: 400,
  VERSION_PUBLISHED: 400,
  VERSION_REQUIRED: 400,
  VERSION_USED: 400,
  VERSION_WITHDRAWN: 400,
  WEBHOOK_LIMIT: 400,
  ZIP_ONLY: 400,
  ZIP_REQUIRED: 400,
  CODE_REQUIRED: 401,
  CREDENTIALS_WRONG: 401,
  DEFAULT_PASSWORD_REFUSED: 401,
  LOGIN_REQUIRED: 401,
  ACCOUNT_BANNED: 403,
  ADMIN_REQUIRED: 403,
  CROSS_SITE: 403,
  DEVELOPER_REQUIRED: 403,
  FACTOR_THERE: 403,
  ITEM_NOT_YOURS: 403,
  RATING_OWN: 403,
  TOKEN_ITEM: 403,
  TOKEN_SCOPE: 403,
  CO_AUTHOR_MISSING: 404,
  DIGEST_NOT_BLOCKED: 404,
  ITEM_BLOCKED_ALREADY: 400,
  ITEM_NOT_BLOCKED: 400,
  EDIT_REQUEST_GONE: 404,
  FACTOR_NONE: 404,
  FILE_GONE: 404,
  ITEM_NOT_DOWNLOADABLE: 404,
  ITEM_NOT_FOUND: 404,
  ITEM_NOT_FOUND_OR_YOURS: 404,
  NOT_FOUND: 404,
  RATING_NOT_FOUND: 404,
  REPORT_NOT_FOUND: 404,
  SESSION_MISSING: 404,
  TOKEN_MISSING: 404,
  USER_MISSING: 404,
  VERSION_NOT_FOUND: 404,
  WEBHOOK_MISSING: 404,
  FORM_STALE: 409,
  BODY_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  UPLOADS_AT_ONCE: 429,
  INTAKE_BUSY: 503,
  SERVER_BUSY: 503,
  STORAGE_AWAY: 503,
} as const satisfies Record<string, StoreStatus>;

/** One of {@link STORE_ERRORS}. */
export type StoreErrorCode = keyof typeof STORE_ERRORS;

const CLASSES: Readonly<Record<(typeof STORE_ERRORS)[StoreErrorCode], WireError>> = {
  400: 'E_ARGS',
  401: 'E_FORBIDDEN',
  403: 'E_FORBIDDEN',
  404: 'E_NOTEXIST',
  409: 'E_CONFLICT',
  413: 'E_LIMIT',
  429: 'E_RATE',
  503: 'E_BUSY',
};

/** Error code for an unavailable item. */
export type ItemMissing = 'ITEM_NOT_FOUND' | 'ITEM_NOT_FOUND_OR_YOURS' | 'ITEM_NOT_DOWNLOADABLE';

/** An expected error of the store, reported to the caller. */
export class StoreError extends AppError<StoreErrorCode> {
  /**
   * @param params values for the placeholders of the text
   * @param options.field name of the form field that broke a rule
   * @param options.rule text key of the broken form rule, used instead of the code's own text
   */
  constructor(
    code: StoreErrorCode,
    params: TextParams = {},
    private readonly options: ErrorOptions & { readonly rule?: StoreTextKey; readonly field?: string } = {},
  ) {
    super(code, params, undefined, options);
  }

  /** The form field that broke its rule. */
  get field(): string | undefined {
    return this.options.field;
  }

  get shape(): ErrorShape & { readonly status: StoreStatus } {
    const status = STORE_ERRORS[this.code];
    return { err: CLASSES[status], text: this.options.rule ?? `store.${this.code.toLowerCase()}`, status };
  }
}
