import { Controller } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import type { BadgeColour } from '../../sdk/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { DEFAULT_RESERVED } from './name-prefix.js';
import { NameProviders } from './name-providers.js';
import { NameSellers } from './name-sellers.js';
import { Zones } from './zones.js';

const STATES: Readonly<Record<string, readonly [BadgeColour, string]>> = {
  sold: ['green', 'sale.state_sold'],
  unbound: ['yellow', 'sale.state_unbound'],
  held: ['azure', 'sale.state_held'],
  resting: ['secondary', 'sale.state_resting'],
};

const AT_DNS: Readonly<Record<string, readonly [BadgeColour, string]>> = {
  done: ['green', 'sale.dns_done'],
  waiting: ['azure', 'sale.dns_waiting'],
  failed: ['yellow', 'sale.dns_failed'],
};

const isHad = (row: ListRow): boolean => row.state === 'sold' || row.state === 'unbound';
const isOn = (row: ListRow): boolean => row.kg === 'true';

const ZONES = defineList({
  id: 'zones',
  operation: 'listym',
  empty: 'sale.zones_empty',
  columns: [
    { field: 'url', title: 'sale.zone', whole: true },
    { field: 'bt', title: 'sale.server', kind: 'code' },
    { field: 'jg', title: 'sale.price', kind: 'money' },
    { field: 'kg', title: 'sale.sale', kind: 'badge', badges: { true: ['green', 'sale.on'], false: ['secondary', 'sale.off'] } },
  ],
  actions: [
    { label: 'sale.names_of', href: (row) => `/admin/sold-names?id=${String(row.id)}`, tone: 'primary' },
    {
      label: 'sale.edit',
      dialog: 'edit-zone',
      operation: 'xgym',
      fills: ['id', 'url', 'jg', 'ys', 'ymjs', 'kg', 'sl', 'blqz', 'kxts', 'xxts', 'provider_id', 'row_version'],
    },
    { label: 'sale.stop', when: isOn, operation: 'ymkg', fields: (row) => ({ id: String(row.id), kg: 'false' }) },
    { label: 'sale.start', when: (row) => !isOn(row), operation: 'ymkg', fields: (row) => ({ id: String(row.id), kg: 'true' }) },
    { label: 'sale.remove', tone: 'danger', operation: 'ymsc', confirm: 'sale.remove_confirm' },
  ],
});

const COLUMNS = [
  { field: 'name', title: 'sale.name', whole: true },
  { field: 'state', title: 'sale.state', kind: 'badge', badges: STATES },
  { field: 'dqtime', title: 'sale.last_day', kind: 'moment' },
] as const;

const SOLD = defineList({
  id: 'sold-names',
  operation: 'ymbdlist',
  given: ['id'],
  empty: 'sale.sold_empty',
  columns: [...COLUMNS, { field: 'user', title: 'sale.host', whole: true }, { field: 'until', title: 'sale.until', kind: 'moment' }],
  actions: [
    { label: 'sale.take_back', when: isHad, tone: 'danger', operation: 'ymjb', confirm: 'sale.take_back_confirm' },
    { label: 'sale.end_rest', when: (row) => row.state === 'resting', operation: 'ymfc', confirm: 'sale.end_rest_confirm' },
  ],
});

const OWN = defineList({
  id: 'names',
  operation: 'wdym',
  empty: 'sale.own_empty',
  columns: [
    ...COLUMNS,
    { field: 'dns', title: 'sale.dns', kind: 'badge', badges: AT_DNS },
    { field: 'user', title: 'sale.host', whole: true },
    { field: 'path', title: 'sale.folder', kind: 'code' },
  ],
  actions: [
    {
      label: 'sale.show_here',
      dialog: 'show-name',
      operation: 'ymbd',
      fills: ['zone_id', 'prefix', 'name'],
      tone: 'primary',
    },
    { label: 'sale.records', when: (row) => row.dns !== '', href: (row) => `/user/dns-records?domain=${String(row.name)}` },
    { label: 'sale.renew', when: (row) => row.renew_url !== '', href: (row) => String(row.renew_url) },
    { label: 'sale.give_up', tone: 'danger', operation: 'ymjb', confirm: 'sale.give_up_confirm' },
  ],
});

/** Pages of names for sale: the zones offered, the names sold, and a customer's own names. */
@Controller()
export class NamePages {
  constructor(
    private readonly access: SiteAccess,
    private readonly zones: Zones,
    private readonly providers: NameProviders,
    private readonly sellers: NameSellers,
  ) {}

  @Page({ side: 'admin', path: 'zones', title: 'names.menu.zones', menu: { icon: 'mdi-earth-plus', order: 34 }, lists: [ZONES] })
  async zonePage(): Promise<object> {
    return { reserved: DEFAULT_RESERVED, providers: await this.providers.all(), sells: this.sellers.path !== null };
  }

  @Page({ side: 'admin', path: 'sold-names', title: 'names.menu.sold_names', lists: [SOLD] })
  async soldPage({ query }: RequestContext): Promise<object> {
    const id = Number(query.id);
    const zone = Number.isSafeInteger(id) && id > 0 ? (await this.zones.byId([id])).get(id) : undefined;
    return { zone: zone?.domain ?? '' };
  }

  @Page({ side: 'user', path: 'names', title: 'names.menu.names', menu: { icon: 'mdi-earth-plus', order: 15 }, lists: [OWN] })
  async ofUser(call: RequestContext): Promise<object> {
    const { account, capabilities } = await this.access.ofOwner(call, 'read');
    const zones = await this.zones.onSale(account.nodeCode);
    return {
      able: capabilities.has('domains'),
      buy: zones.some(({ price }) => price > 0) ? this.sellers.path : null,
      // Priced zones are offered on the seller's pages.
      zones: zones
        .filter(({ price }) => price === 0)
        .map(({ id, domain, months, description }) => ({ id, url: domain, months, description })),
    };
  }
}
