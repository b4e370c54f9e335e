import { Injectable } from '@nestjs/common';

import { dayAfter, HostingService, renewedByMonths, renewedFrom } from '../hosting/index.js';
import { PackageRenewals, type RenewedPackage } from '../packages/index.js';
import type { HostRecord } from '../sdk/index.js';

import { RenewalError } from './errors.js';

/** Days before expiry from which on a free host can be renewed, so that owners confirm regularly that they still use it. */
export const FREE_DAYS = 7;

/** Returns the first day on which a host may be renewed for free. */
export const freeFrom = (expiresOn: string): string => dayAfter(expiresOn, -FREE_DAYS);

/** A free renewal. */
export interface FreeRenewal {
  readonly host: Pick<HostRecord, 'id'>;
  readonly months: number;
  /** Package before and after the renewal. */
  readonly packages: RenewedPackage;
  /** Who renews: `user` or `admin`. */
  readonly source: string;
}

/** Renews hosts of free plans immediately, without an order. */
@Injectable()
export class FreeRenewals {
  constructor(
    private readonly hosting: HostingService,
    private readonly packages: PackageRenewals,
  ) {}

  /** @returns the new last day @throws HostingError; RenewalError NEVER_EXPIRES, TOO_EARLY; PackageError MOVED, DOES_NOT_FIT */
  async renew({ host: { id: hostId }, months, packages, source }: FreeRenewal): Promise<string> {
    let until = '';
    await this.hosting.changeTerms(
      hostId,
      {
        termsOf: async (account, today) => {
          const { expiresOn, graceDays } = account;
          if (expiresOn === null) throw new RenewalError('NEVER_EXPIRES');
          // Checked under the row lock, so that a double click does not renew twice.
          if (freeFrom(expiresOn) > today) throw new RenewalError('TOO_EARLY', { day: freeFrom(expiresOn) });
          const terms = await this.packages.termsOf(account, packages);
          until = renewedByMonths({ expiresOn, graceDays }, months, today);
          return { ...terms, expiresOn: until };
        },
        done: async (before, after, today) => {
          const fromDay = renewedFrom({ expiresOn: before.expiresOn!, graceDays: before.graceDays }, today);
          await this.packages.done({ hostId, orderId: null, fen: 0, months, fromDay, untilDay: after.expiresOn! }, packages);
        },
      },
      source,
    );
    return until;
  }
}
