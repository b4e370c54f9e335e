import { Clock } from '../../src/common/index.js';
import { BaseUrl, ZonedClock, type AppConfig } from '../../src/config/index.js';
import { Generations, type Database } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { EventDeliveries, EventOutbox } from '../../src/hooks/index.js';
import { FailureLimits, RateLimiter } from '../../src/auth/index.js';
import type { Notices } from '../../src/notify/index.js';
import { AuditLog, OutsideLog } from '../../src/operations/index.js';
import { CouponRepository, Coupons, CouponUses } from '../../src/coupons/index.js';
import {
  Dispatch,
  GatewayCalls,
  Inquiries,
  InquiryRepository,
  OrderClosing,
  OrderHistoryRepository,
  OrderExpiry,
  OrderHolds,
  OrderLimits,
  OrderList,
  OrderNumbers,
  OrderPlacing,
  OrderSending,
  Orders,
  PaymentLog,
  PaymentMethods,
  PaymentRegistry,
  PaymentNotices,
  RejectedNotifications,
  SecondPayments,
  Settlement,
  SettlementRecord,
  type OrderAccounts,
  type PaymentFilters,
} from '../../src/payment/index.js';
import { OrderDetailsOperations } from '../../src/payment/order-operations/order-details.operations.js';
import { CurrencyChoice } from '../../src/payment/gateways/currency-choice.js';
import { OrderHistory } from '../../src/payment/order-operations/order-history.js';
import { OrderMoney } from '../../src/payment/order-operations/order-money.js';
import { OwnOrderOperations } from '../../src/payment/order-operations/own-order.operations.js';
import { RefundRepository } from '../../src/payment/refunds/refund-repository.js';
import { Refunds } from '../../src/payment/refunds/refunds.js';
import { OrderOperations } from '../../src/payment/order-operations/order.operations.js';
import { PaymentSettingsOperations } from '../../src/payment/gateways/payment-settings.operations.js';
import { SecondPaymentOperations } from '../../src/payment/second-payments/second-payment.operations.js';
import { SecondRefunds } from '../../src/payment/second-payments/second-refunds.js';
import { SiteSettings } from '../../src/site/index.js';

/** Services of the payment module on a real database. */
export interface PaymentParts {
  baseUrl: BaseUrl;
  closing: OrderClosing;
  coupons: CouponRepository;
  history: OrderHistoryRepository;
  own: OwnOrderOperations;
  details: OrderDetailsOperations;
  dispatch: Dispatch;
  inquiries: Inquiries;
  inquiryRepository: InquiryRepository;
  calls: GatewayCalls;
  expiry: OrderExpiry;
  list: OrderList;
  notices: PaymentNotices;
  methods: PaymentMethods;
  operations: OrderOperations;
  orders: Orders;
  placing: OrderPlacing;
  paymentLog: PaymentLog;
  registry: PaymentRegistry;
  refundRepository: RefundRepository;
  rejected: RejectedNotifications;
  refunds: Refunds;
  secondPayments: SecondPayments;
  secondPaymentOperations: SecondPaymentOperations;
  /** Not started; specs that need it start it. */
  settings: SiteSettings;
  settingsOperations: PaymentSettingsOperations;
  settlement: Settlement;
}

/** Notices that are never sent. */
const nobody = { tell: () => Promise.resolve(0) } as unknown as Notices;

/** Creates the services as the module does, without the rest of the product. */
export function paymentParts(
  database: Database,
  config: AppConfig,
  replaced: { clock?: Clock; numbers?: OrderNumbers; filters?: PaymentFilters; accounts?: OrderAccounts; notices?: Notices } = {},
): PaymentParts {
  const clock = replaced.clock ?? new Clock();
  const baseUrl = new BaseUrl(config);
  const registry = new PaymentRegistry();
  const orders = new Orders(database, clock, baseUrl, replaced.numbers ?? new OrderNumbers(config));
  const list = new OrderList(database);
  const settings = new SiteSettings(database, new Generations(database));
  // Default settings, until a spec starts the service or changes a setting.
  Object.assign(settings, { row: Object.assign(new SiteConfig(), { payMethods: [], payGateways: null }) });
  const methods = new PaymentMethods(settings, registry);
  const outbox = new EventOutbox(database, clock);
  const history = new OrderHistoryRepository(database, clock);
  const closing = new OrderClosing(database, orders, history, outbox, new CouponUses(database, clock), clock);
  const expiry = new OrderExpiry(database, clock, closing, settings);
  const notices = new PaymentNotices(replaced.notices ?? nobody, methods);
  const secondPayments = new SecondPayments(database, clock, notices);
  const refundRepository = new RefundRepository(database, clock, notices);
  const calls = new GatewayCalls(registry, orders, baseUrl);
  const limiter = new RateLimiter(database, config, clock);
  const audit = new AuditLog(database, clock);
  const paymentLog = new PaymentLog(audit, new OutsideLog(audit, new FailureLimits(limiter, clock), clock, database));
  const inquiryRepository = new InquiryRepository(database, clock);
  const dispatch = new Dispatch(orders, methods, paymentLog, history, inquiryRepository, replaced.filters);
  const rejected = new RejectedNotifications(database, clock, orders, history, new FailureLimits(limiter, clock));
  const settlement = new Settlement(
    database,
    clock,
    orders,
    outbox,
    new SettlementRecord(paymentLog, orders, history, rejected),
    new OrderHolds(new OrderLimits(limiter), new CouponUses(database, clock)),
    notices,
  );
  return {
    baseUrl,
    calls,
    inquiries: new Inquiries(database, inquiryRepository, calls, orders, settlement, history),
    inquiryRepository,
    closing,
    coupons: new CouponRepository(database, clock),
    placing: new OrderPlacing(
      database,
      orders,
      settlement,
      new Coupons(database, new ZonedClock(clock, config), limiter),
      new CouponUses(database, clock),
    ),
    history,
    details: new OrderDetailsOperations(
      config,
      orders,
      methods,
      new OrderMoney(database, secondPayments, refundRepository, inquiryRepository),
      calls,
      new OrderHistory(history, methods, config),
      new EventDeliveries(database),
    ),
    dispatch,
    own: new OwnOrderOperations(orders, closing, new OrderSending(methods, dispatch)),
    expiry,
    list,
    methods,
    notices,
    operations: new OrderOperations(database, config, orders, list, methods, replaced.accounts),
    orders,
    paymentLog,
    registry,
    refundRepository,
    rejected,
    refunds: new Refunds(refundRepository, calls, orders, database),
    secondPayments,
    secondPaymentOperations: new SecondPaymentOperations(
      config,
      secondPayments,
      new SecondRefunds(database, clock, orders, calls, notices),
      methods,
    ),
    settings,
    settingsOperations: new PaymentSettingsOperations(methods, registry, expiry, new CurrencyChoice(database, settings)),
    settlement,
  };
}
