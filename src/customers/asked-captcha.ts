import { Injectable } from '@nestjs/common';

import { CaptchaService } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { refusal } from './rules.js';

/** The captcha of the account pages: asked for where the user side asks for one, and the picture is that one's. */
@Injectable()
export class AskedCaptcha {
  constructor(
    private readonly captchas: CaptchaService,
    private readonly settings: SiteSettings,
  ) {}

  /** Whether the forms ask for one. */
  get wanted(): boolean {
    return this.captchas.enabled && this.settings.current.userCaptcha;
  }

  /** Uses it up, right or wrong. @throws CustomerError CAPTCHA_WRONG */
  async check(call: Pick<CallContext, 'cookies'>, answer: string): Promise<void> {
    if (this.wanted && !(await this.captchas.check('user', call, answer))) throw refusal('CAPTCHA_WRONG', 'captcha');
  }
}
