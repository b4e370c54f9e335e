import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { DomainRepository, readFolder } from '../domains/index.js';
import { HostingAccount, type SaleDomain, type SoldName } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { NameRepository } from './name-repository.js';
import { refuse } from './name-errors.js';
import { type FoundName, Names } from './names.js';
import { Zones } from './zones.js';

/** A requested name, and what it will serve. */
export interface WantedName {
  readonly zoneId: number;
  /** As typed. */
  readonly prefix: string;
  /** Null: no host was chosen. */
  readonly hostId: number | null;
  /** Folder below the web root; empty: the web root itself. */
  readonly folder: string;
}

/** Maximum period of a name, in months. */
const MAX_MONTHS = 120;
/** Days until a held name is released automatically, if the outcome of its order is never reported. Orders close earlier than that. */
const HOLD_DAYS = 90;

/**
 * Names bought by orders: held while an order is open, sold once it is paid, released if it is cancelled. Prices and payments are handled
 * by the seller.
 */
@Injectable()
export class NameSales {
  constructor(
    private readonly names: Names,
    private readonly repository: NameRepository,
    private readonly zones: Zones,
    private readonly access: SiteAccess,
    private readonly domains: DomainRepository,
    private readonly database: Database,
  ) {}

  /**
   * Returns whether a name is available, to a host or in general.
   *
   * @throws NameError ZONE_MISSING, PREFIX, OTHER_SERVER, NO_HOST; HostingError PORT_MISSING
   */
  async check(zoneId: number, prefix: string, hostId: number | null): Promise<FoundName> {
    const zone = await this.onSale(zoneId);
    if (hostId === null) return this.names.check(zone, prefix, null);
    const host = await this.hostOf(hostId);
    (await this.access.ofHost(host.id)).port('domains');
    return this.names.check(zone, prefix, host);
  }

  /**
   * Holds a name for an unpaid order; joins the caller's transaction, if any.
   *
   * @throws NameError NO_HOST, HOST_FULL, and as `Names.take`; DomainError FOLDER
   */
  async hold(wanted: WantedName, orderNo: string): Promise<SoldName> {
    const { zone, host, folder } = await this.checked(wanted);
    const until = new Date(this.names.now().getTime() + HOLD_DAYS * DAY_MS);
    return this.names.take(zone, wanted.prefix, host, folder, { orderNo, until, months: 0 });
  }

  /** Assigns a free-of-charge name. @throws NameError PRICED, and as {@link hold} */
  async give(wanted: WantedName): Promise<SoldName> {
    const { zone, host, folder } = await this.checked(wanted);
    if (zone.price > 0) refuse('PRICED', { zone: zone.domain });
    return this.names.take(zone, wanted.prefix, host, folder, null);
  }

  /**
   * Marks the name of a paid order as sold for `months` (0: no expiry). Idempotent. A name released in the meantime is taken again,
   * regardless of limits, unless someone else has it.
   *
   * @throws NameError as {@link hold}: it can no longer be delivered
   */
  sell(wanted: WantedName, orderNo: string, months: number): Promise<SoldName> {
    return this.domains.alone(async () => {
      const sold = await this.repository.sell(orderNo, this.names.firstEnd(months));
      if (sold) return sold;
      const zone = await this.zones.find(wanted.zoneId);
      const host = await this.hostOf(wanted.hostId);
      return this.names.take(zone, wanted.prefix, host, wanted.folder, { orderNo, until: null, months });
    });
  }

  /** Returns the last day after a renewal. @throws NameError NAME_MISSING, NO_END, TOO_FAR */
  async renewedEnd(id: number, months: number): Promise<string> {
    const row = await this.repository.find(id);
    if (row.state !== 'sold') refuse('NAME_MISSING');
    const end = this.names.renewedEnd(row, months);
    if (end > this.names.firstEnd(MAX_MONTHS)!) refuse('TOO_FAR', { years: MAX_MONTHS / 12 });
    return end;
  }

  /** Renews a name; joins the caller's transaction, which must ensure that it runs only once. @throws NameError NAME_MISSING, NO_END */
  renew(id: number, months: number): Promise<SoldName> {
    return this.database.transaction(async () => {
      await this.database.lockRow('SoldName', 'id', id);
      const row = await this.repository.find(id);
      if (row.state !== 'sold') refuse('NAME_MISSING');
      const expiresOn = this.names.renewedEnd(row, months);
      if (!(await this.repository.renew(row, expiresOn))) refuse('NAME_MISSING');
      return { ...row, expiresOn };
    });
  }

  /** Binds a name to a host of its owner. @throws NameError NO_HOST, and as `Names.show` */
  async show(id: number, hostId: number | null, folder: string): Promise<void> {
    await this.names.show(await this.repository.find(id), await this.hostOf(hostId), readFolder(folder));
  }

  /**
   * Changes the prefix of a name: another name takes over its host, order and last day, and the old one is blocked for a while.
   *
   * @throws NameError NAME_MISSING, PREFIX, RESERVED, TAKEN, RESTING
   */
  async rename(id: number, prefix: string): Promise<SoldName> {
    const row = await this.repository.find(id);
    if (row.state !== 'sold' || row.accountId === null) refuse('NAME_MISSING');
    const zone = await this.zones.find(row.zoneId);
    const found = await this.names.check(zone, prefix, await this.hostOf(row.accountId));
    if (found.standing === 'own' && found.name === row.name) return row;
    if (found.standing === 'own') refuse('TAKEN', { name: found.name });
    if (found.standing === 'reserved') refuse('RESERVED', { name: found.name });
    const renamed = await this.repository.rename(row, found, zone.restDays);
    await this.names.updateServer(row.accountId);
    return renamed;
  }

  /** Releases a name. @throws NameError NAME_MISSING */
  async release(id: number): Promise<void> {
    await this.names.release(await this.repository.find(id));
  }

  private async checked({ zoneId, hostId, folder }: WantedName): Promise<{ zone: SaleDomain; host: HostingAccount; folder: string }> {
    const zone = await this.onSale(zoneId);
    const host = await this.hostOf(hostId);
    const maxDomains = host.domainQuota;
    if (maxDomains > 0 && (await this.domains.count(host.id)) >= maxDomains) refuse('HOST_FULL', { n: maxDomains });
    return { zone, host, folder: readFolder(folder) };
  }

  private async onSale(id: number): Promise<SaleDomain> {
    const zone = await this.zones.find(id);
    return zone.onSale ? zone : refuse('ZONE_MISSING');
  }

  /** Returns an existing host, without calling its server. */
  private async hostOf(id: number | null): Promise<HostingAccount> {
    const host = id === null ? null : await this.database.repository(HostingAccount).findOneBy({ id });
    return host?.state === 'active' || host?.state === 'paused' ? host : refuse('NO_HOST');
  }
}
