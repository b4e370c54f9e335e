import { Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';

import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { Administrators } from './administrators.js';
import { CaptchaService } from './captcha-service.js';
import { LoginError, LoginRefusal } from './errors.js';
import { PasswordHasher } from './password-hasher.js';
import { RateLimiter } from './rate-limiter.js';
import { SessionService } from './session-service.js';
import { UserDirectory, type LoginCandidate } from './user-directory.js';

/** Tries per address and per account: ten in ten minutes. */
const LOGIN_RATE = { limit: 10, windowSeconds: 600 };
const MAX_USERNAME = 64;
const MAX_PASSWORD = 256;
/** Characters no user name has. Source: docs/panel-api.md "Signing in". */
const DANGEROUS = /["',/\\]/;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What somebody typed. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly captcha: string;
  /** Whether this side asks for a captcha. */
  readonly captchaWanted: boolean;
}

/** Checks who signs in: rate limit, captcha, passport's local strategy of the side, session. */
@Injectable()
export class LoginService {
  private readonly passport = new Passport();
  private directory: UserDirectory | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly administrators: Administrators,
    private readonly hasher: PasswordHasher,
    private readonly captchas: CaptchaService,
    private readonly limiter: RateLimiter,
    private readonly sessions: SessionService,
  ) {
    const fields = { usernameField: 'user', passwordField: 'pass', session: false };
    this.passport.use('admin-local', new LocalStrategy(fields, (user, pass, done) => settle(this.checkAdministrator(user, pass), done)));
    this.passport.use('user-local', new LocalStrategy(fields, (user, pass, done) => settle(this.checkUser(user, pass), done)));
  }

  /** Says where the accounts of the user side are kept. */
  useDirectory(directory: UserDirectory): void {
    this.directory = directory;
  }

  /**
   * Opens a session under a new id; whatever session the browser had before ends.
   *
   * @returns the token for the cookie
   * @throws LoginError, the same for an unknown account and a wrong password; LoginRefusal for an account that may not come in
   */
  async login(scope: Scope, attempt: LoginAttempt, call: CallContext, oldToken: string | undefined): Promise<string> {
    const username = attempt.username.trim();
    const accountKey = `login:${scope}:account:${username.toLowerCase()}`;
    for (const key of [`login:${scope}:ip:${call.ip}`, accountKey]) {
      const { allowed, retryAfterSeconds } = await this.limiter.hit(key, LOGIN_RATE);
      if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    }
    if (attempt.captchaWanted && !(await this.captchas.check(scope, call, attempt.captcha))) {
      throw new LoginError(scope === 'admin' ? 'CAPTCHA_WRONG_ADMIN' : 'CAPTCHA_WRONG_USER');
    }
    if (scope === 'user' && DANGEROUS.test(username)) throw new LoginError('USERNAME_CHARACTERS');
    const subjectId = await this.authenticate(scope, username, attempt.password);
    await this.limiter.clear(accountKey);
    if (oldToken) await this.sessions.end(oldToken);
    return this.sessions.open(scope, subjectId, { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') });
  }

  private authenticate(scope: Scope, user: string, pass: string): Promise<number> {
    const wrong = new LoginError(scope === 'admin' ? 'CREDENTIALS_WRONG_ADMIN' : 'CREDENTIALS_WRONG_USER');
    if (user === '' || user.length > MAX_USERNAME || pass === '' || pass.length > MAX_PASSWORD || CONTROL.test(user)) return Promise.reject(wrong);
    return new Promise((resolve, reject) => {
      const done = (error: unknown, subject?: unknown): void => {
        if (error) reject(error as Error);
        else if (typeof subject === 'number') resolve(subject);
        else reject(wrong);
      };
      // Passport reads the fields of the form and nothing else of the request.
      const run = this.passport.authenticate(`${scope}-local`, { session: false }, done) as (req: object, res: object, next: (error?: unknown) => void) => void;
      run({ body: { user, pass }, query: {}, headers: {} }, {}, done);
    });
  }

  private async checkAdministrator(username: string, password: string): Promise<number | false> {
    const administrator = await this.administrators.findByName(username);
    if (!(await this.hasher.verify(password, administrator?.passwordHash ?? null))) return false;
    if (password === DEFAULT_ADMIN_PASSWORD && !this.config.defaultPasswordAllowed) throw new LoginError('DEFAULT_PASSWORD_REFUSED');
    return administrator!.id;
  }

  private async checkUser(username: string, password: string): Promise<number | false> {
    const candidate: LoginCandidate | null = (await this.directory?.findForLogin(username)) ?? null;
    if (!(await this.hasher.verify(password, candidate?.passwordHash ?? null))) return false;
    if (candidate!.refusal) throw new LoginRefusal(candidate!.refusal.text, candidate!.refusal.params);
    return candidate!.id;
  }
}

function settle(check: Promise<number | false>, done: (error: unknown, subject?: number | false) => void): void {
  check.then(
    (subject) => done(null, subject),
    (error: unknown) => done(error),
  );
}
