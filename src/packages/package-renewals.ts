import { Injectable } from '@nestjs/common';

import type { HostingAccount } from '../hosting/index.js';
import type { HostQuota, HostRecord, OrderRecord } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments, type NewHostPayment } from './host-payments.js';
import { PackageFit, type TooMuch } from './package-fit.js';
import { PackageNotices } from './package-notices.js';
import { PlannedPackages } from './planned-packages.js';

/** Package and price with which a host is renewed. */
export interface RenewedAs {
  /** Key of the package whose price applies; null for none. */
  readonly package: string | null;
  /** Package planned for this renewal; null: unchanged. */
  readonly planned: { readonly name: string; readonly limits: HostQuota } | null;
  /** Why a planned change is skipped: usage that exceeds the package's limits. */
  readonly tooMuch: readonly TooMuch[];
}

/** Package before and after a renewal, as stored in its order. Orders from before packages existed have none. */
export interface RenewedPackage {
  readonly from?: string | null;
  readonly to?: string | null;
  /** Limits of a planned change. */
  readonly limits?: HostQuota;
}

/** Package handling of renewals: applies the planned change and records the payment. */
@Injectable()
export class PackageRenewals {
  constructor(
    private readonly planned: PlannedPackages,
    private readonly fit: PackageFit,
    private readonly payments: HostPayments,
    private readonly notices: PackageNotices,
  ) {}

  /** Returns the package for the renewal. If usage exceeds a planned package, the host is renewed with its current package and price. */
  async of(host: Pick<HostRecord, 'id' | 'package'>): Promise<RenewedAs> {
    const plan = await this.planned.of(host);
    if (!plan) return { package: host.package, planned: null, tooMuch: [] };
    const tooMuch = await this.fit.problems(host.id, plan.limits);
    if (tooMuch.length > 0) return { package: host.package, planned: null, tooMuch };
    return { package: plan.toPackage, planned: { name: plan.name, limits: plan.limits }, tooMuch };
  }

  /**
   * Returns the package change of a paid renewal.
   *
   * @throws PackageError MOVED if the package is not the one the price was computed for, DOES_NOT_FIT
   */
  async termsOf({ id, packageKey }: HostingAccount, renewed: RenewedPackage): Promise<{ packageKey?: string | null; limits?: HostQuota }> {
    const { from, to, limits } = renewed;
    if (from === undefined || to === undefined || packageKey === to) return {};
    if (packageKey !== from) throw new PackageError('MOVED');
    if (limits) await this.fit.check(id, limits);
    return { packageKey: to, ...(limits ? { limits } : {}) };
  }

  /** Records the payment in the renewal's transaction and removes an applied plan. */
  async done(payment: NewHostPayment, { limits }: RenewedPackage): Promise<void> {
    await this.payments.add(payment);
    if (limits) await this.planned.cancel(payment.hostId);
  }

  /** Notifies both sides of a renewal that was paid but not applied. */
  refused(order: Pick<OrderRecord, 'id' | 'ddh' | 'user'>, error: unknown): Promise<void> {
    return error instanceof PackageError ? this.notices.refused(order, error) : Promise.resolve();
  }
}
