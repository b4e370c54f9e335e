import { Controller } from '@nestjs/common';

import { signedInAddress } from '../auth/index.js';
import { translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { UserPanelSwitch, type RequestContext } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { Page, PageRedirect } from '../web/index.js';

import { LOGIN_MESSAGES } from './login-messages.js';

/** Login pages. Signed-in visitors are redirected to their destination. */
@Controller()
export class LoginPages {
  constructor(
    private readonly config: AppConfig,
    private readonly site: SiteSettings,
    private readonly userPanel: UserPanelSwitch,
  ) {}

  @Page({ side: 'admin', path: 'login', title: 'account.menu.login', open: true })
  admin(call: RequestContext): object {
    if (call.admin) throw new PageRedirect(signedInAddress('admin', call.query.next));
    return this.form('admin', call);
  }

  @Page({ side: 'user', path: 'login', title: 'account.menu.login', open: true })
  user(call: RequestContext): object {
    this.userPanel.requireOpen();
    if (call.user) throw new PageRedirect(signedInAddress('user', call.query.next));
    const text = call.query.from && LOGIN_MESSAGES[call.query.from];
    return { ...this.form('user', call), message: text && translate(call.locale, text), forgot: true };
  }

  private form(side: Scope, { query }: RequestContext): object {
    const { adminCaptcha, userCaptcha } = this.site.current;
    return {
      captcha: this.config.captcha.kind !== 'off' && (side === 'admin' ? adminCaptcha : userCaptcha),
      username: query.user?.slice(0, 64),
      next: query.next,
    };
  }
}
