// A process of its own that settles orders on the compiled code: says "ready", waits for "go", answers with its results.
import '../../dist/src/config/timezone.js';
import 'reflect-metadata';

import { ormOptions } from '../../dist/ormconfig.js';
import { RateLimiter } from '../../dist/src/auth/index.js';
import { Clock } from '../../dist/src/common/index.js';
import { AppConfig, BaseUrl } from '../../dist/src/config/index.js';
import { createDatabase } from '../../dist/src/database/index.js';
import { EventOutbox } from '../../dist/src/hooks/index.js';
import { AuditLog } from '../../dist/src/operations/index.js';
import {
  OrderDeeds,
  OrderLimits,
  OrderNumbers,
  Orders,
  PaymentLog,
  PaymentNotices,
  Settlement,
  SettlementRecord,
} from '../../dist/src/payment/index.js';

const config = new AppConfig();
const database = createDatabase(ormOptions(config));
await database.dataSource.initialize();
const clock = new Clock();
const orders = new Orders(database, clock, new BaseUrl(config), new OrderNumbers(config));
const settlement = new Settlement(
  database,
  clock,
  orders,
  new EventOutbox(database, clock),
  new SettlementRecord(new PaymentLog(new AuditLog(database, clock)), orders, new OrderDeeds(database, clock)),
  new OrderLimits(new RateLimiter(database, config, clock)),
  new PaymentNotices({ tell: () => Promise.resolve(0) }),
);

process.once('message', async (/** @type {{ number: string, gateway: string, extra: object }[]} */ calls) => {
  const results = await Promise.all(calls.map(({ number, gateway, extra }) => settlement.settle(number, gateway, extra)));
  await database.dataSource.destroy();
  process.send?.(results, () => process.disconnect());
});
process.send?.('ready');
