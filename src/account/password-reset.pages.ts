import { Controller } from '@nestjs/common';

import { translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Mailer } from '../notify/index.js';
import { UserPanelSwitch, type RequestContext } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';
import { Page } from '../web/index.js';

import { ResetLinks } from './reset-links.js';
import { whomToAsk } from './whom-to-ask.js';

/** Pages of the password reset. */
@Controller()
export class PasswordResetPages {
  constructor(
    private readonly config: AppConfig,
    private readonly site: SiteSettings,
    private readonly mailer: Mailer,
    private readonly links: ResetLinks,
    private readonly userPanel: UserPanelSwitch,
  ) {}

  @Page({ side: 'user', path: 'forgot', title: 'account.menu.forgot', open: true })
  forgot({ query, locale }: RequestContext): object {
    this.userPanel.requireOpen();
    const { contact, userCaptcha } = this.site.current;
    const say = (key: string): string => translate(locale, `account.reset_${key}`, { whom: whomToAsk(contact) });
    if (!this.mailer.isSetUp) return { message: say('no_mail') };
    if (query.sent === '1') return { message: say('asked') };
    return { form: true, captcha: this.config.captcha.kind !== 'off' && userCaptcha, username: query.user?.slice(0, 64) };
  }

  @Page({ side: 'user', path: 'reset', title: 'account.menu.forgot', open: true })
  async reset({ query }: RequestContext): Promise<object> {
    this.userPanel.requireOpen();
    const owner = await this.links.read(query.t);
    return owner ? { token: query.t, username: owner.username } : {};
  }
}
