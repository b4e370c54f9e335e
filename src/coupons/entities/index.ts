export * from './coupon-share.entity.js';
export * from './coupon-use.entity.js';
export * from './coupon.entity.js';
