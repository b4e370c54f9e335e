import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';

import { DayRange } from './day-range.js';
import { CustomerOrderOperations } from './customer-order.operations.js';
import { CustomerOrders } from './customer-orders.js';
import { Dispatch } from './dispatch.js';
import { CurrencyChoice } from './currency-choice.js';
import { GatewayCalls } from './gateway-calls.js';
import { GatewayOperations } from './gateway.operations.js';
import { IncomeDays } from './income-days.js';
import { Inquiries } from './inquiries.js';
import { InquiryRepository } from './inquiry-repository.js';
import { InquiryOperations } from './inquiry.operations.js';
import { InquiryRun } from './inquiry-run.js';
import { OldOrders } from './old-orders.js';
import { OrderClosing } from './order-closing.js';
import { OrderActionOperations } from './order-actions.operations.js';
import { OrderDeliveryOperations } from './order-delivery.operations.js';
import { OrderHistoryRepository } from './order-history-repository.js';
import { OrderDetailsOperations } from './order-details.operations.js';
import { OrderExpiry } from './order-expiry.js';
import { OrderHolds } from './order-holds.js';
import { OrderHistory } from './order-history.js';
import { OrderLimits } from './order-limits.js';
import { OrderList } from './order-list.js';
import { OrderSums } from './order-sums.js';
import { OrderMoney } from './order-money.js';
import { OrderNumbers } from './order-number.js';
import { OrderOperations } from './order.operations.js';
import { OrderPlacing } from './order-placing.js';
import { OrderRemoval } from './order-removal.js';
import { OrderRemovalOperations } from './order-removal.operations.js';
import { OrderSending } from './order-sending.js';
import { OrderStatisticsOperations } from './order-statistics.operations.js';
import { Orders } from './orders.js';
import { OwnOrderOperations } from './own-order.operations.js';
import { PaymentBanners } from './payment-banners.js';
import { PaymentLog } from './payment-log.js';
import { PaymentLogOperations } from './payment-log.operations.js';
import { PaymentMethods } from './payment-methods.js';
import { PaymentRegistry } from './payment-registry.js';
import { PaymentSettingsOperations } from './payment-settings.operations.js';
import { PaymentNotices } from './payment-notices.js';
import { RefundRepository } from './refund-repository.js';
import { RefundOperations } from './refund.operations.js';
import { Refunds } from './refunds.js';
import { RejectedNotifications } from './rejected-notifications.js';
import { SecondPaymentOperations } from './second-payment.operations.js';
import { SecondPayments } from './second-payments.js';
import { SecondRefunds } from './second-refunds.js';
import { SettlementRecord } from './settlement-record.js';
import { Settlement } from './settlement.js';

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
