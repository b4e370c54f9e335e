import { Injectable } from '@nestjs/common';

import type { RegistrationScope } from '../../common/index.js';
import { HostOwnership, NameRepository, NameRows, NameSales, NameSellers, type SoldName, type WantedName } from '../../hosting/index.js';
import type { NameRecord, NamesService, NameWish } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { recordOf } from './name-records.js';
import { NameZoneFunctions } from './name-zone-functions.js';
import { withMessages } from './refusals.js';
import { withPermission } from './with-permission.js';

/** Maximum number of names per answer. */
const MOST = 500;
const MAX_DUE = 200;

/** Binds the sale of domain names to one plugin; it requires the permission `names`. */
@Injectable()
export class NameFunctionsFactory {
  constructor(
    private readonly sellers: NameSellers,
    private readonly sales: NameSales,
    private readonly repository: NameRepository,
    private readonly rows: NameRows,
    private readonly ownership: HostOwnership,
    private readonly zones: NameZoneFunctions,
  ) {}

  serviceFor(plugin: PluginPackage, registrations: RegistrationScope): NamesService {
    const { repository, sales } = this;
    const calls: Omit<NamesService, 'serve'> = {
      ...this.zones.functions(),
      look: (zone, prefix, host = null) => sales.check(zone, prefix, host),
      hold: async (wish, order) => this.record(await sales.hold(wanted(wish), order)),
      give: async (wish) => this.record(await sales.give(wanted(wish))),
      sell: async (wish, order, months) => this.record(await sales.sell(wanted(wish), order, months)),
      drop: (order) => repository.drop(order),
      renewedEnd: (id, months) => sales.renewedEnd(id, months),
      renew: async (id, months) => this.record(await sales.renew(id, months)),
      show: (id, host, folder = '') => sales.show(id, host, folder),
      rename: async (id, prefix) => this.record(await sales.rename(id, prefix)),
      release: (id) => sales.release(id),
      get: async (idOrName) => {
        const row = await (typeof idOrName === 'number' ? repository.byId(idOrName) : repository.byName(idOrName));
        return row === null ? null : this.record(row);
      },
      of: async (owner) => this.records(await this.owned(owner)),
      due: async (day, page = 1, limit = MAX_DUE) => {
        const size = Math.min(Math.max(Math.trunc(limit), 1), MAX_DUE);
        const { total, rows } = await repository.due(day, (Math.max(Math.trunc(page), 1) - 1) * size, size);
        return { total, names: await this.records(rows) };
      },
    };
    return withPermission<NamesService>(plugin, 'names', 'svc.names', {
      serve: (path) => registrations.add(this.sellers.serve(path)),
      ...withMessages(calls),
    });
  }

  private async owned(owner: Parameters<NamesService['of']>[0]): Promise<SoldName[]> {
    if ('host' in owner) return (await this.repository.of({ accountId: owner.host, customerId: null }, 0, MOST)).rows;
    const hosts = await this.ownership.hostsOf(owner.customer);
    return this.repository.ofCustomer(
      owner.customer,
      hosts.map(({ id }) => id),
      MOST,
    );
  }

  private async record(row: SoldName): Promise<NameRecord> {
    return (await this.records([row]))[0]!;
  }

  private async records(rows: readonly SoldName[]): Promise<NameRecord[]> {
    const shown = await this.rows.names(rows);
    return rows.map((row, at) => recordOf(row, shown[at]!));
  }
}

function wanted({ zone, prefix, host, folder = '' }: NameWish): WantedName {
  return { zoneId: zone, prefix, hostId: host, folder };
}
