import { Controller } from '@nestjs/common';

import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { REWRITE_TEMPLATES } from './rewrite-templates.js';
import { WebSettingRepository } from './setting-repository.js';
import { SETTING_FORMS } from './setting-forms.js';
import { shownBytes } from './setting-values.js';

/** Tabs with their text keys. */
const TABS = [
  ['pages', 'siteset.tab_pages'],
  ['redirects', 'siteset.tab_redirects'],
  ['passwords', 'siteset.tab_passwords'],
  ['hotlink', 'siteset.tab_hotlink'],
  ['speed', 'siteset.tab_speed'],
  ['rewrites', 'siteset.tab_rewrites'],
] as const;

/** Returns the tabs that are hidden because the site's server does not support them. */
const absentOn = (site: OpenSite): string[] => [...(site.port('settings').cannot ?? []), ...(site.has('rewrites') ? [] : ['rewrites'])];

/** Lists of one side; on the admin side each call names the host. */
const listsOf = (side: Scope): ListDeclaration[] => {
  const given = side === 'admin' ? ['id'] : [];
  const host = (row: ListRow): Record<string, string> => (row.host ? { id: String(row.host) } : {});
  const redirects = defineList({
    id: 'redirects',
    operation: 'cdxlb',
    given,
    empty: 'siteset.no_redirects',
    whole: true,
    columns: [
      { field: 'ly', title: 'siteset.from', kind: 'code' },
      { field: 'mb', title: 'siteset.to' },
      { field: 'lx', title: 'siteset.status' },
    ],
    actions: [
      {
        label: 'siteset.remove',
        tone: 'danger',
        operation: 'cdxsc',
        fields: (row): Record<string, string> => (row.host ? { ...host(row), cdx: String(row.id) } : { id: String(row.id) }),
        confirm: 'siteset.remove_redirect',
      },
    ],
  });
  const passwords = defineList({
    id: 'passwords',
    operation: 'pass_list',
    given,
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
        fields: (row) => ({ ...host(row), mb: String(row.name) }),
        confirm: 'siteset.remove_password',
      },
    ],
  });
  const cache = defineList({
    id: 'cache-rules',
    operation: 'cache_list',
    given,
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
        fields: (row) => ({ ...host(row), suffix: String(row.suffix) }),
        confirm: 'siteset.remove_cache',
      },
    ],
  });
  return [redirects, passwords, cache];
};

/** Settings pages of a site, for its owner and for administrators. */
@Controller()
export class WebSettingPages {
  constructor(
    private readonly access: SiteAccess,
    private readonly repository: WebSettingRepository,
  ) {}

  @Page({
    side: 'user',
    path: 'site-settings',
    title: 'hosting.menu.site_settings',
    menu: { icon: 'mdi-tune', order: 16 },
    lists: listsOf('user'),
  })
  ofUser(call: RequestContext): Promise<object> {
    return this.vars(call, '/user/site-settings?');
  }

  @Page({ side: 'admin', path: 'host-settings', view: 'site-settings', title: 'hosting.menu.site_settings', lists: listsOf('admin') })
  ofAdmin(call: RequestContext): Promise<object> {
    return this.vars(call, `/admin/host-settings?id=${Number(call.query.id)}&`);
  }

  private vars(call: RequestContext, base: string): Promise<object> {
    const tab = TABS.find(([name]) => name === call.query.tab)?.[0] ?? 'pages';
    const tabsOf = (cannot: readonly string[] = []): object[] =>
      TABS.filter(([name]) => !cannot.includes(name)).map(([name, text]) => ({ name, text, href: `${base}tab=${name}` }));
    const shown = async (site: OpenSite): Promise<object> => ({
      ...(await this.shown(site)),
      ...(site.has('settings') ? { tabs: tabsOf(absentOn(site)) } : {}),
    });
    return siteVars(this.access, call, shown, { tab, tabs: tabsOf() });
  }

  private async shown(site: OpenSite): Promise<object> {
    const user = site.account.username;
    if (!site.has('settings')) return { user, able: false };
    const settings = await this.repository.of(site.account.id);
    const { indexes, runFolder, hotlink, compression, errorPages, rewrites } = settings;
    return {
      user,
      able: true,
      versions: Object.fromEntries(Object.entries(SETTING_FORMS).map(([name, form]) => [name, versionOf(form(settings))])),
      rewrites,
      templates: Object.entries(REWRITE_TEMPLATES).map(([name, rules]) => ({ name, rules })),
      indexes: indexes.join(','),
      runs_php: site.has('php'),
      run_folder: runFolder,
      pages: { p403: errorPages['403'] ?? '', p404: errorPages['404'] ?? '', p503: errorPages['503'] ?? '' },
      hotlink: { ...hotlink, suffixes: hotlink.suffixes.join(','), domains: hotlink.domains.join('\n') },
      compression: { ...compression, min: shownBytes(compression.minBytes), types: compression.types.join('\n') },
    };
  }
}
