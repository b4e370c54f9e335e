import { Injectable } from '@nestjs/common';
import { Brackets, In, IsNull, LessThan, LessThanOrEqual, Not } from 'typeorm';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { DomainRepository } from '../domains/index.js';
import { type SaleDomain, SoldName } from '../entities/index.js';

import { refuse } from './name-errors.js';

/** Owner of a name: a host, and the customer it belongs to. */
export interface NameOwner {
  readonly accountId: number;
  readonly customerId: number | null;
}

/** A name that is to be had. */
export interface NewName extends NameOwner {
  readonly zone: SaleDomain;
  readonly prefix: string;
  readonly folder: string;
  readonly orderNo: string | null;
  readonly state: 'held' | 'sold';
  readonly expiresOn: string | null;
  /** Of a held one: when it is free again by itself. */
  readonly until: Date | null;
}

/** How a name stands: to be had, or why not. */
export type NameStanding = 'free' | 'own' | 'taken' | 'resting';

/** Rows of names somebody has. Whoever changes whose one is does it alone (`DomainRepository.alone`), together with what is bound. */
@Injectable()
export class NameRepository {
  constructor(
    private readonly database: Database,
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(SoldName);
  }

  /** @throws NameError NAME_MISSING */
  async find(id: number): Promise<SoldName> {
    return (await this.rows.findOneBy({ id })) ?? refuse('NAME_MISSING');
  }

  /** Null: there is none. */
  byId(id: number): Promise<SoldName | null> {
    return this.rows.findOneBy({ id });
  }

  /** Null: nobody has it. */
  byName(name: string): Promise<SoldName | null> {
    return this.rows.findOneBy({ name });
  }

  /** The one an order is for, or was. */
  byOrder(orderNo: string): Promise<SoldName | null> {
    return this.rows.findOneBy({ orderNo });
  }

