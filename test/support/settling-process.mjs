// Process that settles orders with the compiled code: sends "ready", waits for "go", and sends its results.
import '../../dist/src/config/timezone.js';
import 'reflect-metadata';

import { ormOptions } from '../../dist/ormconfig.js';
import { FailureLimits, RateLimiter } from '../../dist/src/auth/index.js';
import { Clock } from '../../dist/src/common/index.js';
import { AppConfig, BaseUrl } from '../../dist/src/config/index.js';
import { createDatabase } from '../../dist/src/database/index.js';
import { EventOutbox } from '../../dist/src/hooks/index.js';
import { AuditLog } from '../../dist/src/operations/index.js';
import { CouponUses } from '../../dist/src/coupons/index.js';
import {
  OrderHistoryRepository,
  OrderHolds,
  OrderLimits,
  OrderNumbers,
  Orders,
  PaymentLog,
  PaymentNotices,
  RejectedNotifications,
  Settlement,
  SettlementRecord,
} from '../../dist/src/payment/index.js';

const config = new AppConfig();
const database = createDatabase(ormOptions(config));
await database.dataSource.initialize();
const clock = new Clock();
const orders = new Orders(database, clock, new BaseUrl(config), new OrderNumbers(config));
const history = new OrderHistoryRepository(database, clock);
const limiter = new RateLimiter(database, config, clock);
const rejected = new RejectedNotifications(database, clock, orders, history, new FailureLimits(limiter, clock));
const settlement = new Settlement(
  database,
  clock,
  orders,
  new EventOutbox(database, clock),
  new SettlementRecord(new PaymentLog(new AuditLog(database, clock)), orders, history, rejected),
  new OrderHolds(new OrderLimits(limiter), new CouponUses(database, clock)),
  new PaymentNotices({ tell: () => Promise.resolve(0) }, { gatewayWords: (slug) => slug }),
);

process.once('message', async (/** @type {{ number: string, gateway: string, extra: object }[]} */ calls) => {
  const results = await Promise.all(calls.map(({ number, gateway, extra }) => settlement.settle(number, gateway, extra)));
  await database.dataSource.destroy();
  process.send?.(results, () => process.disconnect());
});
process.send?.('ready');
