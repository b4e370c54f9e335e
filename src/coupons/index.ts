import './texts.js';

export { CouponRepository, type CouponText } from './coupon-repository.js';
export { codeOf, PRODUCT } from './coupon-terms.js';
export { CouponUses, type CouponOffer } from './coupon-uses.js';
export { Coupons } from './coupons.js';
export { CouponPagesModule, CouponsModule } from './coupons.module.js';
export * from './entities/index.js';
export { CouponError, refusal } from './errors.js';
