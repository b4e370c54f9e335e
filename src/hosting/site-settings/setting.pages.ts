import { Controller } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import { defineList, Page } from '../../web/index.js';
import { HostingError } from '../hosting-errors.js';
import { SiteAccess } from '../site-tools/index.js';

import { SettingBook } from './setting-book.js';
import { shownBytes } from './setting-values.js';

/** Tabs with their text keys. */
const TABS = [
  ['pages', 'siteset.tab_pages'],
  ['redirects', 'siteset.tab_redirects'],
  ['passwords', 'siteset.tab_passwords'],
  ['hotlink', 'siteset.tab_hotlink'],
  ['speed', 'siteset.tab_speed'],
] as const;

const REDIRECTS = defineList({
  id: 'redirects',
  operation: 'cdxlb',
  empty: 'siteset.no_redirects',
  whole: true,
  columns: [
    { field: 'ly', title: 'siteset.from', kind: 'code' },
    { field: 'mb', title: 'siteset.to' },
    { field: 'lx', title: 'siteset.status' },
  ],
  actions: [{ label: 'siteset.remove', tone: 'danger', operation: 'cdxsc', confirm: 'siteset.remove_redirect' }],
});

const PASSWORDS = defineList({
  id: 'passwords',
  operation: 'pass_list',
  empty: 'siteset.no_passwords',
  whole: true,
  columns: [
    { field: 'name', title: 'siteset.name' },
    { field: 'site_dir', title: 'siteset.folder', kind: 'code' },
    { field: 'user', title: 'siteset.user' },
  ],
  actions: [
    {
      label: 'siteset.remove',
      tone: 'danger',
      operation: 'scmmfw',
      fields: (row) => ({ mb: String(row.name) }),
      confirm: 'siteset.remove_password',
    },
  ],
});

const CACHE = defineList({
  id: 'cache-rules',
  operation: 'cache_list',
  empty: 'siteset.no_cache',
  whole: true,
  columns: [
    { field: 'suffix', title: 'siteset.suffixes', kind: 'code' },
    { field: 'time_out', title: 'siteset.time' },
  ],
  actions: [
    {
      label: 'siteset.remove',
      tone: 'danger',
      operation: 'cachedel',
      fields: (row) => ({ suffix: String(row.suffix) }),
      confirm: 'siteset.remove_cache',
    },
  ],
});

/** How the own site is served. */
@Controller()
export class SiteSettingPages {
  constructor(
    private readonly access: SiteAccess,
    private readonly book: SettingBook,
  ) {}

  @Page({
    side: 'user',
    path: 'site-settings',
    title: 'theme.menu.site_settings',
    menu: { icon: 'mdi-tune', order: 16 },
    lists: [REDIRECTS, PASSWORDS, CACHE],
  })
  async show(call: RequestContext): Promise<object> {
    const tab = TABS.find(([name]) => name === call.query.tab)?.[0] ?? 'pages';
    const frame = { tab, tabs: TABS.map(([name, text]) => ({ name, text, href: `/user/site-settings?tab=${name}` })) };
    try {
      const site = await this.access.ofOwner(call, 'look');
      if (!site.has('settings')) return { ...frame, able: false };
      const { indexes, runFolder, hotlink, compression, errorPages } = await this.book.of(site.account.id);
      return {
        ...frame,
        able: true,
        indexes: indexes.join(','),
        run_folder: runFolder,
        pages: { p403: errorPages['403'] ?? '', p404: errorPages['404'] ?? '', p503: errorPages['503'] ?? '' },
        hotlink: { ...hotlink, suffixes: hotlink.suffixes.join(','), domains: hotlink.domains.join('\n') },
        compression: { ...compression, min: shownBytes(compression.minBytes), types: compression.types.join('\n') },
      };
    } catch (error) {
      if (error instanceof HostingError && error.code === 'DRIVER_MISSING') return { ...frame, able: false };
      throw error;
    }
  }
}
