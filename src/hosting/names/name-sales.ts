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

/** A name somebody wants, and what it is to show. */
export interface WantedName {
  readonly zoneId: number;
  /** As it was typed. */
  readonly prefix: string;
  /** Null: none was chosen. */
  readonly hostId: number | null;
  /** Folder below the web root; empty: all of it. */
  readonly folder: string;
}

/** Nobody has a name for longer than this at a time, in months. */
const LONGEST = 120;
/** A held name is free by itself after so many days, should nobody ever say what became of its order: those close before. */
const HOLD_DAYS = 90;

/**
 * Names by orders: held while an order is open, sold when it is paid, free again when it is given up. What a name costs
 * is the business of who sells it.
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
   * How a name stands, to a host or to anybody.
   *
   * @throws NameError ZONE_MISSING, PREFIX, OTHER_SERVER, NO_HOST; HostingError PORT_MISSING
   */
  async look(zoneId: number, prefix: string, hostId: number | null): Promise<FoundName> {
    const zone = await this.onSale(zoneId);
    if (hostId === null) return this.names.look(zone, prefix, null);
    const host = await this.hostOf(hostId);
    (await this.access.ofHost(host.id)).port('domains');
    return this.names.look(zone, prefix, host);
  }

  /**
   * Holds a name for an order that is not paid; in the caller's transaction where there is one.
   *
   * @throws NameError NO_HOST, HOST_FULL, and as `Names.take`; DomainError FOLDER
   */
  async hold(wanted: WantedName, orderNo: string): Promise<SoldName> {
    const { zone, host, folder } = await this.checked(wanted);
    const until = new Date(this.names.now().getTime() + HOLD_DAYS * DAY_MS);
    return this.names.take(zone, wanted.prefix, host, folder, { orderNo, until, months: 0 });
  }

  /** Gives away a name that costs nothing. @throws NameError PRICED, and as {@link hold} */
  async give(wanted: WantedName): Promise<SoldName> {
    const { zone, host, folder } = await this.checked(wanted);
    if (zone.price > 0) refuse('PRICED', { zone: zone.domain });
    return this.names.take(zone, wanted.prefix, host, folder, null);
  }

  /**
   * The order is paid: its name is sold for so many months (0: without a last day), once, however often it is told. One that was freed
   * since is taken again if nobody else has it, past every limit.
   *
   * @throws NameError as {@link hold}: it cannot be delivered any more
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

  /** The last day a renewal would lead to. @throws NameError NAME_MISSING, NO_END, TOO_FAR */
  async renewedEnd(id: number, months: number): Promise<string> {
    const row = await this.repository.find(id);
    if (row.state !== 'sold') refuse('NAME_MISSING');
    const end = this.names.renewedEnd(row, months);
    if (end > this.names.firstEnd(LONGEST)!) refuse('TOO_FAR', { years: LONGEST / 12 });
    return end;
  }

  /** Moves the last day of a name; in the caller's transaction, which says that it is done once. @throws NameError NAME_MISSING, NO_END */
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

  /** Shows a host under a name its owner has. @throws NameError NO_HOST, and as `Names.show` */
  async show(id: number, hostId: number | null, folder: string): Promise<void> {
    await this.names.show(await this.repository.find(id), await this.hostOf(hostId), readFolder(folder));
  }

  /**
   * Changes what stands before the zone: the present name rests, another one takes over its host, order and last day.
   *
   * @throws NameError NAME_MISSING, PREFIX, RESERVED, TAKEN, RESTING
   */
  async rename(id: number, prefix: string): Promise<SoldName> {
    const row = await this.repository.find(id);
    if (row.state !== 'sold' || row.accountId === null) refuse('NAME_MISSING');
    const zone = await this.zones.find(row.zoneId);
    const found = await this.names.look(zone, prefix, await this.hostOf(row.accountId));
    if (found.standing === 'own' && found.name === row.name) return row;
    if (found.standing === 'own') refuse('TAKEN', { name: found.name });
    if (found.standing === 'reserved') refuse('RESERVED', { name: found.name });
    const renamed = await this.repository.rename(row, found, zone.restDays);
    await this.names.tell(row.accountId);
    return renamed;
  }

  /** Gives a name up. @throws NameError NAME_MISSING */
  async release(id: number): Promise<void> {
    await this.names.release(await this.repository.find(id));
  }

  private async checked({ zoneId, hostId, folder }: WantedName): Promise<{ zone: SaleDomain; host: HostingAccount; folder: string }> {
    const zone = await this.onSale(zoneId);
    const host = await this.hostOf(hostId);
    const most = host.domainQuota;
    if (most > 0 && (await this.domains.count(host.id)) >= most) refuse('HOST_FULL', { n: most });
    return { zone, host, folder: readFolder(folder) };
  }

  private async onSale(id: number): Promise<SaleDomain> {
    const zone = await this.zones.find(id);
    return zone.onSale ? zone : refuse('ZONE_MISSING');
  }

  /** A host that is there; nobody asks its server. */
  private async hostOf(id: number | null): Promise<HostingAccount> {
    const host = id === null ? null : await this.database.repository(HostingAccount).findOneBy({ id });
    return host?.state === 'active' || host?.state === 'paused' ? host : refuse('NO_HOST');
  }
}
