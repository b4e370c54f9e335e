import { readFileSync } from 'node:fs';

import { Injectable } from '@nestjs/common';

import { closestNames } from '../../common/index.js';
import type { DnsDriverRecord, HostDriverRecord, MenuRecord, NoticeChannelRecord, Scope, SettingsTabRecord } from '../../sdk/index.js';
import { closestIcons, iconPath, isIconName, ThemeCatalogue, WIDGET_AREAS, type OverrideKind } from '../../theme/index.js';

import { PluginNotices } from '../plugin-notices.js';

/** Widget areas used by deployed plugins that mean `main`. */
const OTHER_NAMES_OF_MAIN = ['dashboard', 'index', 'home'];

/** Fields of the records that plugins register. The older panel's `multitabs` is accepted but has no effect. */
const RECORD_FIELDS = {
  menu: ['title', 'icon', 'order', 'page', 'url', 'children', 'multitabs'],
  tab: ['id', 'title', 'order', 'page', 'url', 'fields'],
  field: ['key', 'label', 'type', 'default', 'hint', 'placeholder', 'options'],
  channel: ['title', 'help', 'fields', 'send', 'test'],
  driver: [
    ...['title', 'help', 'fields', 'uses', 'can', 'probe', 'create', 'suspend', 'unsuspend', 'start', 'stop', 'renew', 'changeQuota'],
    ...['changePassword', 'terminate', 'sync', 'list', 'phpVersions', 'idle', 'files', 'domains', 'settings', 'traffic', 'bin'],
  ],
  dns: ['title', 'help', 'fields', 'zones', 'records', 'put', 'remove'],
  driver_field: ['key', 'label', 'type', 'default', 'hint', 'placeholder', 'options', 'required'],
  channel_field: ['key', 'label', 'type', 'default', 'hint', 'placeholder', 'options', 'required', 'target'],
} as const;

/** Adds notices about parts of a registration that have no effect; none of them prevents the plugin from running. */
@Injectable()
export class RegistrationNotices {
  constructor(
    private readonly notices: PluginNotices,
    private readonly themes: ThemeCatalogue,
  ) {}

  /** Checks a registered menu entry and its children. */
  menu(slug: string, menu: MenuRecord): void {
    this.fields(slug, 'menu', menu);
    if (isIconName(menu.icon) && iconPath(menu.icon) === null) {
      const close = closestIcons(menu.icon);
      this.notices.add(slug, close.length > 0 ? 'plugins.notice.icon_close' : 'plugins.notice.icon', {
        icon: menu.icon,
        close: close.join(', '),
      });
    }
    for (const child of menu.children ?? []) this.menu(slug, child);
  }

  /** Checks a registered settings tab. */
  tab(slug: string, tab: SettingsTabRecord): void {
    this.fields(slug, 'tab', tab);
    for (const field of tab.fields ?? []) this.fields(slug, 'field', field);
  }

  /** Checks a registered notice channel. */
  channel(slug: string, channel: NoticeChannelRecord): void {
    this.fields(slug, 'channel', channel);
    for (const field of channel.fields ?? []) this.fields(slug, 'channel_field', field);
  }

  /** Checks a registered host driver. */
  driver(slug: string, driver: HostDriverRecord): void {
    this.fields(slug, 'driver', driver);
    for (const field of driver.fields ?? []) this.fields(slug, 'driver_field', field);
  }

  /** Checks a registered DNS driver. */
  dns(slug: string, driver: DnsDriverRecord): void {
    this.fields(slug, 'dns', driver);
    for (const field of driver.fields) this.fields(slug, 'driver_field', field);
  }

  /** @param path of a page's file */
  pageFile(slug: string, file: string, path: string): void {
    if (/\{%-?\s*layout\b/.test(readFileSync(path, 'utf8'))) this.notices.add(slug, 'plugins.notice.page_layout', { file });
  }

  widget(slug: string, area: string): void {
    if ([...WIDGET_AREAS, ...OTHER_NAMES_OF_MAIN].includes(area)) return;
    this.notices.add(slug, 'plugins.notice.area', { area, areas: WIDGET_AREAS.join(', ') });
  }

  /** @param view as registered: it may include a side */
  override(slug: string, kind: OverrideKind, scope: Scope, view: string): void {
    const [side, name] = view.includes('/') ? (view.split('/') as [Scope, string]) : [scope, view];
    const known = this.themes.viewNames(side, kind);
    if (known.has(name)) return;
    const close = closestNames(name, known).join(', ');
    this.notices.add(slug, close === '' ? 'plugins.notice.view' : 'plugins.notice.view_close', { view: `${side}/${name}`, close });
  }

  private fields(slug: string, kind: keyof typeof RECORD_FIELDS, record: object): void {
    const known: readonly string[] = RECORD_FIELDS[kind];
    for (const field of Object.keys(record)
      .filter((name) => !known.includes(name))
      .slice(0, 5)) {
      const meant = closestNames(field, known, 1)[0];
      const params = { kind, field: field.slice(0, 60), meant: meant ?? '' };
      this.notices.add(slug, meant === undefined ? 'plugins.notice.record_field' : 'plugins.notice.record_field_meant', params);
    }
  }
}
