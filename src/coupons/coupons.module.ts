import { Global, Module } from '@nestjs/common';

import { CouponRepository } from './coupon-repository.js';
import { CouponProducts } from './coupon-products.js';
import { CouponUses } from './coupon-uses.js';
import { CouponOperations } from './coupon.operations.js';
import { CouponPages } from './coupon.pages.js';
import { Coupons } from './coupons.js';

/** Coupon discounts and their uses. */
@Global()
@Module({ providers: [Coupons, CouponUses, CouponRepository, CouponOperations], exports: [Coupons, CouponUses, CouponRepository] })
export class CouponsModule {}

/** The reseller's pages; separate from the services, which also work outside of requests. */
@Module({ imports: [CouponsModule], providers: [CouponProducts], controllers: [CouponPages] })
export class CouponPagesModule {}
