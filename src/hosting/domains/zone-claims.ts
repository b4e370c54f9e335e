import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { SoldName } from '../entities/index.js';

import { type DomainName, namesAbove } from './domain-name.js';

/**
 * Relation of a domain to zones whose names are sold. `none`: in no such zone; `own`: the account has bought the name or a parent of it;
 * `zone`: the zone itself, a parent of all names or a reserved name, which requires a proof of owning the zone; `sold`: for sale or sold to
 * another account.
 */
export type ZoneClaim = 'none' | 'own' | 'zone' | 'sold';

/** Checks whether a domain is in a zone whose names are sold. */
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
