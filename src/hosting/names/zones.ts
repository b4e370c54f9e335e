import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import { SiteDomains, readDomain } from '../domains/index.js';
import { HostingNode, SaleDomain, SoldName } from '../entities/index.js';

import { NameError, refuse } from './name-errors.js';
import { readReserved, DEFAULT_RESERVED } from './name-prefix.js';
import { NameProviders } from './name-providers.js';
import { NameSellers } from './name-sellers.js';

/** Terms of a zone, as set by administrators. */
export type ZoneTerms = Omit<SaleDomain, 'id' | 'node' | 'createdAt'>;

/** Default terms of a zone. */
export const DEFAULT_TERMS: Omit<ZoneTerms, 'domain' | 'nodeCode'> = {
  price: 0,
  onSale: true,
  description: '',
  channel: 'pan',
  providerId: 0,
  months: 0,
  perCustomer: 5,
  reserved: DEFAULT_RESERVED,
  graceDays: 7,
  restDays: 30,
};

/** Maximum zones of an installation. */
export const MAX_ZONES = 500;
/** Locked and incremented by every change of zones, so that overlapping zones are never added concurrently. */
const GENERATION = 'sale-domains';

/** Domains whose second-level names are sold. */
@Injectable()
export class Zones {
  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly domains: SiteDomains,
    private readonly providers: NameProviders,
    private readonly sellers: NameSellers,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(SaleDomain);
  }

  /** Returns a page of zones, the oldest first. */
  async page(offset: number, limit: number): Promise<{ total: number; rows: SaleDomain[] }> {
    const [rows, total] = await this.rows.findAndCount({ order: { id: 'ASC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Returns the zones for sale, optionally of one server. */
  onSale(nodeCode?: string): Promise<SaleDomain[]> {
    return this.rows.find({
      where: { onSale: true, ...(nodeCode === undefined ? {} : { nodeCode }) },
      order: { id: 'ASC' },
      take: MAX_ZONES,
    });
  }

  /** @throws NameError ZONE_MISSING */
  async find(id: number): Promise<SaleDomain> {
    return (await this.rows.findOneBy({ id })) ?? refuse('ZONE_MISSING');
  }

  /** Returns zones by id. */
  async byId(ids: readonly number[]): Promise<Map<number, SaleDomain>> {
    const rows = ids.length === 0 ? [] : await this.rows.findBy({ id: In([...new Set(ids)]) });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * @returns its id
   * @throws NameError ZONE_FORM, ZONE_PANEL, ZONE_EXISTS, ZONES_FULL, ZONE_SERVER, ZONE_PROVIDER, ZONE_RESERVED, NO_SELLER
   */
  async add(terms: ZoneTerms): Promise<number> {
    const domain = this.readZone(terms.domain);
    const checked = { ...(await this.checked(terms)), domain };
    this.checkSeller(checked);
    return this.exclusively(async () => {
      const others = await this.rows.find({ select: { domain: true }, take: MAX_ZONES });
      if (others.some((other) => overlaps(other.domain, domain))) refuse('ZONE_EXISTS', { domain });
      if (others.length >= MAX_ZONES) refuse('ZONES_FULL', { most: MAX_ZONES });
      const { identifiers } = await this.rows.insert({ ...checked, createdAt: this.clock.now() });
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'zone', id }, null, checked);
      return id;
    });
  }

  /**
   * Changes the terms for future sales; names already sold keep theirs. Domain and server cannot be changed.
   *
   * @param check called under the lock; rejects the change by throwing
   * @returns the zone before the change
   * @throws as {@link add}
   */
  async change(
    id: number,
    terms: Partial<Omit<ZoneTerms, 'domain' | 'nodeCode'>>,
    check?: (present: SaleDomain) => void,
  ): Promise<SaleDomain> {
    return this.exclusively(async () => {
      const present = await this.find(id);
      check?.(present);
      const checked = await this.checked({ ...present, ...terms });
      if (checked.price !== present.price || checked.months !== present.months) this.checkSeller(checked);
      const { domain: _domain, nodeCode: _server, ...values } = checked;
      await this.rows.update({ id }, values);
      this.database.noteChange({ of: 'zone', id }, present, values);
      return present;
    });
  }

  /** Removes zones without taken names. @returns the ids of removed zones, and of those with taken names */
  async remove(ids: readonly number[]): Promise<{ removed: number[]; used: number[] }> {
    const removed: number[] = [];
    const used: number[] = [];
    for (const id of ids) {
      await this.exclusively(async () => {
        const zone = await this.rows.findOneBy({ id });
        if (!zone) return;
        const had = await this.database.repository(SoldName).countBy({ zoneId: id, state: In(['sold', 'held']) });
        if (had > 0) return void used.push(id);
        await this.rows.delete({ id });
        this.database.noteChange({ of: 'zone', id }, zone, null);
        removed.push(id);
      });
    }
    return { removed, used };
  }

  private readZone(text: string): string {
    const domain = readDomain(text);
    if (typeof domain === 'string' || domain.isWildcard || domain.base.length > 128) refuse('ZONE_FORM', { domain: text.slice(0, 128) });
    if (this.domains.isPanels(domain)) refuse('ZONE_PANEL', { domain: domain.base });
    return domain.base;
  }

  private async checked(terms: ZoneTerms): Promise<ZoneTerms> {
    const { domain, nodeCode, price, onSale, description, channel, providerId, months, perCustomer, graceDays, restDays } = terms;
    if (!(await this.database.repository(HostingNode).existsBy({ code: nodeCode }))) refuse('ZONE_SERVER', { code: nodeCode });
    const needsOne = channel === 'dnsapi';
    if (needsOne !== providerId > 0) refuse('ZONE_PROVIDER');
    if (needsOne && !(await this.providers.all()).some(({ id }) => id === providerId)) refuse('ZONE_PROVIDER');
    const reserved = readReserved(terms.reserved) ?? refuse('ZONE_RESERVED');
    return { domain, nodeCode, price, onSale, description, channel, providerId, months, perCustomer, reserved, graceDays, restDays };
  }

  /** A price or an expiry needs a seller that sells and renews names. */
  private checkSeller({ price, months }: Pick<ZoneTerms, 'price' | 'months'>): void {
    if ((price === 0 && months === 0) || this.sellers.path !== null) return;
    throw new NameError('NO_SELLER', {}, { [price > 0 ? 'jg' : 'ys']: 'names.no_seller' });
  }

  private exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      return work();
    });
  }
}

/** Returns whether the domains are equal, or one is below the other. */
const overlaps = (one: string, other: string): boolean => one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
