import { Injectable } from '@nestjs/common';

import { Semaphore } from '../common/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { CaptchaService } from './captcha-service.js';
import { CodeStep } from './code-step.js';
import { Credentials, type TypedCredentials } from './credentials.js';
import { LoginError } from './errors.js';
import { DEVICE_COOKIES } from './known-devices.js';
import { SignInEntry, type SignedIn } from './sign-in-entry.js';
import { SignInLimits } from './sign-in-limits.js';

const CONCURRENT_LOGINS = 4;
/** Characters no user name has. Source: docs/panel-api.md "Signing in". */
const DANGEROUS = /["',/\\]/;

/** What somebody typed. */
export interface LoginAttempt extends TypedCredentials {
  readonly captcha: string;
  /** Whether this side asks for a captcha. */
  readonly captchaWanted: boolean;
  /** Came by a way that never asks for one, beside a login page that may; see {@link SignInLimits}. */
  readonly withoutCaptcha?: boolean;
  /** Code of the second factor, where it comes with the password. */
  readonly totp?: string;
}

/** The password was right; what to show with the code of the second factor. */
export interface SecondStep {
  readonly lp: string;
}

/** Checks who signs in: captcha, limits, name and password, code of the second factor, session. */
@Injectable()
export class LoginService {
  /** Sign-ins wait for their hash anyway: the rest of fifty at once need not come before everybody else's requests. */
  private readonly turns = new Semaphore(CONCURRENT_LOGINS);

  constructor(
    private readonly captchas: CaptchaService,
    private readonly limits: SignInLimits,
    private readonly credentials: Credentials,
    private readonly codes: CodeStep,
    private readonly entry: SignInEntry,
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
    const candidate = await this.credentials.candidateFor(scope, username);
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
      .take(() => this.credentials.check(scope, { ...attempt, username }, candidate))
      .catch(async (error: unknown) => {
        if (error instanceof LoginError) await counted.failed();
        // Who knows the password is no guesser, even if the account may not come in.
        else await counted.succeeded();
        throw error;
      });
    if (await this.codes.isAsked(scope, subject.id)) {
      await counted.succeeded();
      const lp = await this.codes.open(scope, { ...subject, username });
      return attempt.totp ? this.finish(scope, lp, attempt.totp, call, oldToken) : { lp };
    }
    const signedIn = await this.entry.enter(scope, subject, call, oldToken);
    await counted.succeeded();
    return signedIn;
  }

  /** The second step of a sign-in; see {@link CodeStep.finish}. */
  finish(scope: Scope, lp: string, code: string, call: CallContext, oldToken: string | undefined): Promise<SignedIn> {
    return this.codes.finish(scope, lp, code, call, oldToken);
  }

  /** The account a typed name is of, for the log; null for a name that is nobody's. */
  async accountNamed(scope: Scope, typed: string): Promise<{ side: Scope; id: number } | null> {
    const found = await this.credentials.candidateFor(scope, typed.trim());
    return found && { side: scope, id: found.id };
  }

  /** Whose step it is, for the log; null where it is over. */
  nameOfStep(scope: Scope, lp: string): Promise<string | null> {
    return this.codes.nameOf(scope, lp);
  }
}
