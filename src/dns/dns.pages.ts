import { Controller } from '@nestjs/common';

import { translate } from '../common/index.js';
import { SiteAccess } from '../hosting/index.js';
import { versionOf } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import type { BadgeColour } from '../sdk/index.js';
import { defineList, fieldView, type ListRow, Page, PageMissing } from '../web/index.js';

import { DnsKinds } from './dns-kinds.js';
import { DnsProviders } from './dns-providers.js';
import { OWN_TYPES } from './entities/index.js';
import { OwnRecords } from './own-records.js';
import { SiteNames } from './site-names.js';

const PROVIDER_STATES: Readonly<Record<string, readonly [BadgeColour, string]>> = {
  works: ['green', 'dns.works'],
  untested: ['secondary', 'dns.untested'],
  failing: ['red', 'dns.failing'],
};
const RECORD_STATES: Readonly<Record<string, readonly [BadgeColour, string]>> = {
  done: ['green', 'dns.done'],
  waiting: ['azure', 'dns.waiting'],
  leaving: ['azure', 'dns.leaving'],
  failed: ['red', 'dns.failed'],
};

const isOwn = (row: ListRow): boolean => row.auto === '0';

const PROVIDERS = defineList({
  id: 'dns-providers',
  operation: 'p_dns_provider_list',
  empty: 'dns.providers_empty',
  whole: true,
  columns: [
    {
      field: 'name',
      title: 'dns.name',
      kind: 'named',
      notes: [{ text: (row) => String(row.zones) }, { text: (row) => String(row.problem), tone: 'danger' }],
    },
    { field: 'kind', title: 'dns.kind', whole: true },
    { field: 'state', title: 'dns.state', kind: 'badge', badges: PROVIDER_STATES },
  ],
  actions: [
    { label: 'dns.test', tone: 'primary', operation: 'p_dns_provider_test' },
    { label: 'dns.edit', href: (row) => `/admin/dns-provider?id=${String(row.id)}` },
    { label: 'dns.remove', tone: 'danger', operation: 'p_dns_provider_delete', confirm: 'dns.remove_confirm' },
  ],
});

const RECORDS = defineList({
  id: 'dns-records',
  beside: true,
  operation: 'p_dns_record_list',
  empty: 'dns.records_empty',
  filters: [
    {
      field: 'state',
      label: 'dns.state',
      choices: [
        ['waiting', 'dns.waiting'],
        ['done', 'dns.done'],
        ['failed', 'dns.failed'],
      ],
    },
  ],
  columns: [
    {
      field: 'name',
      title: 'dns.record_name',
      kind: 'named',
      notes: [{ text: (row) => String(row.note) }, { text: (row) => String(row.problem), tone: 'danger' }],
    },
    { field: 'record', title: 'dns.record', kind: 'code' },
    { field: 'provider', title: 'dns.provider', whole: true },
    { field: 'state', title: 'dns.state', kind: 'badge', badges: RECORD_STATES },
  ],
  actions: [
    { label: 'dns.retry', tone: 'primary', when: (row) => row.state !== 'done', operation: 'p_dns_record_retry' },
    {
      label: 'dns.record_remove',
      tone: 'danger',
      when: (row) => row.auto === '0',
      operation: 'p_dns_record_delete',
      confirm: 'dns.record_remove_confirm',
    },
  ],
});

const OWN = defineList({
  id: 'own-records',
  operation: 'p_dns_record_list',
  given: ['domain'],
  empty: 'dns.own_empty',
  filters: [
    {
      field: 'type',
      label: 'dns.record_type',
      choices: [
        ['A', 'dns.type_a'],
        ['AAAA', 'dns.type_aaaa'],
        ['CNAME', 'dns.type_cname'],
        ['TXT', 'dns.type_txt'],
        ['MX', 'dns.type_mx'],
        ['SRV', 'dns.type_srv'],
        ['CAA', 'dns.type_caa'],
      ],
    },
  ],
  columns: [
    { field: 'name', title: 'dns.record_name', kind: 'named', notes: [{ text: (row) => String(row.problem), tone: 'danger' }] },
    { field: 'type', title: 'dns.record_type', kind: 'code' },
    { field: 'value', title: 'dns.record_value', kind: 'brief' },
    { field: 'ttl', title: 'dns.record_ttl' },
    { field: 'state', title: 'dns.state', kind: 'badge', badges: RECORD_STATES },
  ],
  actions: [
    {
      label: 'dns.edit',
      when: isOwn,
      dialog: 'edit-record',
      operation: 'p_dns_record_save',
      fills: ['id', 'name', 'type', 'value', 'ttl', 'row_version'],
      tone: 'primary',
    },
    { label: 'dns.record_remove', when: isOwn, tone: 'danger', operation: 'p_dns_record_delete', confirm: 'dns.record_remove_confirm' },
  ],
});

/** Pages of DNS provider accounts and records. */
@Controller()
export class DnsPages {
  constructor(
    private readonly providers: DnsProviders,
    private readonly kinds: DnsKinds,
    private readonly access: SiteAccess,
    private readonly own: OwnRecords,
    private readonly sites: SiteNames,
  ) {}

  @Page({ side: 'admin', path: 'dns', title: 'dns.menu.dns', menu: { icon: 'mdi-dns', order: 35 }, lists: [PROVIDERS, RECORDS] })
  async page({ locale }: RequestContext): Promise<object> {
    const kinds = this.kinds.all().map(({ type, title }) => ({ type, title: title(locale) }));
    const { domain, providerId } = this.sites;
    if (domain === null) return { kinds, sites: null };
    const providers = (await this.providers.all()).map(({ id, name }) => ({ id, name }));
    return { kinds, sites: { domain, provider_id: providerId, providers } };
  }

  @Page({ side: 'user', path: 'dns-records', title: 'dns.menu.dns_records', lists: [OWN] })
  async ofUser(call: RequestContext): Promise<object> {
    const { account } = await this.access.ofOwner(call, 'read');
    const domains = (await this.own.domainsOf(account)).map(({ name }) => name);
    const { domain = '' } = call.query;
    return { domains, domain: domains.includes(domain) ? domain : '', types: [...OWN_TYPES] };
  }

  /** Form of an existing account (`?id=`) or a new one (`?type=`). */
  @Page({ side: 'admin', path: 'dns-provider', title: 'dns.menu.dns', needs: ['p_dns_provider_save'] })
  async form({ query, locale }: RequestContext): Promise<object> {
    const id = Number(query.id) || 0;
    const present = query.id ? (await this.providers.all()).find((row) => row.id === id) : undefined;
    const kind = present ? this.providers.kindOf(present) : this.kinds.find(query.type ?? '');
    if (!present && !kind) throw new PageMissing();
    const off = present ? this.providers.offProblem(present) : null;
    const shown = present ? this.providers.shown(present) : {};
    return {
      id: present?.id ?? 0,
      type: present?.slug ?? kind!.type,
      type_title: kind?.title(locale) ?? present!.slug,
      help: kind?.help(locale) ?? '',
      problem: off ? translate(locale, off.key, off.params) : '',
      name: present?.name ?? kind!.title(locale),
      row_version: present ? versionOf(this.providers.formOf(present)) : '',
      fields: (kind?.fields ?? []).map((field) =>
        fieldView(field, { prefix: 'dns', value: shown[field.key], isKept: present !== undefined, locale }),
      ),
    };
  }
}
