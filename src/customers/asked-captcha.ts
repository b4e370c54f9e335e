import { Injectable } from '@nestjs/common';

import { CaptchaService } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { refusal } from './rules.js';

/** Captcha of the account pages: required if the user side requires one, and shared with it. */
@Injectable()
export class AskedCaptcha {
  constructor(
    private readonly captchas: CaptchaService,
    private readonly settings: SiteSettings,
  ) {}

  /** Whether the forms require one. */
  get wanted(): boolean {
    return this.captchas.enabled && this.settings.current.userCaptcha;
  }

  /** Consumes the captcha, right or wrong. @throws CustomerError CAPTCHA_WRONG */
  async check(call: Pick<CallContext, 'cookies'>, answer: string): Promise<void> {
    if (this.wanted && !(await this.captchas.check('user', call, answer))) throw refusal('CAPTCHA_WRONG', 'captcha');
  }
}
