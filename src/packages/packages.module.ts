import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';
import { PaymentModule } from '../payment/index.js';

import { CouponChanges } from './coupon-changes.js';
import { HostPayments } from './host-payments.js';
import { PackageAssignment } from './package-assignment.js';
import { PackageChanges } from './package-changes.js';
import { PackageDelivery } from './package-delivery.js';
import { PackageFit } from './package-fit.js';
import { PackageNotices } from './package-notices.js';
import { PackageOffers } from './package-offers.js';
import { PackageOrders } from './package-orders.js';
import { PackageRenewals } from './package-renewals.js';
import { PackageOperations } from './package.operations.js';
import { PackagePages } from './package.pages.js';
import { PlannedPackages } from './planned-packages.js';
import { StaleOrders } from './stale-orders.js';

/** Packages of hosts, and package changes by orders and renewals. */
@Module({
  imports: [PaymentModule, CouponsModule],
  controllers: [PackagePages],
  exports: [HostPayments, PackageOrders, PackageRenewals],
  providers: [
    CouponChanges,
    HostPayments,
    PackageAssignment,
    PackageChanges,
    PackageDelivery,
    PackageFit,
    PackageNotices,
    PackageOffers,
    PackageOperations,
    PackageOrders,
    PackageRenewals,
    PlannedPackages,
    StaleOrders,
  ],
})
export class PackagesModule {}