  /** Names of a zone, or of all, that somebody has or is about to. */
  async page(zoneId: number | null, offset: number, limit: number): Promise<{ total: number; rows: SoldName[] }> {
    const where = zoneId === null ? {} : { zoneId };
    const [rows, total] = await this.rows.findAndCount({ where, order: { id: 'DESC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Names an owner has: of the host, and of its customer. */
  async of({ accountId, customerId }: NameOwner, offset: number, limit: number): Promise<{ total: number; rows: SoldName[] }> {
    const query = this.rows.createQueryBuilder('n').where("n.state = 'sold'");
    query.andWhere(
      new Brackets((own) => {
        own.where('n.accountId = :accountId', { accountId });
        if (customerId !== null) own.orWhere('n.customerId = :customerId', { customerId });
      }),
    );
    const [rows, total] = await query.orderBy('n.id', 'ASC').skip(offset).take(limit).getManyAndCount();
    return { total, rows };
  }

  /** Names of a customer: his own, and those of his hosts. */
  async ofCustomer(customerId: number, hostIds: readonly number[], limit: number): Promise<SoldName[]> {
    const own = { state: 'sold' as const, customerId };
    const ofHosts = { state: 'sold' as const, accountId: In([...hostIds]) };
    return this.rows.find({ where: hostIds.length === 0 ? own : [own, ofHosts], order: { id: 'ASC' }, take: limit });
  }

  /** Sold names whose last day is at most this one, the next first. */
  async due(day: string, offset: number, limit: number): Promise<{ total: number; rows: SoldName[] }> {
    const where = { state: 'sold' as const, expiresOn: LessThanOrEqual(day) };
    const [rows, total] = await this.rows.findAndCount({ where, order: { expiresOn: 'ASC', id: 'ASC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Sold names in the order of their ids, after one of them. */
  sold(after: number, limit: number): Promise<SoldName[]> {
    return this.rows
      .createQueryBuilder('n')
      .where("n.state = 'sold' AND n.id > :after", { after })
      .orderBy('n.id', 'ASC')
      .take(limit)
      .getMany();
  }

  /** How a name stands to who wants it. */
  async standing(name: string, owner: NameOwner): Promise<NameStanding> {
    const row = await this.byName(name);
    if (row && !this.isOver(row)) {
      if (row.state === 'resting') return 'resting';
      return row.state === 'sold' && isOf(row, owner) ? 'own' : 'taken';
    }
    // Bound the usual way before its zone was for sale, or meant by somebody's wildcard.
    return (await this.domains.standing(owner.accountId, { name, base: name, isWildcard: false })) === 'taken' ? 'taken' : 'free';
  }

  /**
   * Gives a name to who is first.
   *
   * @throws NameError TAKEN, RESTING, LIMIT
   */
  take(wanted: NewName): Promise<SoldName> {
    const { zone, prefix, accountId, customerId, folder, orderNo, state, expiresOn, until } = wanted;
    const name = `${prefix}.${zone.domain}`;
    return this.domains.alone(async () => {
      const standing = await this.standing(name, wanted);
      if (standing === 'resting') refuse('RESTING', { name });
      if (standing !== 'free') refuse('TAKEN', { name });
      if (zone.perCustomer > 0 && (await this.countOf(zone.id, wanted)) >= zone.perCustomer) refuse('LIMIT', { n: zone.perCustomer });
      // One whose time is over.
      await this.rows.delete({ name });
      const values = { zoneId: zone.id, name, prefix, state, accountId, customerId, folder, orderNo, expiresOn, until };
      const row = this.rows.create({ ...values, untoldAccountId: null, remindedOn: null, createdAt: this.clock.now() });
      await this.rows.insert(row);
      this.database.noteChange({ of: 'sold-name', id: row.id }, null, { name, state, expiresOn });
      return row;
    });
  }

  /** It was paid: a held name is sold. @returns null where the order holds none any more */
  async sell(orderNo: string, expiresOn: string | null): Promise<SoldName | null> {
    await this.rows.update({ orderNo, state: 'held' }, { state: 'sold', expiresOn, until: null });
    const row = await this.byOrder(orderNo);
    return row?.state === 'sold' ? row : null;
  }

  /** The order was given up: what it held is free. */
  async drop(orderNo: string): Promise<void> {
    await this.rows.delete({ orderNo, state: 'held' });
  }

  /** Moves the last day of one that is still as it was found. */
  async renew({ id, expiresOn }: SoldName, to: string): Promise<boolean> {
    const where = { id, state: 'sold' as const, expiresOn: expiresOn ?? IsNull() };
    const { affected } = await this.rows.update(where, { expiresOn: to, remindedOn: null });
    if (affected === 1) this.database.noteChange({ of: 'sold-name', id }, { expiresOn }, { expiresOn: to });
    return affected === 1;
  }

  /** Means a name for another host of its owner: what the present one shows under it is gone at once. */
  async move(id: number, to: NameOwner, folder: string): Promise<SoldName> {
    return this.domains.alone(async () => {
      const row = await this.find(id);
      if (row.state !== 'sold' || !isOf(row, to)) refuse('NAME_MISSING');
      const moves = row.accountId !== null && row.accountId !== to.accountId;
      if (moves) await this.domains.unbindWhole(row.accountId!, row.name);
      const values = { accountId: to.accountId, folder, ...(moves ? { untoldAccountId: row.accountId } : {}) };
      await this.rows.update({ id }, values);
      return { ...row, ...values };
    });
  }

  /**
   * Has another name of the zone take the place of one: with its host, its order and its last day. The old one rests.
   *
   * @throws NameError NAME_MISSING where it is not what it was any more, TAKEN, RESTING
   */
  async rename(row: SoldName, to: Pick<NewName, 'prefix'> & { readonly name: string }, restDays: number): Promise<SoldName> {
    return this.domains.alone(async () => {
      const { zoneId, state, accountId, customerId, folder, orderNo, expiresOn, remindedOn } = row;
      const standing = await this.standing(to.name, { accountId: accountId ?? 0, customerId });
      if (standing === 'resting') refuse('RESTING', { name: to.name });
      if (standing !== 'free') refuse('TAKEN', { name: to.name });
      const { affected } = await this.rows.update({ id: row.id, state: 'sold', name: row.name }, { orderNo: null });
      if (affected !== 1 || !(await this.rest(row.id, restDays))) refuse('NAME_MISSING');
      await this.rows.delete({ name: to.name });
      const values = { zoneId, name: to.name, prefix: to.prefix, state, accountId, customerId, folder, orderNo, expiresOn, remindedOn };
      const next = this.rows.create({ ...values, until: null, untoldAccountId: null, createdAt: this.clock.now() });
      await this.rows.insert(next);
      this.database.noteChange({ of: 'sold-name', id: next.id }, null, { name: to.name, state, expiresOn });
      return next;
    });
  }

  /** Gives a name up: nobody shows it from now on, and nobody gets it for so many days. @returns false where that was done before */
  async rest(id: number, days: number): Promise<boolean> {
    return this.domains.alone(async () => {
      const row = await this.rows.findOneBy({ id, state: 'sold' });
      if (!row) return false;
      if (row.accountId !== null) await this.domains.unbindWhole(row.accountId, row.name);
      const until = new Date(this.clock.now().getTime() + days * DAY_MS);
      await this.rows.update(
        { id },
        { state: 'resting', until, accountId: null, customerId: null, expiresOn: null, untoldAccountId: row.accountId },
      );
      this.database.noteChange({ of: 'sold-name', id }, { name: row.name, state: 'sold' }, { name: row.name, state: 'resting' });
      return true;
    });
  }

  /** Ends the rest of a name, so that it can be had again now. @throws NameError NAME_MISSING */
  async endRest(id: number): Promise<void> {
    const { affected } = await this.rows.update({ id, state: 'resting' }, { until: this.clock.now() });
    if (affected !== 1) refuse('NAME_MISSING');
  }

  /** Forgets what is held or rests no more. */
  async forget(): Promise<void> {
    await this.rows.delete({ state: In(['held', 'resting']), until: LessThan(this.clock.now()), untoldAccountId: IsNull() });
  }

  /** Sold names nobody has: their host is gone, and it was nobody's. */
  orphans(limit: number): Promise<SoldName[]> {
    return this.rows.find({ where: { state: 'sold', accountId: IsNull(), customerId: IsNull() }, order: { id: 'ASC' }, take: limit });
  }

  /** Sold names whose last day is at most this one. */
  ending(day: string, after: number, limit: number): Promise<SoldName[]> {
    return this.rows
      .createQueryBuilder('n')
      .where("n.state = 'sold' AND n.expiresOn <= :day AND n.id > :after", { day, after })
      .orderBy('n.id', 'ASC')
      .take(limit)
      .getMany();
  }

  /** @returns whether it was us */
  async remind({ id, remindedOn }: SoldName, today: string): Promise<boolean> {
    const { affected } = await this.rows.update({ id, state: 'sold', remindedOn: remindedOn ?? IsNull() }, { remindedOn: today });
    return affected === 1;
  }

  /** Names a server has yet to be told of. */
  untold(limit: number): Promise<SoldName[]> {
    return this.rows.find({ where: { untoldAccountId: Not(IsNull()) }, order: { id: 'ASC' }, take: limit });
  }

  /** It was told, or is not there any more. */
  async told(accountId: number): Promise<void> {
    await this.rows.update({ untoldAccountId: accountId }, { untoldAccountId: null });
  }

  private isOver({ state, until }: SoldName): boolean {
    return state !== 'sold' && until !== null && until <= this.clock.now();
  }

  private countOf(zoneId: number, { accountId, customerId }: NameOwner): Promise<number> {
    const states = In(['held', 'sold']);
    const own = [{ zoneId, state: states, accountId }];
    return this.rows.countBy(customerId === null ? own : [...own, { zoneId, state: states, customerId }]);
  }
}

/** Tells whether a name belongs to an owner: to his host, or to the customer himself. */
export function isOf({ accountId, customerId }: SoldName, owner: NameOwner): boolean {
  return accountId === owner.accountId || (customerId !== null && customerId === owner.customerId);
}
