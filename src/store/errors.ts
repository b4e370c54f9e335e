import type { TextParams } from '../common/index.js';

/** Statuses an answer of the store may have besides 200. Source: docs/store-api.md "Answers". */
export type StoreStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;

/** What can go wrong on purpose; a new code does not compile until it has a shape. */
export type StoreErrorCode =
  | 'LOGIN_REQUIRED'
  | 'CREDENTIALS_WRONG'
  | 'ACCOUNT_BANNED'
  | 'DEVELOPER_REQUIRED'
  | 'ADMIN_REQUIRED'
  | 'TOKEN_SCOPE'
  | 'CROSS_SITE'
  | 'NOT_FOUND'
  | 'NOT_YOURS'
  | 'INVALID'
  | 'BODY_MALFORMED'
  | 'BODY_TOO_LARGE'
  | 'TOO_MANY_REQUESTS'
  | 'STORAGE_AWAY'
  | 'UPLOADS_AT_ONCE'
  | 'INTAKE_BUSY'
  | 'SERVER_BUSY'
  | 'INTERNAL';

interface StoreErrorShape {
  readonly status: StoreStatus;
  /** Key of the text, which says what to do next. */
  readonly text: string;
}

const ERROR_MAP: Record<StoreErrorCode, StoreErrorShape> = {
  LOGIN_REQUIRED: { status: 401, text: 'store.login_required' },
  CREDENTIALS_WRONG: { status: 401, text: 'store.credentials_wrong' },
  ACCOUNT_BANNED: { status: 403, text: 'store.account_banned' },
  DEVELOPER_REQUIRED: { status: 403, text: 'store.developer_required' },
  ADMIN_REQUIRED: { status: 403, text: 'store.admin_required' },
  TOKEN_SCOPE: { status: 403, text: 'store.token_scope' },
  CROSS_SITE: { status: 403, text: 'store.cross_site' },
  NOT_YOURS: { status: 403, text: 'store.item_not_yours' },
  NOT_FOUND: { status: 404, text: 'store.not_found' },
  INVALID: { status: 400, text: 'store.invalid' },
  BODY_MALFORMED: { status: 400, text: 'store.body_malformed' },
  BODY_TOO_LARGE: { status: 413, text: 'store.body_too_large' },
  TOO_MANY_REQUESTS: { status: 429, text: 'store.too_many_requests' },
  STORAGE_AWAY: { status: 503, text: 'store.storage_away' },
  UPLOADS_AT_ONCE: { status: 429, text: 'store.uploads_at_once' },
  INTAKE_BUSY: { status: 503, text: 'store.intake_busy' },
  SERVER_BUSY: { status: 503, text: 'store.server_busy' },
  INTERNAL: { status: 500, text: 'store.internal' },
};

/** An error of the store that its caller is told of. */
export class StoreError extends Error {
  /**
   * @param params values for the places of the text
   * @param text key of another text than the code's own: which rule was broken, say
   */
  constructor(
    readonly code: StoreErrorCode,
    readonly params: TextParams = {},
    private readonly ownText?: string,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'StoreError';
  }

  get status(): StoreStatus {
    return ERROR_MAP[this.code].status;
  }

  get text(): string {
    return this.ownText ?? ERROR_MAP[this.code].text;
  }

  /** An input that breaks a rule. @param text key of what to do about it */
  static invalid(text: string, params: TextParams = {}): StoreError {
    return new StoreError('INVALID', params, text);
  }
}
