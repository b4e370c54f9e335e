import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { HeldEvents } from '../hooks/index.js';
import { PageBanners, type PageBanner } from '../theme/index.js';

import { PluginError } from './errors.js';
import { InstalledPlugins } from './installed-plugins.js';
import { PluginFolders } from './package/plugin-folders.js';
import { packageWords } from './package/plugin-texts.js';

/** Pages with the banner: the dashboard, the events, and the plugins. */
const PAGES: ReadonlySet<string> = new Set(['/admin', '/admin/', '/admin/events', '/admin/plugins']);

/** Shows administrators which stopped plugins have pending events, with a button to enable them. */
@Injectable()
export class HeldEventsBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly held: HeldEvents,
    private readonly installed: InstalledPlugins,
    private readonly folders: PluginFolders,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, call, locale }) => {
      if (side !== 'admin' || !PAGES.has(call.path)) return [];
      const held = await this.held.list();
      if (held.length === 0) return [];
      const names = new Map((await this.installed.all()).map((row) => [row.slug, row.name]));
      return held
        .filter(({ owner }) => names.has(owner))
        .map(({ owner, count, isOff }): PageBanner => ({
          id: `held-${owner}`,
          level: 'warning',
          text: translate(locale, isOff ? 'plugins.events_held_off' : 'plugins.events_held', {
            n: count,
            name: this.nameOf(owner, locale) ?? (names.get(owner) || owner),
          }),
          action: isOff
            ? { label: translate(locale, 'plugins.switch_on'), operation: 'plugin_enable', fields: { slug: owner, enabled: 'true' } }
            : { label: translate(locale, 'plugins.look_at_plugins'), url: '/admin/plugins' },
        }));
    });
  }

  /** Returns a plugin's display name; null if its files cannot be read. */
  private nameOf(slug: string, locale: Locale): string | null {
    try {
      return packageWords(this.folders.read(slug), locale).name;
    } catch (error) {
      if (error instanceof PluginError) return null;
      throw error;
    }
  }
}
