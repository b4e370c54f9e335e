import { Injectable } from '@nestjs/common';

import { type TextRef } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database } from '../database/index.js';
import { HostingAccount, SiteDomain } from '../hosting/index.js';
import type { HostQuota } from '../sdk/index.js';

import { PackageError } from './errors.js';

const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** Usage over a package's limit, in the limit's unit. */
export interface TooMuch {
  readonly kind: 'web' | 'database' | 'traffic' | 'domains';
  readonly used: number;
  readonly most: number;
}

/** Checks whether a host's usage fits into a package. */
@Injectable()
export class PackageFit {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns usage that exceeds these limits as of the last measurement; traffic is that of the current month. */
  async problems(hostId: number, limits: HostQuota): Promise<TooMuch[]> {
    const account = await this.database.repository(HostingAccount).findOneBy({ id: hostId });
    if (!account) return [];
    const month = this.clock.today().slice(0, 7);
    const domains = await this.database.repository(SiteDomain).countBy({ accountId: hostId });
    const used: [TooMuch['kind'], number, number | undefined, number][] = [
      ['web', account.webUsedBytes, limits.webMb, MB],
      ['database', account.databaseUsedBytes, limits.databaseMb, MB],
      ['traffic', account.trafficMonth === month ? account.trafficUsedBytes : 0, limits.trafficGb, GB],
      ['domains', domains, limits.domains, 1],
    ];
    return used.flatMap(([kind, amount, most, unit]) =>
      most !== undefined && most > 0 && amount > most * unit ? [{ kind, used: Math.ceil(amount / unit), most }] : [],
    );
  }

  /** Requires that usage fits the limits. @throws PackageError DOES_NOT_FIT with the numbers */
  async check(hostId: number, limits: HostQuota): Promise<void> {
    const problems = await this.problems(hostId, limits);
    if (problems.length > 0) throw new PackageError('DOES_NOT_FIT', { what: problems.map(tooMuchText) });
  }
}

/** Text for one exceeded limit. */
export function tooMuchText({ kind, used, most }: TooMuch): TextRef {
  return { key: `packages.too_much_${kind}`, params: { used, most } };
}
