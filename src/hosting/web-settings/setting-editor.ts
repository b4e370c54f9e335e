import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';
import type { WebSettingsState } from '../driver/index.js';
import { type MaybeHost, type OpenSite, SiteAccess } from '../site-tools/index.js';

import { WebSettingRepository } from './setting-repository.js';
import { SETTING_FORMS, type SettingForm } from './setting-forms.js';

/** Change of a site's settings, computed from the present ones. */
export type SettingChange = (present: WebSettingsState) => Partial<WebSettingsState>;

/** Reads and changes the settings of the site of a call. */
@Injectable()
export class WebSettingEditor {
  constructor(
    private readonly access: SiteAccess,
    private readonly repository: WebSettingRepository,
  ) {}

  /** @throws HostingError as {@link SiteAccess.of}; PORT_MISSING if its kind of server has no settings */
  async present(input: MaybeHost, ctx: CallContext): Promise<WebSettingsState> {
    const site = await this.access.of(input, ctx, 'read');
    site.port('settings');
    return this.repository.of(site.account.id);
  }

  async save(input: MaybeHost, ctx: CallContext, change: SettingChange, text?: string): Promise<SuccessReply> {
    return this.saveOn(await this.access.of(input, ctx, 'change'), change, text);
  }

  /** Like {@link save}, for a form with a version. @throws StaleForm */
  async saveForm(form: SettingForm, site: OpenSite, version: string | undefined, change: SettingChange): Promise<SuccessReply> {
    const settings = await this.repository.change(site, (present) => {
      checkVersion(version, SETTING_FORMS[form](present));
      return change(present);
    });
    const next = { row_version: versionOf(SETTING_FORMS[form](settings)) };
    return new SuccessReply('hosting.setting_saved', next, { host: site.account.username });
  }

  async saveOn(site: OpenSite, change: SettingChange, text = 'hosting.setting_saved'): Promise<SuccessReply> {
    await this.repository.change(site, change);
    return new SuccessReply(text, {}, { host: site.account.username });
  }
}

/** On the admin side each row names its host, which its actions need. */
export function hostOn(side: Scope, row: Record<string, unknown>, { id }: MaybeHost): Record<string, unknown> {
  return side === 'admin' ? { ...row, host: String(id) } : row;
}

/** Builds a response in the format of older single-page themes: `msg` is the data. */
export const settingBody = (ctx: CallContext, msg: object): object => ({
  success: true,
  qk: 1,
  code: translate(localeOf(ctx.locale), 'hosting.setting_read'),
  msg,
});

/** A list in the format of older programs, and also as rows for pages. */
export class ListData extends RawReply {
  constructor(
    body: object,
    readonly rows: readonly object[],
  ) {
    super({ ...body, total: rows.length, rows });
  }
}
