import { Controller } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';
import { SitesAddress } from '../sites-address.js';

import { DomainRepository, MAX_DOMAINS } from './domain-repository.js';
import { DomainCheck } from './domain-check.js';

const named = (row: ListRow): Record<string, string> => ({ id: String(row.host_id), url: String(row.name) });
const isMain = (row: ListRow): boolean => row.main === 'true';
const isWildcard = (row: ListRow): boolean => String(row.name).startsWith('*');

const domainsOf = (side: Scope) =>
  defineList({
    id: 'domains',
    operation: 'urllb',
    ...(side === 'admin' ? { given: ['id'] } : {}),
    empty: 'domains.empty',
    columns: [
      { field: 'name', title: 'domains.name' },
      { field: 'path', title: 'domains.folder', kind: 'code' },
      {
        field: 'main',
        title: 'domains.kind',
        kind: 'badge',
        badges: { true: ['green', 'domains.main'], false: ['secondary', 'domains.further'] },
      },
    ],
    actions: [
      { label: 'domains.check', tone: 'primary', operation: 'jcurl', fields: named, then: 'nothing' },
      { label: 'domains.make_main', when: (row) => !isMain(row) && !isWildcard(row), operation: 'zyurl', fields: named },
      { label: 'domains.remove', tone: 'danger', operation: 'scurl', fields: named, confirm: 'domains.remove_confirm' },
    ],
  });

/** Domains of a site, for its owner and for administrators. */
@Controller()
export class DomainPages {
  constructor(
    private readonly access: SiteAccess,
    private readonly repository: DomainRepository,
    private readonly checks: DomainCheck,
    private readonly sites: SitesAddress,
  ) {}

  @Page({
    side: 'user',
    path: 'domains',
    plain: true,
    title: 'hosting.menu.domains',
    menu: { icon: 'mdi-earth', order: 14 },
    lists: [domainsOf('user')],
  })
  ofUser(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(site));
  }

  @Page({ side: 'admin', path: 'host-domains', plain: true, view: 'domains', title: 'hosting.menu.domains', lists: [domainsOf('admin')] })
  ofAdmin(call: RequestContext): Promise<object> {
    return siteVars(this.access, call, (site) => this.shown(site));
  }

  private async shown(site: OpenSite): Promise<object> {
    const { account } = site;
    const [used, target] = await Promise.all([this.repository.count(account.id), this.checks.target(account)]);
    const main = (await this.repository.all(account.id)).find(({ isMain }) => isMain);
    return {
      user: account.username,
      able: site.has('domains'),
      own_name: this.sites.nameOf(account.username),
      own_url: this.sites.urlOf(account.username, site.isHere),
      main_url: main ? this.sites.urlOfName(main.name, site.isHere) : this.sites.urlOf(account.username, site.isHere),
      has_main: main !== undefined,
      used,
      limit: account.domainQuota,
      most: MAX_DOMAINS,
      target,
    };
  }
}
