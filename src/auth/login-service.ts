import { Inject, Injectable, Optional } from '@nestjs/common';

import { Semaphore } from '../common/index.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { Administrators } from './administrators.js';
import { CaptchaService } from './captcha-service.js';
import { LoginError, LoginRefusal } from './errors.js';
import { DEVICE_COOKIES, KnownDevices } from './known-devices.js';
import { LocalAuthGuard, type HttpExchange } from './local-auth.guard.js';
import { PasswordHasher } from './password-hasher.js';
import { RateLimiter } from './rate-limiter.js';
import { SecondFactors } from './second-factors.js';
import { SessionService } from './session-service.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInSteps } from './sign-in-steps.js';
import { type LoginCandidate, UserDirectory } from './user-directory.js';

const CONCURRENT_LOGINS = 4;
/** In characters, as the forms that set them count. */
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
  /** Came by a way that never asks for one, beside a login page that may; see {@link SignInLimits}. */
  readonly withoutCaptcha?: boolean;
  /** Code of the second factor, where it comes with the password. */
  readonly totp?: string;
  /** The request it came by. */
  readonly exchange: HttpExchange;
}

/** The tokens for the cookies of somebody who signed in. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: number;
  /** Of the device, which is known from now on. */
  readonly device: string;
}

/** The password was right; what to show with the code of the second factor. */
export interface SecondStep {
  readonly lp: string;
}

/** Wrong codes for one account, from wherever: who tries them knows the password. */
const CODES = { limit: 20, windowSeconds: 600 };

/** Who has shown the right password, and the hash it was checked against. */
type Subject = Pick<LoginCandidate, 'id' | 'username' | 'passwordHash'>;

/** Checks who signs in: captcha, limits, passport's local strategy ({@link LocalAuthGuard}), session. */
@Injectable()
export class LoginService {
  /** Sign-ins wait for their hash anyway: the rest of fifty at once need not come before everybody else's requests. */
  private readonly turns = new Semaphore(CONCURRENT_LOGINS);

  constructor(
    private readonly config: AppConfig,
    private readonly guard: LocalAuthGuard,
    private readonly administrators: Administrators,
    private readonly hasher: PasswordHasher,
    private readonly captchas: CaptchaService,
    private readonly limits: SignInLimits,
    private readonly devices: KnownDevices,
    private readonly sessions: SessionService,
    private readonly seconds: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly limiter: RateLimiter,
    /** Where the accounts of the user side are kept; a process without a panel has none. */
    @Optional() @Inject(UserDirectory) private readonly directory: UserDirectory | null = null,
  ) {}

  /**
   * Opens a session under a new id; whatever session the browser had before ends. A try without the right captcha counts for
   * nothing. Every other counts before its password is looked at; one that succeeds is taken back.
   *
   * Who has a second factor and sends no code gets a {@link SecondStep}, to go on with by {@link finish}.
   *
   * @throws LoginError, the same for an unknown account and a wrong password; LoginRefusal for an account that may not come in
   */
  async login(scope: Scope, attempt: LoginAttempt, call: CallContext, oldToken: string | undefined): Promise<SignedIn | SecondStep> {
    if (attempt.captchaWanted && !(await this.captchas.check(scope, call, attempt.captcha))) {
      throw new LoginError(scope === 'admin' ? 'CAPTCHA_WRONG_ADMIN' : 'CAPTCHA_WRONG_USER');
    }
    const username = attempt.username.trim();
    if (scope === 'user' && DANGEROUS.test(username)) throw new LoginError('USERNAME_CHARACTERS');
    const candidate = await this.candidateFor(scope, username);
    const deviceToken = call.cookies[DEVICE_COOKIES[scope]];
    const asker = {
      side: scope,
      account: username.toLowerCase(),
      accountId: candidate?.id ?? null,
      ip: call.ip,
      deviceToken,
      withoutCaptcha: attempt.withoutCaptcha,
    };
    const counted = await this.limits.begin(asker);
    await counted.delay();
    const subject = await this.turns
      .take(() => this.authenticate(scope, { ...attempt, username }, candidate))
      .catch(async (error: unknown) => {
        if (error instanceof LoginError) await counted.failed();
        // Who knows the password is no guesser, even if the account may not come in.
        else await counted.succeeded();
        throw error;
      });
    if (await this.seconds.enabled(scope, subject.id)) {
      await counted.succeeded();
      const lp = await this.steps.open(scope, { ...subject, username });
      return attempt.totp ? this.finish(scope, lp, attempt.totp, call, oldToken) : { lp };
    }
    const signedIn = await this.enter(scope, subject, call, oldToken);
    await counted.succeeded();
    return signedIn;
  }

