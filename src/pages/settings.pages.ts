import { Controller } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { translateFor } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, SettingsTabs } from '../web/index.js';

import { PluginSettings } from './plugin-settings.js';

/** The settings page: tabs of features and of plugins. */
@Controller()
export class SettingsPages {
  constructor(
    private readonly tabs: SettingsTabs,
    private readonly plugins: PluginSettings,
  ) {}

  @Page({ side: 'admin', path: 'settings', title: 'theme.menu.system', needs: [] })
  async settings(call: RequestContext): Promise<object> {
    const core = this.tabs.names(accessOf(call.admin));
    const tab = call.query.tab ?? core[0]!;
    const ofPlugins = await this.plugins.tabs(call);
    const tabs = ofPlugins.map(({ id, owner, title, url, page }) => ({
      id,
      title: translateFor(owner, call.locale, title),
      href: url && !page ? url : `/admin/settings?tab=${encodeURIComponent(id)}`,
    }));
    const ofPlugin = ofPlugins.find(({ id }) => id === tab);
    const vars = (await this.tabs.show(tab, call)) ?? (ofPlugin && (await this.plugins.show(ofPlugin, call)));
    if (!vars) throw new PageMissing();
    return { tab, core_tabs: core, tabs, ...vars };
  }
}
