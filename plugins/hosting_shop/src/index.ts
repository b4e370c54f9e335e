import { Module } from '@nestjs/common';
import { SVC_FACADE } from '@svc/sdk';

import { AccountNames } from './account-names.js';
import { Carts } from './carts.js';
import { Checkout } from './checkout.js';
import { CouponPrices } from './coupon-prices.js';
import { Credentials } from './credentials.js';
import { EffectiveLimits } from './effective-limits.js';
import { Extras } from './extras.js';
import { Holds } from './holds.js';
import { Mine } from './mine.js';
import { Ordering } from './ordering.js';
import { PlanAdmin } from './plan-admin.js';
import { PlanOffers } from './plan-offers.js';
import { Plans } from './plans.js';
import { Provisioning } from './provisioning.js';
import { SalesAdmin } from './sales-admin.js';
import { Seats } from './seats.js';
import { Shares } from './shares.js';
import { ShopAdmin } from './shop-admin.js';
import { ShopApi } from './shop-api.js';
import { shopDatabase } from './shop-database.js';
import { ShopOrders } from './shop-orders.js';
import { StatusPage } from './status-page.js';
import { Storefront } from './storefront.js';
import { UnpaidPurchases } from './unpaid-purchases.js';

/** Sells hosting plans: a public shop, orders, and accounts opened in `order.paid`. */
@Module({
  providers: [
    shopDatabase,
    { provide: Credentials, inject: [SVC_FACADE], useFactory: Credentials.load },
    Plans,
    EffectiveLimits,
    Extras,
    Shares,
    Seats,
    ShopOrders,
    Holds,
    AccountNames,
    Carts,
    Checkout,
    CouponPrices,
    Provisioning,
    Ordering,
    PlanOffers,
    Storefront,
    StatusPage,
    Mine,
    ShopApi,
    ShopAdmin,
    PlanAdmin,
    SalesAdmin,
    UnpaidPurchases,
  ],
})
export default class HostingShopModule {}
