import { AppError, type ErrorShape, type TextParams } from '../common/index.js';

/** Why a sign-in was rejected. */
export type LoginErrorCode =
  | 'CAPTCHA_WRONG_ADMIN'
  | 'CAPTCHA_WRONG_USER'
  | 'CREDENTIALS_WRONG_ADMIN'
  | 'CREDENTIALS_WRONG_USER'
  | 'USERNAME_CHARACTERS'
  | 'TOO_MANY_TRIES'
  | 'TOO_MANY_CAPTCHAS'
  | 'DEFAULT_PASSWORD_REFUSED'
  | 'CODE_WRONG'
  | 'STEP_OVER'
  | 'CODE_NEEDED';

const ERROR_MAP: Record<LoginErrorCode, ErrorShape> = {
  CAPTCHA_WRONG_ADMIN: { err: 'E_ARGS', text: 'auth.captcha_wrong_admin' },
  CAPTCHA_WRONG_USER: { err: 'E_ARGS', text: 'auth.captcha_wrong_user' },
  CREDENTIALS_WRONG_ADMIN: { err: 'E_ARGS', text: 'auth.credentials_wrong_admin' },
  CREDENTIALS_WRONG_USER: { err: 'E_ARGS', text: 'auth.credentials_wrong_user' },
  USERNAME_CHARACTERS: { err: 'E_ARGS', text: 'auth.username_characters' },
  TOO_MANY_TRIES: { err: 'E_RATE', text: 'auth.too_many_tries', status: 429 },
  TOO_MANY_CAPTCHAS: { err: 'E_RATE', text: 'auth.too_many_captchas', status: 429 },
  CODE_WRONG: { err: 'E_ARGS', text: 'auth.code_wrong' },
  STEP_OVER: { err: 'E_STATE', text: 'auth.step_over' },
  CODE_NEEDED: { err: 'E_FORBIDDEN', text: 'auth.code_needed' },
  DEFAULT_PASSWORD_REFUSED: { err: 'E_FORBIDDEN', text: 'auth.default_password_refused' },
};

/** A rejected sign-in. */
export class LoginError extends AppError<LoginErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Too many requests for the rate class. */
export class RateLimited extends AppError<'RATE_LIMITED'> {
  /** @param seconds until the next request is allowed; sent as `Retry-After` */
  constructor(readonly seconds: number) {
    super('RATE_LIMITED', { seconds });
  }

  get shape(): ErrorShape {
    return { err: 'E_RATE', text: 'auth.rate_limited', status: 429 };
  }
}

/** The password was right, but the account may not sign in: suspended or expired. */
export class LoginRefusal extends AppError<'REFUSED'> {
  constructor(
    private readonly text: string,
    params: TextParams = {},
  ) {
    super('REFUSED', params);
  }

  get shape(): ErrorShape {
    return { err: 'E_FORBIDDEN', text: this.text };
  }
}
