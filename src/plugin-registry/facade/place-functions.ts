import { Injectable } from '@nestjs/common';

import { PluginCalls, type RegistrationScope } from '../../common/index.js';
import type { MenuRecord, SettingsTabRecord, SvcFacade } from '../../sdk/index.js';
import { MenuRegistry, SettingsTabRegistry, WidgetRegistry } from '../../theme/index.js';

import { requireSide } from './checked-arguments.js';
import { guardedCallback } from './guarded-callback.js';
import { RegistrationNotices } from './registration-notices.js';

/** The `svc_register_*` functions for extension points in pages of the panel. */
export type PlaceFunctions = Pick<SvcFacade, 'svc_register_menu' | 'svc_register_widget' | 'svc_register_settings_tab'>;

/** Registers menu entries, widgets and tabs of plugins, each entry with the plugin's slug and in its registration scope. */
@Injectable()
export class PlaceFunctionsFactory {
  constructor(
    private readonly menus: MenuRegistry,
    private readonly widgets: WidgetRegistry,
    private readonly tabs: SettingsTabRegistry,
    private readonly calls: PluginCalls,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor(slug: string, registrations: RegistrationScope): PlaceFunctions {
    return {
      svc_register_menu: (scope, menu) => {
        const undo = this.menus.add(scope, menu, slug);
        this.noticed.menu(slug, menu);
        return registrations.add(undo);
      },
      svc_register_widget: (scope, area, callback) => {
        const undo = this.widgets.add(
          { scope, area, callback: guardedCallback(this.calls, slug, 'page', `widget ${scope}/${area}`, callback) },
          slug,
        );
        this.noticed.widget(slug, area);
        return registrations.add(undo);
      },
      svc_register_settings_tab: (scope, tab) => {
        requireSide(slug, scope);
        const undo = scope === 'user' ? this.menus.add(scope, userEntry(slug, tab), slug) : this.tabs.add(tab, slug);
        this.noticed.tab(slug, tab);
        return registrations.add(undo);
      },
    };
  }
}

/**
 * Returns a menu entry for a tab of the user side, which has settings pages instead of tabs.
 *
 * @throws Error for fields: they are options of the plugin, which only administrators may change
 */
function userEntry(slug: string, tab: SettingsTabRecord): MenuRecord {
  const { title, order, page, url, fields } = tab ?? {};
  if (fields !== undefined)
    throw new Error(`${slug}: the settings tab "${title}" of the user side needs a page or a url; fields are options of the plugin.`);
  return { title, icon: 'mdi-cog-outline', order, page, url };
}
