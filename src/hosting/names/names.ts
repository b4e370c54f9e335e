import { Injectable } from '@nestjs/common';

import { Clock, errorMessage, legacyDay, loggerFor } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { monthsAfter } from '../calendar.js';
import { SiteDomains } from '../domains/index.js';
import type { HostingAccount, SaleDomain, SoldName } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { NameRepository, type NameStanding } from './name-repository.js';
import { refuse } from './name-errors.js';
import { readPrefix } from './name-prefix.js';
import { Zones } from './zones.js';

const log = loggerFor('names');

/** A name that was looked for. */
export interface FoundName {
  readonly name: string;
  readonly prefix: string;
  readonly standing: NameStanding | 'reserved';
}

/** A name somebody got, and what stands in the way of showing his site there; null: nothing. */
export interface TakenName {
  readonly row: SoldName;
  readonly problem: unknown;
}

/** The order a name is taken for. */
export interface NameOrder {
  readonly orderNo: string;
  /** When it is free again by itself; null: it is paid. */
  readonly until: Date | null;
  /** How long it was paid for; 0: without a last day, or not paid yet. */
  readonly months: number;
}

/** Whose nothing is. */
const NOBODY = { accountId: 0, customerId: null };

type Host = Pick<HostingAccount, 'id' | 'ownerId' | 'nodeCode'>;

/** Names below zones: looked for, had, shown, given up. What a name costs, and that it is paid, is the business of who sells it. */
@Injectable()
export class Names {
  constructor(
    private readonly repository: NameRepository,
    private readonly zones: Zones,
    private readonly domains: SiteDomains,
    private readonly access: SiteAccess,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Whether a name can be had, by a host or (null) by anybody. @throws NameError PREFIX, OTHER_SERVER */
  async look(zone: SaleDomain, text: string, host: Host | null): Promise<FoundName> {
    if (host !== null && zone.nodeCode !== host.nodeCode) refuse('OTHER_SERVER', { zone: zone.domain });
    const prefix = readPrefix(text) ?? refuse('PREFIX');
    const name = `${prefix}.${zone.domain}`;
    const domain = { name, base: name, isWildcard: false };
    if (name.length > 253) refuse('PREFIX');
    if (zone.reserved.split(' ').includes(prefix) || this.domains.isPanels(domain)) return { name, prefix, standing: 'reserved' };
    return { name, prefix, standing: await this.repository.standing(name, host === null ? NOBODY : ownerOf(host)) };
  }

  /**
   * Gives a name away, or holds it for an order.
   *
   * @param order none: it is had at once
   * @throws NameError PREFIX, RESERVED, TAKEN, RESTING, LIMIT, OTHER_SERVER, ZONE_MISSING where it is not on sale
   */
  async take(zone: SaleDomain, text: string, host: Host, folder: string, order: NameOrder | null): Promise<SoldName> {
    if (!zone.onSale && order?.until !== null) refuse('ZONE_MISSING');
    const { name, prefix, standing } = await this.look(zone, text, host);
    if (standing === 'reserved') refuse('RESERVED', { name });
    const held = order !== null && order.until !== null;
    return this.repository.take({
      // What is paid for is had past the limit.
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

  /** The last day of a name that is had from today on; null: none. */
  firstEnd(months: number): string | null {
    return months === 0 ? null : monthsAfter(this.today(), months);
  }

  /** The last day a renewal leads to: from the present one, also while it is in its grace. @throws NameError NO_END */
  renewedEnd({ expiresOn }: SoldName, months: number): string {
    return monthsAfter(expiresOn ?? refuse('NO_END'), months);
  }

  /**
   * Shows a host under a name its owner has.
   *
   * @throws NameError NAME_MISSING, OTHER_SERVER; DomainError and HostingError as `SiteDomains.bind`
   */
  async show(row: SoldName, host: Host, folder: string): Promise<void> {
    const zone = await this.zones.find(row.zoneId);
    if (zone.nodeCode !== host.nodeCode) refuse('OTHER_SERVER', { zone: zone.domain });
    const site = await this.access.ofHost(host.id);
    const moved = await this.repository.move(row.id, ownerOf(host), folder);
    if (moved.untoldAccountId !== null) await this.tell(moved.untoldAccountId);
    await this.domains.bind(site, row.name, folder);
  }

  /** The same, for who has just got it: what goes wrong is told, and the name stays his. */
  async showNew(row: SoldName, host: Host): Promise<TakenName> {
    try {
      await this.show(row, host, row.folder);
      return { row, problem: null };
    } catch (error) {
      log.warn({ name: row.name, err: error }, 'a name was sold and could not be bound to its host');
      return { row, problem: error };
    }
  }

  /** Gives a name up. @throws NameError NAME_MISSING */
  async release(row: SoldName): Promise<void> {
    const zone = await this.zones.find(row.zoneId);
    if (!(await this.repository.rest(row.id, zone.restDays))) refuse('NAME_MISSING');
    if (row.accountId !== null) await this.tell(row.accountId);
  }

  /** Tells a host's server that it shows a name no more; what does not work now is tried again by the clock. */
  async tell(accountId: number): Promise<void> {
    try {
      await this.domains.push(await this.access.ofHost(accountId));
    } catch (error) {
      if (!isGone(error))
        return log.warn({ host: accountId, reason: errorMessage(error) }, 'a server could not be told of a name that is gone');
    }
    await this.repository.told(accountId);
  }

  /** The time it is. */
  now(): Date {
    return this.clock.now();
  }

  /** Today in the zone of the installation. */
  today(): string {
    return legacyDay(this.clock.now(), this.config.timezone);
  }
}

/** Owner of the names of a host. */
export function ownerOf({ id, ownerId }: Pick<Host, 'id' | 'ownerId'>): { accountId: number; customerId: number | null } {
  return { accountId: id, customerId: ownerId };
}

/** Whether the host is not there any more, or its server never shows domains: there is nobody to tell. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ACCOUNT_NOT_FOUND', 'ACCOUNT_STATE', 'PORT_MISSING'].includes(String(error.code));
}
