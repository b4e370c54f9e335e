import { Controller } from '@nestjs/common';

import { versioned } from '../../http/index.js';
import { SiteSettings } from '../../site/index.js';
import { SettingsTab } from '../../web/index.js';

import { mailForm } from './mail.operations.js';
import { Mailer } from './mailer.js';

/** Settings tab of the mail server. */
@Controller()
export class MailSettingsPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly mailer: Mailer,
  ) {}

  @SettingsTab({ tab: 'mail', order: 40, menu: 'notify.menu.mail', needs: 'mailmode' })
  mail(): object {
    const { current } = this.settings;
    return { ...versioned(mailForm(current)), has_password: current.mailPassword !== null, mail_ready: this.mailer.isSetUp };
  }
}
