import { Global, Module } from '@nestjs/common';

import { CouponRepository } from './coupon-repository.js';
import { CouponProducts } from './coupon-products.js';
import { CouponUses } from './coupon-uses.js';
import { CouponOperations } from './coupon.operations.js';
import { CouponPages } from './coupon.pages.js';
import { Coupons } from './coupons.js';

/** What coupons take off, and who has used them. */
@Global()
@Module({ providers: [Coupons, CouponUses, CouponRepository, CouponOperations], exports: [Coupons, CouponUses, CouponRepository] })
export class CouponsModule {}

/** The reseller's pages of it. Apart from its other parts, which work without any request. */
@Module({ imports: [CouponsModule], providers: [CouponProducts], controllers: [CouponPages] })
export class CouponPagesModule {}
