import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { toYuan, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type FormValues, versionOf } from '../../http/index.js';
import { dayAfter } from '../calendar.js';
import { HostingAccount, type SaleDomain, SiteDomain, type SoldName } from '../entities/index.js';

import { NameProviders } from './name-providers.js';
import { NameSellers } from './name-sellers.js';
import { Zones } from './zones.js';

/** Returns the fields of a zone that are protected against concurrent edits. */
export function zoneFields({
  price,
  onSale,
  description,
  channel,
  providerId,
  months,
  perCustomer,
  reserved,
  graceDays,
  restDays,
}: SaleDomain): FormValues {
  return {
    jg: toYuan(price),
    kg: onSale,
    ymjs: description,
    channel,
    provider_id: providerId,
    ys: months,
    sl: perCustomer,
    blqz: reserved,
    kxts: graceDays,
    xxts: restDays,
  };
}

/** Rows of lists. Source: docs/panel-api.md "Names for sale". */
@Injectable()
export class NameRows {
  constructor(
    private readonly database: Database,
    private readonly zones: Zones,
    private readonly providers: NameProviders,
    private readonly sellers: NameSellers,
    private readonly config: AppConfig,
  ) {}

  /** Returns a zone for administrators. */
  zone(zone: SaleDomain): Record<string, unknown> {
    return {
      ...this.zoneOnSale(zone),
      bt: zone.nodeCode,
      kg: String(zone.onSale),
      date: legacyTime(zone.createdAt, this.config.timezone),
      channel: zone.channel,
      provider_id: zone.providerId,
      sl: zone.perCustomer,
      blqz: zone.reserved,
      kxts: zone.graceDays,
      xxts: zone.restDays,
      row_version: versionOf(zoneFields(zone)),
    };
  }

  /** Returns a zone for customers. */
  zoneOnSale({ id, domain, price, description, months }: SaleDomain): Record<string, unknown> {
    return { id, url: domain, jg: toYuan(price), ymjs: description, js: description, ys: months };
  }

  /** Returns names with their owner, and whether they are bound. */
  async names(names: readonly SoldName[]): Promise<Record<string, unknown>[]> {
    const zones = await this.zones.byId(names.map(({ zoneId }) => zoneId));
    const hosts = names.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]));
    const accounts = await this.database
      .repository(HostingAccount)
      .find({ select: { id: true, username: true }, where: { id: In(hosts) } });
    const users = new Map(accounts.map(({ id, username }) => [id, username]));
    const bound = await this.database.repository(SiteDomain).findBy({ name: In(names.map(({ name }) => name)) });
    const atDns = await this.providers.states(names.map(({ name }) => name));
    const shown = new Map(bound.map(({ name, accountId, folder }) => [name, { accountId, folder }]));
    return names.map((row) => {
      const site = shown.get(row.name);
      const isBound = row.state === 'sold' && site !== undefined && site.accountId === row.accountId;
      const zone = zones.get(row.zoneId);
      const grace = zone?.graceDays ?? 0;
      const isEntered = zone?.channel === 'dnsapi' && row.state === 'sold' && row.accountId !== null;
      return {
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        zone_id: row.zoneId,
        zone: zone?.domain ?? '',
        state: row.state === 'sold' && !isBound ? 'unbound' : row.state,
        user: row.accountId === null ? '' : (users.get(row.accountId) ?? ''),
        host_id: row.accountId,
        customer_id: row.customerId,
        dns: isEntered ? (atDns.get(row.name) ?? 'waiting') : '',
        path: isBound ? `/${site.folder}` : '',
        dqtime: row.expiresOn ?? '',
        goes_on: row.expiresOn === null ? '' : dayAfter(row.expiresOn, grace + 1),
        until: row.until === null ? '' : legacyTime(row.until, this.config.timezone),
        renew_url: row.expiresOn === null || this.sellers.path === null ? '' : `${this.sellers.path}/renew/${row.id}`,
        order_no: row.orderNo ?? '',
        date: legacyTime(row.createdAt, this.config.timezone),
      };
    });
  }
}
