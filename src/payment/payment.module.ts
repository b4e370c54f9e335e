import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';

import { Dispatch, OrderPlacing, OrderSending } from './checkout/index.js';
import { DayRange } from './day-range.js';
import {
  CurrencyChoice,
  GatewayCalls,
  GatewayOperations,
  PaymentMethods,
  PaymentRegistry,
  PaymentSettingsOperations,
} from './gateways/index.js';
import { Inquiries, InquiryRepository, InquiryOperations, InquiryRun } from './inquiries/index.js';
import { PaymentLog, PaymentLogOperations } from './log/index.js';
import { PaymentNotices } from './notices/index.js';
import { RejectedNotifications } from './notifications/index.js';
import {
  CustomerOrderOperations,
  OrderActionOperations,
  OrderDeliveryOperations,
  OrderDetailsOperations,
  OrderHistory,
  OrderMoney,
  OrderOperations,
  OrderRemovalOperations,
  OwnOrderOperations,
} from './order-operations/index.js';
import {
  CustomerOrders,
  OldOrders,
  OrderClosing,
  OrderHistoryRepository,
  OrderExpiry,
  OrderHolds,
  OrderLimits,
  OrderList,
  OrderSums,
  OrderNumbers,
  OrderRemoval,
  Orders,
} from './orders/index.js';
import { PaymentBanners } from './payment-banners.js';
import { RefundRepository, RefundOperations, Refunds } from './refunds/index.js';
import { SecondPaymentOperations, SecondPayments, SecondRefunds } from './second-payments/index.js';
import { SettlementRecord, Settlement } from './settlement/index.js';
import { IncomeDays, OrderStatisticsOperations } from './statistics/index.js';

/**
 * Gateways, orders and settlement. Requires the event outbox, the operation log of OperationsModule, the notices, `PAY_FILTERS` if
 * listeners are to be called, and `ORDER_ACCOUNTS` if orders created by name are to find their account.
 */
@Module({
  imports: [CouponsModule],
  providers: [
    CustomerOrderOperations,
    DayRange,
    CustomerOrders,
    Dispatch,
    GatewayCalls,
    GatewayOperations,
    IncomeDays,
    Inquiries,
    InquiryRepository,
    InquiryOperations,
    InquiryRun,
    OldOrders,
    OrderClosing,
    OrderActionOperations,
    OrderDeliveryOperations,
    OrderHistoryRepository,
    OrderDetailsOperations,
    CurrencyChoice,
    OrderExpiry,
    OrderHistory,
    OrderHolds,
    OrderLimits,
    OrderList,
    OrderSums,
    OrderMoney,
    OrderNumbers,
    OrderOperations,
    OrderPlacing,
    OrderRemoval,
    OrderRemovalOperations,
    OrderSending,
    OrderStatisticsOperations,
    Orders,
    OwnOrderOperations,
    PaymentBanners,
    PaymentLog,
    PaymentLogOperations,
    PaymentMethods,
    PaymentSettingsOperations,
    PaymentRegistry,
    PaymentNotices,
    RefundRepository,
    RefundOperations,
    Refunds,
    RejectedNotifications,
    SecondPaymentOperations,
    SecondPayments,
    SecondRefunds,
    Settlement,
    SettlementRecord,
  ],
  exports: [
    DayRange,
    CurrencyChoice,
    CustomerOrders,
    Dispatch,
    GatewayCalls,
    IncomeDays,
    Inquiries,
    OldOrders,
    OrderClosing,
    OrderHistoryRepository,
    OrderExpiry,
    OrderLimits,
    OrderList,
    OrderPlacing,
    OrderSending,
    Orders,
    PaymentLog,
    PaymentMethods,
    PaymentRegistry,
    RejectedNotifications,
    Settlement,
  ],
})
export class PaymentModule {}
