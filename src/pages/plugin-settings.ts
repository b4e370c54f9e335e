import { Injectable } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { translateFor } from '../common/index.js';
import { HookRegistry } from '../hooks/index.js';
import { versionOf } from '../http/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import { PluginOptions, optionsForm } from '../plugin-registry/index.js';
import type { SettingsTabRecord } from '../sdk/index.js';
import { SettingsTabRegistry, pageUrl, trustedHtml, type ShownTab } from '../theme/index.js';
import { PageRegistry } from '../web/index.js';

import { PluginPages } from './plugin-pages.js';

/** Plugins' tabs on the settings page: a form of their options, or one of their pages. */
@Injectable()
export class PluginSettings {
  constructor(
    private readonly registry: SettingsTabRegistry,
    private readonly hooks: HookRegistry,
    private readonly pageRegistry: PageRegistry,
    private readonly pluginPages: PluginPages,
    private readonly options: PluginOptions,
    private readonly permissions: Permissions,
  ) {}

  /** Returns the tabs permitted for the caller, in order. */
  async tabs({ admin }: RequestContext): Promise<ShownTab[]> {
    const built = await this.registry.buildTabs(
      async (list) => (await this.hooks.applyByReference('settings.admin.tabs', list as SettingsTabRecord[])) as typeof list,
    );
    return built.filter(({ owner }) => this.permissions.mayUsePlugin(accessOf(admin), owner));
  }

  /** Returns the template data of a tab; null if it shows nothing. */
  async show({ owner, page, fields }: ShownTab, call: RequestContext): Promise<object | null> {
    if (page) {
      const record = this.pageRegistry.at(pageUrl('admin', owner, page));
      return record && { content: trustedHtml(await this.pluginPages.embed(record, call)) };
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
