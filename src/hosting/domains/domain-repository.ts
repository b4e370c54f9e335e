import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import type { DriverDomain } from '../driver/index.js';
import { HostingAccount, SiteDomain } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { refuse } from './domain-errors.js';
import { type DomainName, namesAbove, reversed, storedDomain } from './domain-name.js';

/**
 * Relation of a name to those already bound: `free`; `own`, bound by this account; `taken`, bound by another account or covered by its
 * wildcard; `related`, a parent or child of another account's name.
 */
export type DomainStanding = 'free' | 'own' | 'taken' | 'related';

/** Incremented by every change, whose transaction locks it: conflicting changes of names run one after another. */
const GENERATION = 'site-domains';
/** Maximum number of domains per site, whatever its limit. */
export const MAX_DOMAINS = 2_000;

/** Reads and writes rows of bound domains. */
@Injectable()
export class DomainRepository {
  private readonly sameOrCovering;
  private readonly covered;
  private readonly below;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly clock: Clock,
  ) {
    this.sameOrCovering = database.statement<{ accountId: number; name: string }>(
      `SELECT {SiteDomain.accountId} AS accountId, {SiteDomain.name} AS name FROM {SiteDomain} WHERE {SiteDomain.name} IN (?, ?)`,
    );
    const range = '{SiteDomain.reversed} >= ? AND {SiteDomain.reversed} < ? AND {SiteDomain.accountId} <> ?';
    this.covered = database.statement(
      `SELECT 1 AS found FROM {SiteDomain} WHERE ${range} AND {SiteDomain.reversed} NOT LIKE ? AND {SiteDomain.name} NOT LIKE '*%' LIMIT 1`,
    );
    this.below = database.statement(`SELECT 1 AS found FROM {SiteDomain} WHERE ${range} LIMIT 1`);
  }

  private get rows() {
    return this.database.repository(SiteDomain);
  }

  /** Returns a page of an account's domains in the order of binding. */
  async page(accountId: number, offset: number, limit: number): Promise<{ total: number; domains: SiteDomain[] }> {
    const [domains, total] = await this.rows.findAndCount({ where: { accountId }, order: { id: 'ASC' }, skip: offset, take: limit });
    return { total, domains };
  }

  /** Returns all domains of an account in the order of binding. */
  all(accountId: number): Promise<SiteDomain[]> {
    return this.rows.find({ where: { accountId }, order: { id: 'ASC' }, take: MAX_DOMAINS });
  }

  /** Counts the domains of an account. */
  count(accountId: number): Promise<number> {
    return this.rows.countBy({ accountId });
  }

  /** Returns all domains of an account in the form drivers take. */
  async wanted(accountId: number): Promise<DriverDomain[]> {
    return (await this.all(accountId)).map(({ name, folder }) => ({ name, folder }));
  }

  /** Returns a domain of an account. @throws DomainError NOT_BOUND */
  async find(accountId: number, name: string): Promise<SiteDomain> {
    return (await this.rows.findOneBy({ accountId, name })) ?? refuse('NOT_BOUND', { domain: name });
  }

  /** Returns the relation of a name to those already bound. */
  async standing(accountId: number, domain: DomainName): Promise<DomainStanding> {
    const { name, base, isWildcard } = domain;
    const covering = isWildcard ? name : `*.${base.slice(base.indexOf('.') + 1)}`;
    const same = await this.sameOrCovering.all(name, covering);
    if (same.some(({ accountId: owner }) => owner !== accountId)) return 'taken';
    const key = reversed(base);
    // Range of all names below: `/` is the character after `.`.
    const range = [`${key}.`, `${key}/`, accountId] as const;
    if (isWildcard && (await this.covered.get(...range, `${key}.%.%`))) return 'taken';
    if (same.some((row) => row.name === name)) return 'own';
    return (await this.below.get(...range)) || (await this.isBelow(accountId, base)) ? 'related' : 'free';
  }

  /** Returns whether another account has this name, as a wildcard or not, or a parent of it. */
  private async isBelow(accountId: number, base: string): Promise<boolean> {
    const above = [base, ...namesAbove(base)].map(reversed);
    const places = above.map(() => '?').join(', ');
    const find = this.database.statement(
      `SELECT 1 AS found FROM {SiteDomain} WHERE {SiteDomain.reversed} IN (${places}) AND {SiteDomain.accountId} <> ? LIMIT 1`,
    );
    return (await find.get(...above, accountId)) !== undefined;
  }

  /**
   * Binds a name, or changes the folder of a bound one, after checking again within the transaction.
   *
   * @param mayBeRelated the account has proved that it owns the domain
   * @param recheck throws if an earlier check no longer holds; runs in the same transaction
   * @throws DomainError TAKEN, PROOF, LIMIT; HostingError ACCOUNT_STATE
   */
  bind(
    accountId: number,
    domain: DomainName,
    folder: string,
    mayBeRelated: boolean,
    recheck: () => Promise<void>,
  ): Promise<'bound' | 'moved' | 'same'> {
    return this.alone(async () => {
      await recheck();
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const account = await this.database.repository(HostingAccount).findOneBy({ id: accountId });
      if (account?.state !== 'active' && account?.state !== 'paused') throw new HostingError('ACCOUNT_STATE');
      const standing = await this.standing(accountId, domain);
      if (standing === 'own') return this.move(accountId, domain.name, folder);
      if (standing === 'taken') refuse('TAKEN', { domain: domain.name });
      // A related name was bound since the check: a retry will require the proof.
      if (standing === 'related' && !mayBeRelated) refuse('TAKEN', { domain: domain.name });
      const max = account.domainQuota > 0 ? Math.min(account.domainQuota, MAX_DOMAINS) : MAX_DOMAINS;
      if ((await this.count(accountId)) >= max) refuse('LIMIT', { n: max });
      const row = this.rows.create({
        accountId,
        name: domain.name,
        reversed: reversed(domain.base),
        folder,
        isMain: false,
        createdAt: this.clock.now(),
      });
      await this.rows.insert(row);
      this.database.noteChange({ of: 'domain', id: row.id }, null, { name: row.name, folder });
      return 'bound';
    });
  }

  private async move(accountId: number, name: string, folder: string): Promise<'moved' | 'same'> {
    const row = await this.find(accountId, name);
    if (row.folder === folder) return 'same';
    await this.rows.update({ id: row.id }, { folder });
    this.database.noteChange({ of: 'domain', id: row.id }, { folder: row.folder }, { folder });
    return 'moved';
  }

  /** Reverts {@link bind} unless the domain was changed since. @param before the earlier row; null if the name was not bound */
  undoBind(accountId: number, name: string, folder: string, before: SiteDomain | null): Promise<void> {
    return this.alone(async () => {
      const row = await this.rows.findOneBy({ accountId, name, folder });
      if (!row) return;
      if (before) await this.rows.update({ id: row.id }, { folder: before.folder });
      else await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name, folder }, before && { name, folder: before.folder });
    });
  }

  /** Reverts {@link unbind} unless a conflicting name was bound since. */
  undoUnbind(row: SiteDomain): Promise<void> {
    return this.alone(async () => {
      const standing = await this.standing(row.accountId, storedDomain(row.name));
      if (standing === 'own' || standing === 'taken') return;
      const isMain = row.isMain && !(await this.rows.existsBy({ accountId: row.accountId, isMain: true }));
      await this.rows.insert({ ...row, isMain });
      this.database.noteChange({ of: 'domain', id: row.id }, null, { name: row.name, folder: row.folder });
    });
  }

  /** Removes a name and all names below it from an account, when a sold name is withdrawn. Runs within the caller's {@link alone}. */
  async unbindWhole(accountId: number, name: string): Promise<void> {
    const key = reversed(name);
    for (const row of await this.all(accountId)) {
      if (row.reversed !== key && !row.reversed.startsWith(`${key}.`)) continue;
      await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name: row.name, folder: row.folder }, null);
    }
  }

  /** Runs a transaction that holds the lock on the ownership of names. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      return work();
    });
  }

  /** Removes a name. @returns its row as it was @throws DomainError NOT_BOUND */
  unbind(accountId: number, name: string): Promise<SiteDomain> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      const row = await this.find(accountId, name);
      await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name: row.name, folder: row.folder }, null);
      return row;
    });
  }

  /** Sets the main domain; null makes the site's own name the main one. @throws DomainError NOT_BOUND, MAIN_WILDCARD */
  setMain(accountId: number, name: string | null): Promise<void> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      const row = name === null ? null : await this.find(accountId, name);
      if (row?.name.startsWith('*')) refuse('MAIN_WILDCARD', { domain: row.name });
      await this.rows.update({ accountId, isMain: true }, { isMain: false });
      if (row) await this.rows.update({ id: row.id }, { isMain: true });
    });
  }
}
