import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { monthsAfter } from '../calendar.js';
import { SiteDomains } from '../domains/index.js';
import type { HostingAccount, SaleDomain, SoldName } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { NameRepository, type NameAvailability } from './name-repository.js';
import { refuse } from './name-errors.js';
import { readPrefix } from './name-prefix.js';
import { Zones } from './zones.js';

const log = loggerFor('names');

/** Result of a name search. */
export interface FoundName {
  readonly name: string;
  readonly prefix: string;
  readonly standing: NameAvailability | 'reserved';
}

/** A name that was taken, and the error that prevented binding it to the site; null: none. */
export interface TakenName {
  readonly row: SoldName;
  readonly problem: unknown;
}

/** The order a name is taken for. */
export interface NameOrder {
  readonly orderNo: string;
  /** When it is released automatically; null: it is paid. */
  readonly until: Date | null;
  /** Months paid for; 0: no expiry, or not paid yet. */
  readonly months: number;
}

/** An owner that owns nothing. */
const NOBODY = { accountId: 0, customerId: null };

type Host = Pick<HostingAccount, 'id' | 'ownerId' | 'nodeCode'>;

/** Names below zones: search, take, bind, release. Prices and payments are handled by the seller. */
@Injectable()
export class Names {
  constructor(
    private readonly repository: NameRepository,
    private readonly zones: Zones,
    private readonly domains: SiteDomains,
    private readonly access: SiteAccess,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns whether a name is available, to a host or (null) in general. @throws NameError PREFIX, OTHER_SERVER */
  async check(zone: SaleDomain, text: string, host: Host | null): Promise<FoundName> {
    if (host !== null && zone.nodeCode !== host.nodeCode) refuse('OTHER_SERVER', { zone: zone.domain });
    const prefix = readPrefix(text) ?? refuse('PREFIX');
    const name = `${prefix}.${zone.domain}`;
    const domain = { name, base: name, isWildcard: false };
    if (name.length > 253) refuse('PREFIX');
    if (zone.reserved.split(' ').includes(prefix) || this.domains.isPanels(domain)) return { name, prefix, standing: 'reserved' };
    return { name, prefix, standing: await this.repository.availability(name, host === null ? NOBODY : ownerOf(host)) };
  }

  /**
   * Assigns a name, or holds it for an order.
   *
   * @param order null: assigned immediately
   * @throws NameError PREFIX, RESERVED, TAKEN, RESTING, LIMIT, OTHER_SERVER, ZONE_MISSING if it is not for sale
   */
  async take(zone: SaleDomain, text: string, host: Host, folder: string, order: NameOrder | null): Promise<SoldName> {
    if (!zone.onSale && order?.until !== null) refuse('ZONE_MISSING');
    const { name, prefix, standing } = await this.check(zone, text, host);
    if (standing === 'reserved') refuse('RESERVED', { name });
    const held = order !== null && order.until !== null;
    return this.repository.take({
      // The limit does not apply to a paid order.
      zone: order !== null && !held ? { ...zone, perCustomer: 0 } : zone,
      prefix,
      folder,
      ...ownerOf(host),
      orderNo: order?.orderNo ?? null,
      state: held ? 'held' : 'sold',
      expiresOn: held ? null : this.firstEnd(order?.months ?? zone.months),
      until: order?.until ?? null,
    });
  }

  /** Returns the last day of a name taken today; null: no expiry. */
  firstEnd(months: number): string | null {
    return months === 0 ? null : monthsAfter(this.today(), months);
  }

  /** Returns the last day after a renewal, counted from the present one, even during the grace. @throws NameError NO_END */
  renewedEnd({ expiresOn }: SoldName, months: number): string {
    return monthsAfter(expiresOn ?? refuse('NO_END'), months);
  }

  /**
   * Binds a name to a host of its owner.
   *
   * @throws NameError NAME_MISSING, OTHER_SERVER; DomainError and HostingError as `SiteDomains.bind`
   */
  async show(row: SoldName, host: Host, folder: string): Promise<void> {
    const zone = await this.zones.find(row.zoneId);
    if (zone.nodeCode !== host.nodeCode) refuse('OTHER_SERVER', { zone: zone.domain });
    const site = await this.access.ofHost(host.id);
    const moved = await this.repository.move(row.id, ownerOf(host), folder);
    if (moved.untoldAccountId !== null) await this.updateServer(moved.untoldAccountId);
    await this.domains.bind(site, row.name, folder);
  }

  /** Like {@link show}, for a new name: an error is returned, and the name stays assigned. */
  async showNew(row: SoldName, host: Host): Promise<TakenName> {
    try {
      await this.show(row, host, row.folder);
      return { row, problem: null };
    } catch (error) {
      log.warn({ name: row.name, err: error }, 'a name was sold and could not be bound to its host');
      return { row, problem: error };
    }
  }

  /** Releases a name. @throws NameError NAME_MISSING */
  async release(row: SoldName): Promise<void> {
    const zone = await this.zones.find(row.zoneId);
    if (!(await this.repository.rest(row.id, zone.restDays))) refuse('NAME_MISSING');
    if (row.accountId !== null) await this.updateServer(row.accountId);
  }

  /** Removes released names from a host's server; a failure is retried by the maintenance job. */
  async updateServer(accountId: number): Promise<void> {
    try {
      await this.domains.push(await this.access.ofHost(accountId));
    } catch (error) {
      if (!isGone(error))
        return log.warn({ host: accountId, reason: errorMessage(error) }, 'a released name could not be removed from its server');
    }
    await this.repository.markServerUpdated(accountId);
  }

  /** Returns the current time. */
  now(): Date {
    return this.clock.now();
  }

  /** Returns today in the time zone of the installation. */
  today(): string {
    return this.clock.today();
  }
}

/** Returns the owner of a host's names. */
export function ownerOf({ id, ownerId }: Pick<Host, 'id' | 'ownerId'>): { accountId: number; customerId: number | null } {
  return { accountId: id, customerId: ownerId };
}

/** Returns whether the host no longer exists, or its server does not support domains, so there is nothing to remove. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ACCOUNT_NOT_FOUND', 'ACCOUNT_STATE', 'PORT_MISSING'].includes(String(error.code));
}
