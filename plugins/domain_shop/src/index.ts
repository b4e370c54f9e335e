import { Module } from '@nestjs/common';

import { BindingOperations } from './binding-operations.js';
import { Buyers } from './buyers.js';
import { Checkout } from './checkout.js';
import { Delivery } from './delivery.js';
import { Mine } from './mine.js';
import { Offers } from './offers.js';
import { Renewals } from './renewals.js';
import { Sales } from './sales.js';
import { SalesAdmin } from './sales-admin.js';
import { shopDatabase } from './shop-database.js';
import { Showing } from './showing.js';
import { StatusPage } from './status-page.js';
import { Storefront } from './storefront.js';
import { ZoneOperations } from './zone-operations.js';

/** Sells subdomains of the reseller's domains: public list, orders, delivery in `order.paid`, renewals. */
@Module({
  providers: [
    shopDatabase,
    Sales,
    Buyers,
    Offers,
    Checkout,
    Showing,
    Delivery,
    Storefront,
    Renewals,
    StatusPage,
    Mine,
    BindingOperations,
    ZoneOperations,
    SalesAdmin,
  ],
})
export default class DomainShopModule {}
