import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { SoldName } from '../entities/index.js';

import { type DomainName, namesAbove } from './domain-name.js';

/**
 * What zones whose names are sold have to do with a domain: nothing; the account has the name, or one above it; it is the
 * zone's own, as are reserved names and what is above all names, so that who binds it has to prove that the zone is his; or it
 * is for sale, or somebody else's.
 */
export type ZoneClaim = 'none' | 'own' | 'zone' | 'sold';

/** Looks whether a domain lies in a zone whose names are sold. */
@Injectable()
export class ZoneClaims {
  private readonly nameRow;

  constructor(private readonly database: Database) {
    this.nameRow = database.statement<Pick<SoldName, 'state' | 'accountId'>>(
      'SELECT {SoldName.state} AS state, {SoldName.accountId} AS accountId FROM {SoldName} WHERE {SoldName.name} = ?',
    );
  }

  /** See {@link ZoneClaim}. */
  async of(accountId: number, { base }: DomainName): Promise<ZoneClaim> {
    const above = [base, ...namesAbove(base)];
    const places = above.map(() => '?').join(', ');
    const find = this.database.statement<{ domain: string; reserved: string }>(
      `SELECT {SaleDomain.domain} AS domain, {SaleDomain.reserved} AS reserved FROM {SaleDomain} WHERE {SaleDomain.domain} IN (${places})
        LIMIT 1`,
    );
    const zone = await find.get(...above);
    if (!zone) return 'none';
    if (zone.domain === base) return 'zone';
    const prefix = base
      .slice(0, -zone.domain.length - 1)
      .split('.')
      .at(-1)!;
    const row = await this.nameRow.get(`${prefix}.${zone.domain}`);
    if (row?.state === 'sold' && row.accountId === accountId) return 'own';
    return !row && zone.reserved.split(' ').includes(prefix) ? 'zone' : 'sold';
  }
}
