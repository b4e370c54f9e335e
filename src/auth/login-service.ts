import { Injectable } from '@nestjs/common';

import { Semaphore } from '../common/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { CaptchaService } from './captcha-service.js';
import { CodeStep } from './code-step.js';
import { Credentials, wrongCredentials, type TypedCredentials } from './credentials.js';
import { LoginError } from './errors.js';
import { DEVICE_COOKIES } from './known-devices.js';
import { SignInEntry, type SignedIn } from './sign-in-entry.js';
import { SignInLimits } from './sign-in-limits.js';

const CONCURRENT_LOGINS = 4;
/** Characters not allowed in user names. Source: docs/panel-api.md "Signing in". */
const DANGEROUS = /["',/\\]/;

/** The input of a sign-in. */
export interface LoginAttempt extends TypedCredentials {
  readonly captcha: string;
  /** Whether this side requires a captcha. */
  readonly captchaWanted: boolean;
  /** Came through a path that never requires a captcha, although the login page may; see {@link SignInLimits}. */
  readonly withoutCaptcha?: boolean;
  /** Code of the second factor, if sent together with the password. */
  readonly totp?: string;
}

/** The password was right; the token to send with the second factor code. */
export interface SecondStep {
  readonly lp: string;
}

/** Handles sign-ins: captcha, limits, name and password, second factor code, session. */
@Injectable()
export class LoginService {
  /** Limits concurrent sign-ins: they wait for hashing anyway, and must not delay other requests. */
  private readonly turns = new Semaphore(CONCURRENT_LOGINS);

  constructor(
    private readonly captchas: CaptchaService,
    private readonly limits: SignInLimits,
    private readonly credentials: Credentials,
    private readonly codes: CodeStep,
    private readonly entry: SignInEntry,
  ) {}

  /**
   * Opens a session under a new id; the browser's previous session ends. An attempt without the right captcha is not counted.
   * Every other one is counted before its password is verified; a successful one is uncounted.
   *
   * An account with a second factor gets a {@link SecondStep} if no code was sent, to continue with {@link finish}.
   *
   * @throws LoginError, the same for an unknown account and a wrong password; LoginRefusal for an account that may not sign in
   */
  async login(scope: Scope, attempt: LoginAttempt, call: CallContext): Promise<SignedIn | SecondStep> {
    if (attempt.captchaWanted && !(await this.captchas.check(scope, call, attempt.captcha))) {
      throw new LoginError(scope === 'admin' ? 'CAPTCHA_WRONG_ADMIN' : 'CAPTCHA_WRONG_USER');
    }
    const username = attempt.username.trim();
    if (scope === 'user' && DANGEROUS.test(username)) throw new LoginError('USERNAME_CHARACTERS');
    const candidate = await this.credentials.candidateFor(scope, username);
    const deviceToken = call.cookies[DEVICE_COOKIES[scope]];
    const request = {
      side: scope,
      account: username.toLowerCase(),
      accountId: candidate?.id ?? null,
      ip: call.ip,
      deviceToken,
      withoutCaptcha: attempt.withoutCaptcha,
    };
    const counted = await this.limits.begin(request);
    await counted.delay();
    const subject = await this.turns
      .take(() => this.credentials.check(scope, { ...attempt, username }, candidate))
      .catch(async (error: unknown) => {
        if (error instanceof LoginError) await counted.failed();
        // The password was right, so it was no guess, even if the account may not sign in.
        else await counted.succeeded();
        throw error;
      });
    if (await this.codes.isAsked(scope, subject.id)) {
      await counted.succeeded();
      const lp = await this.codes.open(scope, { ...subject, username });
      return attempt.totp ? this.finish(scope, lp, attempt.totp, call) : { lp };
    }
    const signedIn = await this.entry.enter(scope, subject, call);
    if (signedIn === null) throw wrongCredentials(scope);
    await counted.succeeded();
    return signedIn;
  }

  /** Completes a sign-in with a code; see {@link CodeStep.finish}. */
  finish(scope: Scope, lp: string, code: string, call: CallContext): Promise<SignedIn> {
    return this.codes.finish(scope, lp, code, call);
  }

  /** Returns the account of an entered name, for the log; null for an unknown name. */
  async accountNamed(scope: Scope, typed: string): Promise<{ side: Scope; id: number } | null> {
    const found = await this.credentials.candidateFor(scope, typed.trim());
    return found && { side: scope, id: found.id };
  }

  /** Returns the user name of a step, for the log; null if the step has expired. */
  nameOfStep(scope: Scope, lp: string): Promise<string | null> {
    return this.codes.nameOf(scope, lp);
  }
}
