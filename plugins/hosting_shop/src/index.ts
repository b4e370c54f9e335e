import { Module } from '@nestjs/common';
import { SVC_FACADE } from '@svc/sdk';

import { Credentials } from './credentials.js';
import { Plans } from './plans.js';
import { Provisioning } from './provisioning.js';
import { Renewals } from './renewals.js';
import { ShopAdmin } from './shop-admin.js';
import { shopDatabase } from './shop-database.js';
import { ShopOrders } from './shop-orders.js';
import { Storefront } from './storefront.js';
import { UnpaidPurchases } from './unpaid-purchases.js';

/** Sells hosting plans: a public shop, orders, and the account opened in `order.paid`. */
@Module({
  providers: [
    shopDatabase,
    { provide: Credentials, inject: [SVC_FACADE], useFactory: Credentials.load },
    Plans,
    ShopOrders,
    ShopAdmin,
    Provisioning,
    Renewals,
    Storefront,
    UnpaidPurchases,
  ],
})
export default class HostingShopModule {}