  /**
   * The second step of a sign-in. A wrong code counts as a wrong password does, and after five the password is asked for again.
   *
   * @param lp as {@link login} gave it
   * @param code of the app, or a recovery code
   * @throws LoginError CODE_WRONG, STEP_OVER, TOO_MANY_TRIES
   */
  async finish(scope: Scope, lp: string, code: string, call: CallContext, oldToken: string | undefined): Promise<SignedIn> {
    const step = await this.steps.find(scope, lp);
    if (!step) throw new LoginError('STEP_OVER');
    const { accountId, username, passwordHash } = step;
    const deviceToken = call.cookies[DEVICE_COOKIES[scope]];
    const counted = await this.limits.begin({ side: scope, account: username.toLowerCase(), accountId, ip: call.ip, deviceToken });
    const codes = `code:${scope}:${accountId}`;
    const { allowed, retryAfterSeconds } = await this.limiter.hit(codes, CODES);
    if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    await counted.delay();
    if (!(await this.steps.count(step.id))) throw new LoginError('STEP_OVER');
    if (!(await this.seconds.check(scope, accountId, code))) {
      await counted.failed();
      throw new LoginError('CODE_WRONG', {}, { totp: 'auth.code_wrong' });
    }
    if (!(await this.steps.finish(step.id))) throw new LoginError('STEP_OVER');
    const signedIn = await this.enter(scope, { id: accountId, username, passwordHash }, call, oldToken, true);
    await counted.succeeded();
    await this.limiter.clear(codes);
    return signedIn;
  }

  /** The account a typed name is of, for the log; null for a name that is nobody's. */
  async accountNamed(scope: Scope, typed: string): Promise<{ side: Scope; id: number } | null> {
    const found = await this.candidateFor(scope, typed.trim());
    return found && { side: scope, id: found.id };
  }

  /** Whose step it is, for the log; null where it is over. */
  async nameOfStep(scope: Scope, lp: string): Promise<string | null> {
    return (await this.steps.find(scope, lp))?.username ?? null;
  }

  private async enter(scope: Scope, subject: Subject, call: CallContext, oldToken: string | undefined, proven = false): Promise<SignedIn> {
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const token = await this.sessions.openWithPassword(scope, subject.id, subject.passwordHash, visitor, proven);
    if (token === null) throw wrongCredentials(scope);
    if (oldToken) await this.sessions.end(oldToken);
    return { token, accountId: subject.id, device: await this.devices.remember(scope, subject.id, call.cookies[DEVICE_COOKIES[scope]]) };
  }

  /** Whose name it is. A name that only looks alike to the database (MySQL compares without accents) is another one. */
  private async candidateFor(scope: Scope, username: string): Promise<LoginCandidate | null> {
    if (!isWithin(username, MAX_USERNAME) || CONTROL.test(username)) return null;
    if (scope === 'admin') {
      const administrator = await this.administrators.findByName(username);
      return administrator && { ...administrator, ...(administrator.enabled ? {} : { refusal: { text: 'auth.administrator_disabled' } }) };
    }
    const found = (await this.directory?.findForLogin(username)) ?? null;
    return found?.username.toLowerCase() === username.toLowerCase() ? found : null;
  }

  private async authenticate(
    scope: Scope,
    { username, password, exchange }: LoginAttempt,
    candidate: LoginCandidate | null,
  ): Promise<Subject> {
    const isPossible = isWithin(username, MAX_USERNAME) && isWithin(password, MAX_PASSWORD) && !CONTROL.test(username);
    const form = { user: username, pass: password };
    const subject = isPossible && (await this.guard.admit(exchange, form, (_user, pass) => this.check(scope, candidate, pass)));
    if (!subject) throw wrongCredentials(scope);
    return subject;
  }

  /** Takes as long for a name that is nobody's. */
  private async check(scope: Scope, candidate: LoginCandidate | null, password: string): Promise<Subject | false> {
    if (!(await this.hasher.verify(password, candidate?.passwordHash ?? null))) return false;
    if (scope === 'admin' && password === DEFAULT_ADMIN_PASSWORD && !this.config.defaultPasswordAllowed)
      throw new LoginError('DEFAULT_PASSWORD_REFUSED');
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
