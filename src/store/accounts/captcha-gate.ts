import { Injectable } from '@nestjs/common';

import { CaptchaService, LoginError, type IssuedCaptcha } from '../../auth/index.js';
import { BaseUrl } from '../../config/index.js';
import { StoreError } from '../errors.js';
import type { StoreCall } from '../call/index.js';
import { SESSION_COOKIE } from '../http/index.js';

/** Captchas of the store, bound to the session cookie; anonymous visitors get that cookie with their first captcha. */
@Injectable()
export class CaptchaGate {
  constructor(
    private readonly captchas: CaptchaService,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Issues a new picture and invalidates the previous one. @throws StoreError TOO_MANY_REQUESTS */
  async issue(call: StoreCall): Promise<IssuedCaptcha> {
    try {
      return await this.captchas.issue('store', { ip: call.ip, cookies: sessionCookieOf(call), baseUrl: this.baseUrl.current() });
    } catch (error) {
      throw error instanceof LoginError ? new StoreError('TOO_MANY_REQUESTS', error.params) : error;
    }
  }

  /** Consumes the browser's captcha, whether or not the answer is right. @throws StoreError INVALID unless the answer is right */
  async check(call: StoreCall, answer: string | undefined): Promise<void> {
    if (!this.captchas.enabled) return;
    const right = await this.captchas.check('store', { cookies: sessionCookieOf(call) }, answer ?? '');
    // Visitors who never loaded a captcha get a different error from those with a wrong answer.
    if (!answer || call.sessionToken === undefined) throw new StoreError('CAPTCHA_MISSING');
    if (!right) throw new StoreError('CAPTCHA_WRONG');
  }
}

function sessionCookieOf({ sessionToken }: StoreCall): Record<string, string> {
  return sessionToken === undefined ? {} : { [SESSION_COOKIE]: sessionToken };
}
