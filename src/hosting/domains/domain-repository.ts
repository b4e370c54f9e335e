import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import type { DriverDomain } from '../driver/index.js';
import { HostingAccount, SiteDomain } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { refuse } from './domain-errors.js';
import { type DomainName, namesAbove, reversed, storedDomain } from './domain-name.js';

/**
 * How a name stands to those that are bound: free; bound by this account; another's, or meant by another's
 * wildcard; above or below another's.
 */
export type DomainStanding = 'free' | 'own' | 'taken' | 'related';

/** Raised by every change, whose transaction holds it: two who bind names that have to do with each other come one after the other. */
const GENERATION = 'site-domains';
/** Domains one site may have at most, whatever its limit says. */
export const MOST_DOMAINS = 2_000;

/** Rows of the domains that are bound. */
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

  /** Domains of an account in the order they were bound, some of them. */
  async page(accountId: number, offset: number, limit: number): Promise<{ total: number; domains: SiteDomain[] }> {
    const [domains, total] = await this.rows.findAndCount({ where: { accountId }, order: { id: 'ASC' }, skip: offset, take: limit });
    return { total, domains };
  }

  /** All domains of an account in the order they were bound. */
  all(accountId: number): Promise<SiteDomain[]> {
    return this.rows.find({ where: { accountId }, order: { id: 'ASC' }, take: MOST_DOMAINS });
  }

  /** How many an account has. */
  count(accountId: number): Promise<number> {
    return this.rows.countBy({ accountId });
  }

  /** The same as drivers take it. */
  async wanted(accountId: number): Promise<DriverDomain[]> {
    return (await this.all(accountId)).map(({ name, folder }) => ({ name, folder }));
  }

  /** A domain of an account. @throws DomainError NOT_BOUND */
  async find(accountId: number, name: string): Promise<SiteDomain> {
    return (await this.rows.findOneBy({ accountId, name })) ?? refuse('NOT_BOUND', { domain: name });
  }

  /** How a name stands to those that are bound. */
  async standing(accountId: number, domain: DomainName): Promise<DomainStanding> {
    const { name, base, isWildcard } = domain;
    const covering = isWildcard ? name : `*.${base.slice(base.indexOf('.') + 1)}`;
    const same = await this.sameOrCovering.all(name, covering);
    if (same.some(({ accountId: owner }) => owner !== accountId)) return 'taken';
    const key = reversed(base);
    // What lies below: `.` is followed by `/` among characters.
    const range = [`${key}.`, `${key}/`, accountId] as const;
    if (isWildcard && (await this.covered.get(...range, `${key}.%.%`))) return 'taken';
    if (same.some((row) => row.name === name)) return 'own';
    return (await this.below.get(...range)) || (await this.isBelow(accountId, base)) ? 'related' : 'free';
  }

  /** Whether another account has the name itself, as a wildcard or not, or one above it. */
  private async isBelow(accountId: number, base: string): Promise<boolean> {
    const above = [base, ...namesAbove(base)].map(reversed);
    const places = above.map(() => '?').join(', ');
    const find = this.database.statement(
      `SELECT 1 AS found FROM {SiteDomain} WHERE {SiteDomain.reversed} IN (${places}) AND {SiteDomain.accountId} <> ? LIMIT 1`,
    );
    return (await find.get(...above, accountId)) !== undefined;
  }

  /**
   * Binds a name, or sets the folder of one that is bound, if it is still as it was found.
   *
   * @param mayBeRelated its owner has proved that it is his
   * @param still refuses where what was found before does not hold any more; runs in the same transaction
   * @throws DomainError TAKEN, PROOF, LIMIT; HostingError ACCOUNT_STATE
   */
  bind(
    accountId: number,
    domain: DomainName,
    folder: string,
    mayBeRelated: boolean,
    still: () => Promise<void>,
  ): Promise<'bound' | 'moved' | 'same'> {
    return this.alone(async () => {
      await still();
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const account = await this.database.repository(HostingAccount).findOneBy({ id: accountId });
      if (account?.state !== 'active' && account?.state !== 'paused') throw new HostingError('ACCOUNT_STATE');
      const standing = await this.standing(accountId, domain);
      if (standing === 'own') return this.move(accountId, domain.name, folder);
      if (standing === 'taken') refuse('TAKEN', { domain: domain.name });
      // Somebody bound a name above or below it since it was looked at: he is asked for the proof when he tries again.
      if (standing === 'related' && !mayBeRelated) refuse('TAKEN', { domain: domain.name });
      const most = account.domainQuota > 0 ? Math.min(account.domainQuota, MOST_DOMAINS) : MOST_DOMAINS;
      if ((await this.count(accountId)) >= most) refuse('LIMIT', { n: most });
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

  /** Takes back what {@link bind} came to, where it is still so. @param before the name as it was bound; null: it was not */
  undoBind(accountId: number, name: string, folder: string, before: SiteDomain | null): Promise<void> {
    return this.alone(async () => {
      const row = await this.rows.findOneBy({ accountId, name, folder });
      if (!row) return;
      if (before) await this.rows.update({ id: row.id }, { folder: before.folder });
      else await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name, folder }, before && { name, folder: before.folder });
    });
  }

  /** Takes back what {@link unbind} came to, where nobody has bound a name it has to do with since. */
  undoUnbind(row: SiteDomain): Promise<void> {
    return this.alone(async () => {
      const standing = await this.standing(row.accountId, storedDomain(row.name));
      if (standing === 'own' || standing === 'taken') return;
      const isMain = row.isMain && !(await this.rows.existsBy({ accountId: row.accountId, isMain: true }));
      await this.rows.insert({ ...row, isMain });
      this.database.noteChange({ of: 'domain', id: row.id }, null, { name: row.name, folder: row.folder });
    });
  }

  /** Removes a name and all below it from an account, for who takes it back. In the caller's {@link alone}. */
  async unbindWhole(accountId: number, name: string): Promise<void> {
    const key = reversed(name);
    for (const row of await this.all(accountId)) {
      if (row.reversed !== key && !row.reversed.startsWith(`${key}.`)) continue;
      await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name: row.name, folder: row.folder }, null);
    }
  }

  /** Runs a transaction in which nobody else decides whose a name is. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      return work();
    });
  }

  /** Removes a name. @returns its row, as it was @throws DomainError NOT_BOUND */
  unbind(accountId: number, name: string): Promise<SiteDomain> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      const row = await this.find(accountId, name);
      await this.rows.delete({ id: row.id });
      this.database.noteChange({ of: 'domain', id: row.id }, { name: row.name, folder: row.folder }, null);
      return row;
    });
  }

  /** Makes one of the names the main one; null: none, so that the site's own name is. @throws DomainError NOT_BOUND, MAIN_WILDCARD */
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
