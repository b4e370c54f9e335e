import './texts.js';

export {
  Dispatch,
  OrderPlacing,
  OrderSending,
  PAY_FILTERS,
  type PaymentFilters,
  readBuildResult,
  RETURN_COOKIE,
  returnPath,
} from './checkout/index.js';
export { DayRange, type Days, daysOf } from './day-range.js';
export * from './entities/index.js';
export * from './errors.js';
export { GatewayCalls, PaymentMethods, PaymentRegistry } from './gateways/index.js';
export { Inquiries, InquiryRepository } from './inquiries/index.js';
export { PaymentLog } from './log/index.js';
export { PaymentNotices } from './notices/index.js';
export { type NotifyTrace, RejectedNotifications, tracedNotify } from './notifications/index.js';
export { ORDER_ACCOUNTS, type OrderAccounts } from './order-operations/index.js';
export {
  adminRequestKey,
  CustomerOrders,
  noteOrderMade,
  OldOrders,
  OrderClosing,
  OrderExpiry,
  OrderHistoryRepository,
  OrderHolds,
  OrderLimits,
  OrderList,
  orderMadeReply,
  OrderNumbers,
  orderOwner,
  type OrderQuery,
  Orders,
  parsePayType,
  payPagePath,
  payType,
  sceneWords,
  UNPAID_PER_ADDRESS,
  UNPAID_PER_USER,
} from './orders/index.js';
export { PaymentPagesModule } from './payment-pages.module.js';
export { IsOrderAmount } from './payment.inputs.js';
export * from './payment.module.js';
export { REFUND_CREDIT, type RefundCredit } from './refunds/index.js';
export { SecondPayments } from './second-payments/index.js';
export { Settlement, SettlementRecord } from './settlement/index.js';
export { IncomeDays, type NetDay } from './statistics/index.js';
