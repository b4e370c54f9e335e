import { AppError, type ErrorShape } from '../common/index.js';

/** Codes of {@link PaymentError}. */
export type PaymentErrorCode =
  | 'ORDER_NOT_FOUND'
  | 'ORDER_INVALID'
  | 'ORDER_NOT_UNPAID'
  | 'ORDER_WAS_PAID'
  | 'ORDER_MAY_BE_PAID'
  | 'NOTHING_DELETED'
  | 'NOTHING_TO_DELIVER'
  | 'METHOD_NOT_OFFERED'
  | 'GATEWAY_NOT_NOW'
  | 'TOO_MANY_UNPAID'
  | 'ORDER_NUMBER_TAKEN'
  | 'SECOND_PAYMENT_NOT_FOUND'
  | 'SEARCH_MODE_UNKNOWN'
  | 'SEARCH_FIELD_UNKNOWN'
  | 'METHODS_MALFORMED'
  | 'METHOD_LIMITS'
  | 'METHOD_AMOUNT'
  | 'METHODS_TOO_MANY'
  | 'CURRENCY_FIXED'
  | 'NOT_REFUNDABLE'
  | 'REFUND_TOO_MUCH'
  | 'REFUND_BY_HAND'
  | 'REFUND_NO_CREDIT'
  | 'REFUND_SPENT'
  | 'REFUND_NOT_FOUND'
  | 'REFUND_KNOWN'
  | 'REFUND_ASKED'
  | 'NOTIFICATION_NOT_FOUND'
  | 'NOTHING_TO_ASK'
  | 'ASKED_JUST_NOW'
  | 'RANGE_MALFORMED'
  | 'GATEWAY_OFF'
  | 'GATEWAY_CANNOT'
  | 'GATEWAY_SILENT'
  | 'GATEWAY_FAILED';

const ERROR_MAP: Record<PaymentErrorCode, ErrorShape> = {
  ORDER_NOT_FOUND: { err: 'E_NOTEXIST', text: 'payment.order_not_found' },
  ORDER_NOT_UNPAID: { err: 'E_STATE', text: 'payment.order_not_unpaid' },
  ORDER_WAS_PAID: { err: 'E_STATE', text: 'payment.order_was_paid' },
  ORDER_MAY_BE_PAID: { err: 'E_STATE', text: 'payment.order_may_be_paid' },
  NOTHING_DELETED: { err: 'E_STATE', text: 'payment.nothing_deleted' },
  NOTHING_TO_DELIVER: { err: 'E_STATE', text: 'payment.nothing_to_deliver' },
  METHOD_NOT_OFFERED: { err: 'E_ARGS', text: 'payment.method_not_offered' },
  GATEWAY_NOT_NOW: { err: 'E_PAY', text: 'payment.gateway_not_now' },
  ORDER_INVALID: { err: 'E_ARGS', text: 'payment.order_invalid' },
  TOO_MANY_UNPAID: { err: 'E_LIMIT', text: 'payment.too_many_unpaid', status: 429 },
  ORDER_NUMBER_TAKEN: { err: 'E_BUSY', text: 'payment.order_number_taken' },
  SECOND_PAYMENT_NOT_FOUND: { err: 'E_NOTEXIST', text: 'payment.second_payment_not_found' },
  SEARCH_MODE_UNKNOWN: { err: 'E_ARGS', text: 'payment.search_mode_unknown' },
  SEARCH_FIELD_UNKNOWN: { err: 'E_ARGS', text: 'payment.search_field_unknown' },
  METHODS_MALFORMED: { err: 'E_ARGS', text: 'payment.methods_malformed' },
  METHOD_LIMITS: { err: 'E_ARGS', text: 'payment.method_limits' },
  METHOD_AMOUNT: { err: 'E_ARGS', text: 'payment.method_amount' },
  METHODS_TOO_MANY: { err: 'E_LIMIT', text: 'payment.methods_too_many' },
  CURRENCY_FIXED: { err: 'E_STATE', text: 'payment.currency_fixed' },
  NOT_REFUNDABLE: { err: 'E_STATE', text: 'payment.not_refundable' },
  REFUND_TOO_MUCH: { err: 'E_ARGS', text: 'payment.field.refund_too_much' },
  REFUND_BY_HAND: { err: 'E_STATE', text: 'payment.refund_by_hand' },
  REFUND_NO_CREDIT: { err: 'E_STATE', text: 'payment.refund_no_credit' },
  REFUND_SPENT: { err: 'E_STATE', text: 'payment.refund_spent' },
  REFUND_NOT_FOUND: { err: 'E_NOTEXIST', text: 'payment.refund_not_found' },
  REFUND_KNOWN: { err: 'E_STATE', text: 'payment.refund_known' },
  NOTIFICATION_NOT_FOUND: { err: 'E_NOTEXIST', text: 'payment.notification_not_found' },
  NOTHING_TO_ASK: { err: 'E_STATE', text: 'payment.nothing_to_ask' },
  ASKED_JUST_NOW: { err: 'E_BUSY', text: 'payment.asked_just_now' },
  RANGE_MALFORMED: { err: 'E_ARGS', text: 'payment.field.range' },
  REFUND_ASKED: { err: 'E_BUSY', text: 'payment.refund_asked' },
  GATEWAY_OFF: { err: 'E_NOTEXIST', text: 'payment.gateway_off' },
  GATEWAY_CANNOT: { err: 'E_STATE', text: 'payment.gateway_cannot' },
  GATEWAY_SILENT: { err: 'E_BUSY', text: 'payment.gateway_silent' },
  GATEWAY_FAILED: { err: 'E_UNREACH', text: 'payment.gateway_failed' },
};

/** A rejected payment operation. */
export class PaymentError extends AppError<PaymentErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
