import { Injectable } from '@nestjs/common';
import { Passport } from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';

import { Turns } from '../common/index.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { Administrators } from './administrators.js';
import { CaptchaService } from './captcha-service.js';
import { addressForLimits } from './client-address.js';
import { LoginError, LoginRefusal } from './errors.js';
import { PasswordHasher } from './password-hasher.js';
import { RateLimiter } from './rate-limiter.js';
import { SessionService } from './session-service.js';
import type { UserDirectory } from './user-directory.js';

/** Tries per address and per account: ten in ten minutes. */
const LOGIN_RATE = { limit: 10, windowSeconds: 600 };
/** In characters, as the forms that set them count. */
const CONCURRENT_LOGINS = 4;
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

/** Who has shown the right password, and the hash it was checked against. */
interface Subject {
  readonly id: number;
  readonly passwordHash: string;
}

/** Checks who signs in: rate limit, captcha, passport's local strategy of the side, session. */
@Injectable()
export class LoginService {
  private readonly passport = new Passport();
  /** Sign-ins wait for their hash anyway: the rest of fifty at once need not come before everybody else's requests. */
  private readonly turns = new Turns(CONCURRENT_LOGINS);
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
   * Opens a session under a new id; whatever session the browser had before ends. Every try counts against its address and
   * its account before anything of it is looked at; one that succeeds is taken back.
   *
   * @returns the token for the cookie
   * @throws LoginError, the same for an unknown account and a wrong password; LoginRefusal for an account that may not come in
   */
  login(scope: Scope, attempt: LoginAttempt, call: CallContext, oldToken: string | undefined): Promise<string> {
    return this.turns.take(() => this.attempt(scope, attempt, call, oldToken));
  }

  private async attempt(scope: Scope, attempt: LoginAttempt, call: CallContext, oldToken: string | undefined): Promise<string> {
    const username = attempt.username.trim();
    const addressKey = `login:${scope}:ip:${addressForLimits(call.ip)}`;
    const accountKey = `login:${scope}:account:${username.toLowerCase()}`;
    for (const key of [addressKey, accountKey]) {
      const { allowed, retryAfterSeconds } = await this.limiter.hit(key, LOGIN_RATE);
      if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    }
    if (attempt.captchaWanted && !(await this.captchas.check(scope, call, attempt.captcha))) {
      throw new LoginError(scope === 'admin' ? 'CAPTCHA_WRONG_ADMIN' : 'CAPTCHA_WRONG_USER');
    }
    if (scope === 'user' && DANGEROUS.test(username)) throw new LoginError('USERNAME_CHARACTERS');
    const { id, passwordHash } = await this.authenticate(scope, username, attempt.password);
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const token = await this.sessions.openWithPassword(scope, id, passwordHash, visitor);
    if (token === null) throw wrongCredentials(scope);
    await this.limiter.clear(accountKey);
    await this.limiter.takeBack(addressKey);
    if (oldToken) await this.sessions.end(oldToken);
    return token;
  }

  private authenticate(scope: Scope, user: string, pass: string): Promise<Subject> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, subject?: Subject | false): void => {
        if (error) reject(error as Error);
        else if (subject) resolve(subject);
        else reject(wrongCredentials(scope));
      };
      if (!isWithin(user, MAX_USERNAME) || !isWithin(pass, MAX_PASSWORD) || CONTROL.test(user)) return done(null, false);
      // Passport reads the fields of the form and nothing else of the request.
      const run = this.passport.authenticate(`${scope}-local`, { session: false }, done) as (req: object, res: object, next: (error?: unknown) => void) => void;
      run({ body: { user, pass }, query: {}, headers: {} }, {}, done);
    });
  }

  private async checkAdministrator(username: string, password: string): Promise<Subject | false> {
    const administrator = await this.administrators.findByName(username);
    if (!(await this.hasher.verify(password, administrator?.passwordHash ?? null))) return false;
    if (password === DEFAULT_ADMIN_PASSWORD && !this.config.defaultPasswordAllowed) throw new LoginError('DEFAULT_PASSWORD_REFUSED');
    return administrator!;
  }

  private async checkUser(username: string, password: string): Promise<Subject | false> {
    const found = (await this.directory?.findForLogin(username)) ?? null;
    // As Administrators.findByName: a name that only looks alike to the database is another one.
    const candidate = found?.username.toLowerCase() === username.toLowerCase() ? found : null;
    if (!(await this.hasher.verify(password, candidate?.passwordHash ?? null))) return false;
    if (candidate!.refusal) throw new LoginRefusal(candidate!.refusal.text, candidate!.refusal.params);
    return candidate!;
  }
}

function wrongCredentials(scope: Scope): LoginError {
  return new LoginError(scope === 'admin' ? 'CREDENTIALS_WRONG_ADMIN' : 'CREDENTIALS_WRONG_USER');
}

function isWithin(text: string, length: number): boolean {
  return text !== '' && text.length <= 2 * length && [...text].length <= length;
}

function settle(check: Promise<Subject | false>, done: (error: unknown, subject?: Subject | false) => void): void {
  check.then(
    (subject) => done(null, subject),
    (error: unknown) => done(error),
  );
}
