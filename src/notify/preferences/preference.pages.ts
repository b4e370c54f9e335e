import { Controller } from '@nestjs/common';

import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';
import { Page } from '../../web/index.js';
import { Mailer } from '../mail/index.js';
import { noticeKindsOf } from '../notice.js';
import { NOTICES_MENU } from '../notices-menu.js';
import { NoticeAccounts, Preferences, isWanted } from '../receivers/index.js';

import { preferenceForm } from './preference-form.js';

/** Pages of notification preferences, on both sides. */
@Controller()
export class PreferencePages {
  constructor(
    private readonly preferences: Preferences,
    private readonly accounts: NoticeAccounts,
    private readonly mailer: Mailer,
  ) {}

  @Page({
    side: 'admin',
    path: 'notice-settings',
    plain: true,
    title: 'notify.menu.notice_settings',
    menu: { under: NOTICES_MENU, order: 60 },
    needs: ['tzsz'],
  })
  ofAdmin(call: RequestContext): Promise<object> {
    return this.preferencesOf('admin', call.admin!.id, null);
  }

  @Page({
    side: 'user',
    path: 'notice-settings',
    plain: true,
    title: 'notify.menu.notice_settings',
    menu: { under: NOTICES_MENU, order: 60 },
  })
  async ofUser(call: RequestContext): Promise<object> {
    return this.preferencesOf('user', call.user!.id, (await this.accounts.findById(call.user!.id))?.email ?? null);
  }

  private async preferencesOf(side: Scope, id: number, known: string | null): Promise<object> {
    const preferences = await this.preferences.of(side, id);
    return {
      email: preferences.email ?? '',
      known: known ?? '',
      language: preferences.locale ?? '',
      digest: preferences.digest,
      row_version: versionOf(preferenceForm(side, preferences)),
      mail_ready: this.mailer.isSetUp,
      kinds: noticeKindsOf(side).map((kind) => ({
        kind,
        bell: isWanted(preferences, kind, 'bell'),
        mail: isWanted(preferences, kind, 'mail'),
        channel: isWanted(preferences, kind, 'channel'),
      })),
    };
  }
}
