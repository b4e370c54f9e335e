import { Injectable } from '@nestjs/common';

import type { HostingAccount } from '../hosting/index.js';
import type { HostQuota, HostRecord, OrderRecord } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments, type NewHostPayment } from './host-payments.js';
import { PackageFit, type TooMuch } from './package-fit.js';
import { PackageNotices } from './package-notices.js';
import { PlannedPackages } from './planned-packages.js';

/** As what a host is renewed now. */
export interface RenewedAs {
  /** Key of the package whose price counts; null for none. */
  readonly package: string | null;
  /** What it becomes with the renewal; null: it stays as it is. */
  readonly planned: { readonly name: string; readonly limits: HostQuota } | null;
  /** Why a change that is planned is not made with the renewal: what the host uses more of than the package has. */
  readonly tooMuch: readonly TooMuch[];
}

/** Package of a host before and after a renewal, as its order keeps it. Orders of before there were packages keep none. */
export interface RenewedPackage {
  readonly from?: string | null;
  readonly to?: string | null;
  /** Of a change that was planned. */
  readonly limits?: HostQuota;
}

/** What renewals have to do with packages: the planned change is made with them, and what was paid counts for the next one. */
@Injectable()
export class PackageRenewals {
  constructor(
    private readonly planned: PlannedPackages,
    private readonly fit: PackageFit,
    private readonly payments: HostPayments,
    private readonly notices: PackageNotices,
  ) {}

  /** A planned package the host does not fit into now is not its price either: it is renewed as what it is. */
  async of(host: Pick<HostRecord, 'id' | 'package'>): Promise<RenewedAs> {
    const plan = await this.planned.of(host);
    if (!plan) return { package: host.package, planned: null, tooMuch: [] };
    const tooMuch = await this.fit.problems(host.id, plan.limits);
    if (tooMuch.length > 0) return { package: host.package, planned: null, tooMuch };
    return { package: plan.toPackage, planned: { name: plan.name, limits: plan.limits }, tooMuch };
  }

  /**
   * What a renewal that was paid makes of the package of a host.
   *
   * @throws PackageError MOVED where it is another one than the price was computed from, DOES_NOT_FIT
   */
  async termsOf({ id, packageKey }: HostingAccount, renewed: RenewedPackage): Promise<{ packageKey?: string | null; limits?: HostQuota }> {
    const { from, to, limits } = renewed;
    if (from === undefined || to === undefined || packageKey === to) return {};
    if (packageKey !== from) throw new PackageError('MOVED');
    if (limits) await this.fit.check(id, limits);
    return { packageKey: to, ...(limits ? { limits } : {}) };
  }

  /** Writes down what was paid, in the transaction of the renewal; a change that was made is not planned any more. */
  async done(payment: NewHostPayment, { limits }: RenewedPackage): Promise<void> {
    await this.payments.add(payment);
    if (limits) await this.planned.cancel(payment.hostId);
  }

  /** Tells both sides of a renewal that was paid and not made. */
  refused(order: Pick<OrderRecord, 'id' | 'ddh' | 'user'>, error: unknown): Promise<void> {
    return error instanceof PackageError ? this.notices.refused(order, error) : Promise.resolve();
  }
}
