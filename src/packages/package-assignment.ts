import { Injectable } from '@nestjs/common';

import { HostingService } from '../hosting/index.js';
import type { HostRecord } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments } from './host-payments.js';
import { PackageChanges } from './package-changes.js';
import { PackageFit } from './package-fit.js';
import { limitsOf, PackageOffers } from './package-offers.js';
import { PlannedPackages } from './planned-packages.js';

/** A reseller's assignment of a package to a host. */
export interface Assignment {
  readonly hostId: number;
  /** Key of the package; null: none. */
  readonly to: string | null;
  /** Amount in fen that counts as paid for the remaining days; default: their cost at the package's current price. */
  readonly paid?: number;
}

/** Packages that resellers assign without an order, to hosts opened manually, imported, or restored. */
@Injectable()
export class PackageAssignment {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: PackageOffers,
    private readonly payments: HostPayments,
    private readonly changes: PackageChanges,
    private readonly fit: PackageFit,
    private readonly planned: PlannedPackages,
  ) {}

  /** Applies limits and package immediately. @throws PackageError HOST_MISSING, NOT_OFFERED, DOES_NOT_FIT; HostingError */
  async assign({ hostId, to, paid }: Assignment): Promise<HostRecord> {
    const host = await this.hosting.get(hostId);
    if (!host) throw new PackageError('HOST_MISSING');
    const offer = to === null ? undefined : (await this.offers.of(host)).find((one) => one.package === to);
    if (to !== null && !offer) throw new PackageError('NOT_OFFERED', {}, { spid: 'packages.not_offered' });
    const limits = offer && limitsOf(offer);
    return this.hosting.changeTerms(
      hostId,
      {
        termsOf: async () => {
          if (limits) await this.fit.check(hostId, limits);
          return limits ? { limits, packageKey: to } : { packageKey: null };
        },
        done: async (_before, { expiresOn }, today) => {
          await this.payments.invalidate(hostId, today);
          await this.planned.cancel(hostId);
          if (!offer || expiresOn === null || expiresOn <= today) return;
          const fen = paid ?? this.changes.restPrice(offer, [], expiresOn);
          await this.payments.add({ hostId, orderId: null, fen, months: 1, fromDay: today, untilDay: expiresOn });
        },
      },
      'admin',
    );
  }
}
