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

/** A name to be taken. */
export interface NewName extends NameOwner {
  readonly zone: SaleDomain;
  readonly prefix: string;
  readonly folder: string;
  readonly orderNo: string | null;
  readonly state: 'held' | 'sold';
  readonly expiresOn: string | null;
  /** When a held name is released automatically. */
  readonly until: Date | null;
}

/** Availability of a name. */
export type NameAvailability = 'free' | 'own' | 'taken' | 'resting';

/** Rows of taken names. Ownership changes run exclusively (`DomainRepository.alone`), together with the changes of bound domains. */
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

  /** Returns null if it does not exist. */
  byId(id: number): Promise<SoldName | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns null if the name is free. */
  byName(name: string): Promise<SoldName | null> {
    return this.rows.findOneBy({ name });
  }

  /** Returns the name an order is or was for. */
  byOrder(orderNo: string): Promise<SoldName | null> {
    return this.rows.findOneBy({ orderNo });
  }

  /** Returns a page of the taken names of a zone, or of all zones. */
  async page(zoneId: number | null, offset: number, limit: number): Promise<{ total: number; rows: SoldName[] }> {
    const where = zoneId === null ? {} : { zoneId };
    const [rows, total] = await this.rows.findAndCount({ where, order: { id: 'DESC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Returns the names of an owner: of the host, and of its customer. */
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

  /** Returns the names of a customer: their own, and those of their hosts. */
  async ofCustomer(customerId: number, hostIds: readonly number[], limit: number): Promise<SoldName[]> {
    const own = { state: 'sold' as const, customerId };
    const ofHosts = { state: 'sold' as const, accountId: In([...hostIds]) };
    return this.rows.find({ where: hostIds.length === 0 ? own : [own, ofHosts], order: { id: 'ASC' }, take: limit });
  }

  /** Returns sold names whose last day is not after `day`, the earliest first. */
  async due(day: string, offset: number, limit: number): Promise<{ total: number; rows: SoldName[] }> {
    const where = { state: 'sold' as const, expiresOn: LessThanOrEqual(day) };
    const [rows, total] = await this.rows.findAndCount({ where, order: { expiresOn: 'ASC', id: 'ASC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Returns sold names ordered by id, starting after the given one. */
  sold(after: number, limit: number): Promise<SoldName[]> {
    return this.rows
      .createQueryBuilder('n')
      .where("n.state = 'sold' AND n.id > :after", { after })
      .orderBy('n.id', 'ASC')
      .take(limit)
      .getMany();
  }

  /** Returns whether a name is available to an owner. */
  async availability(name: string, owner: NameOwner): Promise<NameAvailability> {
    const row = await this.byName(name);
    if (row && !this.isOver(row)) {
      if (row.state === 'resting') return 'resting';
      return row.state === 'sold' && isOf(row, owner) ? 'own' : 'taken';
    }
    // The name may have been bound as a regular domain before its zone was for sale, or be covered by a wildcard of another user.
    return (await this.domains.standing(owner.accountId, { name, base: name, isWildcard: false })) === 'taken' ? 'taken' : 'free';
  }

  /**
   * Takes a name for its first applicant.
   *
   * @throws NameError TAKEN, RESTING, LIMIT
   */
  take(wanted: NewName): Promise<SoldName> {
    const { zone, prefix, accountId, customerId, folder, orderNo, state, expiresOn, until } = wanted;
    const name = `${prefix}.${zone.domain}`;
    return this.domains.alone(async () => {
      const availability = await this.availability(name, wanted);
      if (availability === 'resting') refuse('RESTING', { name });
      if (availability !== 'free') refuse('TAKEN', { name });
      if (zone.perCustomer > 0 && (await this.countOf(zone.id, wanted)) >= zone.perCustomer) refuse('LIMIT', { n: zone.perCustomer });
      // An expired row.
      await this.rows.delete({ name });
      const values = { zoneId: zone.id, name, prefix, state, accountId, customerId, folder, orderNo, expiresOn, until };
      const row = this.rows.create({ ...values, untoldAccountId: null, remindedOn: null, createdAt: this.clock.now() });
      await this.rows.insert(row);
      this.database.noteChange({ of: 'sold-name', id: row.id }, null, { name, state, expiresOn });
      return row;
    });
  }

  /** Marks a held name as sold after payment. @returns null if the order no longer holds a name */
  async sell(orderNo: string, expiresOn: string | null): Promise<SoldName | null> {
    await this.rows.update({ orderNo, state: 'held' }, { state: 'sold', expiresOn, until: null });
    const row = await this.byOrder(orderNo);
    return row?.state === 'sold' ? row : null;
  }

  /** Releases the name of a cancelled order. */
  async drop(orderNo: string): Promise<void> {
    await this.rows.delete({ orderNo, state: 'held' });
  }

  /** Changes the last day, unless the row was changed in the meantime. */
  async renew({ id, expiresOn }: SoldName, to: string): Promise<boolean> {
    const where = { id, state: 'sold' as const, expiresOn: expiresOn ?? IsNull() };
    const { affected } = await this.rows.update(where, { expiresOn: to, remindedOn: null });
    if (affected === 1) this.database.noteChange({ of: 'sold-name', id }, { expiresOn }, { expiresOn: to });
    return affected === 1;
  }

  /** Assigns a name to another host of its owner, and unbinds it from the present one immediately. */
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
   * Replaces a name with another one of the zone, which takes over its host, order and last day. The old one is blocked for a while.
   *
   * @throws NameError NAME_MISSING if it was changed in the meantime, TAKEN, RESTING
   */
  async rename(row: SoldName, to: Pick<NewName, 'prefix'> & { readonly name: string }, restDays: number): Promise<SoldName> {
    return this.domains.alone(async () => {
      const { zoneId, state, accountId, customerId, folder, orderNo, expiresOn, remindedOn } = row;
      const availability = await this.availability(to.name, { accountId: accountId ?? 0, customerId });
      if (availability === 'resting') refuse('RESTING', { name: to.name });
      if (availability !== 'free') refuse('TAKEN', { name: to.name });
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

  /** Releases a name: unbinds it, and blocks it for `days`. @returns false if it was already released */
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

  /** Ends the block of a released name. @throws NameError NAME_MISSING */
  async endRest(id: number): Promise<void> {
    const { affected } = await this.rows.update({ id, state: 'resting' }, { until: this.clock.now() });
    if (affected !== 1) refuse('NAME_MISSING');
  }

  /** Removes expired reservations and blocks. */
  async forget(): Promise<void> {
    await this.rows.delete({ state: In(['held', 'resting']), until: LessThan(this.clock.now()), untoldAccountId: IsNull() });
  }

  /** Returns sold names without an owner: their host was deleted, and they had no customer. */
  orphans(limit: number): Promise<SoldName[]> {
    return this.rows.find({ where: { state: 'sold', accountId: IsNull(), customerId: IsNull() }, order: { id: 'ASC' }, take: limit });
  }

  /** Returns sold names whose last day is not after `day`. */
  ending(day: string, after: number, limit: number): Promise<SoldName[]> {
    return this.rows
      .createQueryBuilder('n')
      .where("n.state = 'sold' AND n.expiresOn <= :day AND n.id > :after", { day, after })
      .orderBy('n.id', 'ASC')
      .take(limit)
      .getMany();
  }

  /** @returns whether this process recorded the reminder */
  async remind({ id, remindedOn }: SoldName, today: string): Promise<boolean> {
    const { affected } = await this.rows.update({ id, state: 'sold', remindedOn: remindedOn ?? IsNull() }, { remindedOn: today });
    return affected === 1;
  }

  /** Returns names that a server still has to remove. */
  pendingServerUpdates(limit: number): Promise<SoldName[]> {
    return this.rows.find({ where: { untoldAccountId: Not(IsNull()) }, order: { id: 'ASC' }, take: limit });
  }

  /** Records that the server removed the names, or that it no longer exists. */
  async markServerUpdated(accountId: number): Promise<void> {
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

/** Returns whether a name belongs to an owner: to their host, or to the customer. */
export function isOf({ accountId, customerId }: SoldName, owner: NameOwner): boolean {
  return accountId === owner.accountId || (customerId !== null && customerId === owner.customerId);
}
