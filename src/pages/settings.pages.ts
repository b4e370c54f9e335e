import { Controller } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { translateFor } from '../common/index.js';
import { HookRegistry } from '../hooks/index.js';
import { Permissions, versionOf, type RequestContext } from '../operations/index.js';
import { PluginOptions, optionsForm } from '../plugin-registry/index.js';
import type { SettingsTabRecord } from '../sdk/index.js';
import { PageRegistry, SettingsTabRegistry, trustedHtml, type SettingsTab } from '../theme/index.js';
import { Page, PageMissing, SettingsTabs } from '../web/index.js';

import { PluginPages } from './plugin-pages.js';

/** The settings page: a tab of a feature, or of a plugin. */
@Controller()
export class SettingsPages {
  constructor(
    private readonly tabs: SettingsTabs,
    private readonly pluginTabs: SettingsTabRegistry,
    private readonly hooks: HookRegistry,
    private readonly pageRegistry: PageRegistry,
    private readonly pluginPages: PluginPages,
    private readonly options: PluginOptions,
    private readonly permissions: Permissions,
  ) {}

  @Page({ side: 'admin', path: 'settings', title: 'theme.menu.system', needs: [] })
  async settings(call: RequestContext): Promise<object> {
    const access = accessOf(call.admin);
    const core = this.tabs.names(access);
    const tab = call.query.tab ?? core[0]!;
    const built = await this.pluginTabs.buildTabs(
      async (list) => (await this.hooks.applyByReference('settings.admin.tabs', list as SettingsTabRecord[])) as typeof list,
    );
    const ofPlugins = built.filter(({ owner }) => this.permissions.mayUsePlugin(access, owner));
    const tabs = ofPlugins.map(({ id, owner, title, url, page }) => ({
      id,
      title: translateFor(owner, call.locale, title),
      href: url && !page ? url : `/admin/settings?tab=${encodeURIComponent(id)}`,
    }));
    const ofPlugin = ofPlugins.find(({ id }) => id === tab);
    const vars = (await this.tabs.show(tab, call)) ?? (ofPlugin && (await this.ofPlugin(ofPlugin, call)));
    if (!vars) throw new PageMissing();
    return { tab, core_tabs: core, tabs, ...vars };
  }

  private async ofPlugin({ owner, page, fields }: SettingsTab, call: RequestContext): Promise<object | null> {
    if (page) {
      const record = this.pageRegistry.find('admin', owner, page);
      return record && { content: trustedHtml(await this.pluginPages.embed(record, owner, call)) };
    }
    if (fields.length === 0) return null;
    const stored = await this.options.all(owner);
    const say = (text: string): string => translateFor(owner, call.locale, text);
    return {
      slug: owner,
      fields: fields.map((field) => ({
        ...field,
        label: say(field.label),
        hint: say(field.hint ?? ''),
        placeholder: say(field.placeholder ?? ''),
        options: field.options?.map(({ value, label }) => ({ value, label: say(label) })),
        value: field.type === 'password' ? '' : String(stored[field.key] ?? field.default ?? ''),
      })),
      row_version: versionOf(optionsForm(fields, stored)),
    };
  }
}
