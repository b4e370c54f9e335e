import { AppError, type ErrorShape } from '../common/index.js';

/** Why a coupon was rejected. Codes that begin with `COUPON_` are for buyers. */
export type CouponErrorCode =
  | 'COUPON_UNKNOWN'
  | 'COUPON_OFF'
  | 'COUPON_NOT_YET'
  | 'COUPON_OVER'
  | 'COUPON_USED_UP'
  | 'COUPON_USED_BY_YOU'
  | 'COUPON_SIGN_IN'
  | 'COUPON_OTHER_PRODUCT'
  | 'COUPON_TOO_SMALL'
  | 'COUPON_CHANGED'
  | 'COUPON_TRIES'
  | 'COUPON_NOT_HERE'
  | 'COUPON_LATER'
  | 'MISSING'
  | 'CODE_TAKEN'
  | 'WAS_USED'
  | 'VALUE_WRONG'
  | 'DAYS_WRONG'
  | 'PRODUCTS_WRONG';

const ERROR_MAP: Record<CouponErrorCode, ErrorShape> = {
  COUPON_UNKNOWN: { err: 'E_NOTEXIST', text: 'coupons.unknown' },
  COUPON_OFF: { err: 'E_DISABLED', text: 'coupons.off' },
  COUPON_NOT_YET: { err: 'E_STATE', text: 'coupons.not_yet' },
  COUPON_OVER: { err: 'E_STATE', text: 'coupons.over' },
  COUPON_USED_UP: { err: 'E_LIMIT', text: 'coupons.used_up' },
  COUPON_USED_BY_YOU: { err: 'E_LIMIT', text: 'coupons.used_by_you' },
  COUPON_SIGN_IN: { err: 'E_STATE', text: 'coupons.sign_in' },
  COUPON_OTHER_PRODUCT: { err: 'E_ARGS', text: 'coupons.other_product' },
  COUPON_TOO_SMALL: { err: 'E_ARGS', text: 'coupons.too_small' },
  COUPON_CHANGED: { err: 'E_CONFLICT', text: 'coupons.changed' },
  COUPON_TRIES: { err: 'E_RATE', text: 'coupons.tries', status: 429 },
  COUPON_LATER: { err: 'E_ARGS', text: 'coupons.later' },
  COUPON_NOT_HERE: { err: 'E_ARGS', text: 'coupons.not_here' },
  MISSING: { err: 'E_NOTEXIST', text: 'coupons.missing' },
  CODE_TAKEN: { err: 'E_EXISTS', text: 'coupons.code_taken' },
  WAS_USED: { err: 'E_INUSE', text: 'coupons.was_used' },
  VALUE_WRONG: { err: 'E_ARGS', text: 'coupons.value_wrong' },
  DAYS_WRONG: { err: 'E_ARGS', text: 'coupons.days_wrong' },
  PRODUCTS_WRONG: { err: 'E_ARGS', text: 'coupons.products_wrong' },
};

/** A rejected coupon. */
export class CouponError extends AppError<CouponErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Creates an error that is shown to the buyer next to the coupon field. */
export function refusal(code: CouponErrorCode, params: Record<string, string | number> = {}): CouponError {
  const { text } = ERROR_MAP[code];
  return new CouponError(code, params, { yhq: { key: text, params } });
}
