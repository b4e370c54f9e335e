// Cost of settling an order on SQLite, compared with the same statements on the bare driver and with TypeORM's EntityManager.
// Run: `npm run bench:settlement`.
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';

import { ormOptions } from '#dist/ormconfig.js';
import { FailureLimits, RateLimiter } from '#dist/src/auth/index.js';
import { Clock } from '#dist/src/common/index.js';
import { AppConfig, BaseUrl } from '#dist/src/config/index.js';
import { createDatabase, toSqlTime } from '#dist/src/database/index.js';
import { DurableEvent, EventDelivery, EventListener, EventOutbox } from '#dist/src/hooks/index.js';
import { AuditLog, OperationLog, OutsideLog } from '#dist/src/operations/index.js';
import { CouponUses } from '#dist/src/coupons/index.js';
import {
  Order,
  OrderHistoryRepository,
  OrderHolds,
  OrderLimits,
  OrderNumbers,
  Orders,
  PaymentLog,
  PaymentTransaction,
  PaymentNotices,
  RejectedNotifications,
  Settlement,
  SettlementRecord,
} from '#dist/src/payment/index.js';

import { formatTime, median, printBars, printTable, ratio } from './measure.mjs';
import { standIn } from './typed.mjs';

const ROUNDS = 21;
const PER_ROUND = 150;
const REACH = 1.6;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const clock = new Clock();

/** Creates a migrated file with one active listener, and enough orders to settle. */
async function place(name, synchronous) {
  const config = new AppConfig({ DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, `${name}-${synchronous}.db`)}` });
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  await database.dataSource.runMigrations();
  await database.dataSource.query(`PRAGMA synchronous = ${synchronous}`);
  await database
    .repository(EventListener)
    .save({ key: 'shop:order.paid:0', owner: 'shop', hook: 'order.paid', priority: 10, active: true });
  const orders = new Orders(database, clock, new BaseUrl(config), new OrderNumbers(config));
  const made = [];
  await database.transaction(async () => {
    for (let i = 0; i < PER_ROUND * (ROUNDS + 2); i += 1) {
      made.push(
        await orders.create({
          user: `user${i % 500}`,
          scene: 'hosting',
          name: 'Plan',
          amount: 1250,
          type: 'epay__alipay',
          context: { plan: 7, months: 1 },
        }),
      );
    }
  });
  return { config, database, orders, made };
}

async function ours(synchronous) {
  const { config, database, orders, made } = await place('ours', synchronous);
  const history = new OrderHistoryRepository(database, clock);
  const limiter = new RateLimiter(database, config, clock);
  const failures = new FailureLimits(limiter, clock);
  const rejected = new RejectedNotifications(database, clock, orders, history, failures);
  const audit = new AuditLog(database, clock);
  const settlement = new Settlement(
    database,
    clock,
    orders,
    new EventOutbox(database, clock),
    new SettlementRecord(new PaymentLog(audit, new OutsideLog(audit, failures, clock, database)), orders, history, rejected),
    new OrderHolds(new OrderLimits(limiter), new CouponUses(database, clock)),
    new PaymentNotices(standIn({ send: () => Promise.resolve(0) }), standIn({ gatewayWords: (slug) => slug })),
  );
  const settle = async (i) => {
    const { ok, already } = await settlement.settle(made[i].number, 'epay', { trade_no: `T${i}`, money: '12.50' });
    if (!ok || already) throw new Error('not settled');
  };
  return { settle, close: () => database.dataSource.destroy() };
}

const recordOf = (order) => ({
  id: order.id,
  out_trade_no: order.ddh,
  ddh: order.ddh,
  name: order.name,
  money: '12.50',
  amount: 1250,
  type: order.ff,
  scene: order.scene,
  user: order.user,
  siteurl: 'http://127.0.0.1:3000',
  notify_url: 'http://127.0.0.1:3000/pay/epay/notify',
  return_url: 'http://127.0.0.1:3000/pay/epay/return',
  context: JSON.parse(order.cs),
});
const rowOf = (order, now, trade) => ({
  ...order,
  cs: JSON.parse(order.cs),
  access_key: undefined,
  qk: 'paid',
  paid_at: now,
  gateway: 'epay',
  trade_no: trade,
});

/** Hand-written statements for a single process without any layers. */
async function raw(synchronous) {
  const { config, database, made } = await place('raw', synchronous);
  await database.dataSource.destroy();
  const handle = new Sqlite(config.sqlitePath);
  handle.pragma('journal_mode = WAL');
  handle.pragma(`synchronous = ${synchronous}`);
  handle.pragma('foreign_keys = ON');
  /** @type {Sqlite.Statement<[string], Record<string, any>>} */
  const find = handle.prepare('SELECT * FROM SVC_dd WHERE ddh = ?');
  const claim = handle.prepare("UPDATE SVC_dd SET qk = 'paid', paid_at = ? WHERE id = ? AND ff = ? AND qk IN ('unpaid', 'closed')");
  const pay = handle.prepare(
    'INSERT INTO SVC_payment_transaction (order_id, gateway, trade_no, amount, amount_checked, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const event = handle.prepare('INSERT INTO SVC_event (hook, subject, source, args, row, created_at) VALUES (?, ?, ?, ?, ?, ?)');
  const deliver = handle.prepare(
    `INSERT INTO SVC_event_delivery (event_id, listener_key, subject, priority, state, attempts, due_at)
     SELECT ?, key, ?, priority, 'pending', 0, ? FROM SVC_event_listener WHERE hook = ? AND active = 1`,
  );
  const line = handle.prepare('INSERT INTO SVC_log (czuser, date, lx, lr, ip, qk) VALUES (?, ?, ?, ?, ?, ?)');
  const apply = handle.transaction((order, trade) => {
    const now = toSqlTime(new Date());
    if (claim.run(now, order.id, order.ff).changes !== 1) throw new Error('not settled');
    pay.run(order.id, 'epay', trade, '12.50', 1, now);
    const { lastInsertRowid } = event.run(
      'order.paid',
      `order:${order.id}`,
      'epay',
      JSON.stringify([recordOf(order)]),
      JSON.stringify(rowOf(order, now, trade)),
      now,
    );
    deliver.run(lastInsertRowid, `order:${order.id}`, now, 'order.paid');
  });
  const settle = async (i) => {
    const order = find.get(made[i].number);
    apply.immediate(order, `T${i}`);
    line.run(
      '支付回调',
      toSqlTime(new Date()),
      '支付回调',
      `${order.ddh} epay 支付成功`,
      '',
      `处理成功\n${JSON.stringify({ trade_no: `T${i}`, money: '12.50' })}`,
    );
  };
  return { settle, close: async () => handle.close() };
}

/** The usual implementation in a TypeORM application. */
async function entityManager(synchronous) {
  const { database, made } = await place('manager', synchronous);
  const settle = async (i) => {
    const trade = `T${i}`;
    await database.dataSource.transaction(async (manager) => {
      const order = await manager.findOneByOrFail(Order, { number: made[i].number });
      const { affected } = await manager.update(Order, { id: order.id, status: 'unpaid' }, { status: 'paid', paidAt: new Date() });
      if (affected !== 1) throw new Error('not settled');
      const now = new Date();
      await manager.insert(PaymentTransaction, {
        orderId: order.id,
        gateway: 'epay',
        tradeNumber: trade,
        amount: 1250,
        amountChecked: true,
        createdAt: now,
      });
      const subject = `order:${order.id}`;
      const event = await manager.save(
        manager.create(DurableEvent, {
          hook: 'order.paid',
          subject,
          source: 'epay',
          args: [{ ...order }],
          row: { ...order },
          createdAt: now,
        }),
      );
      for (const listener of await manager.findBy(EventListener, { hook: 'order.paid', active: true })) {
        await manager.insert(EventDelivery, {
          eventId: event.id,
          listenerKey: listener.key,
          subject,
          priority: listener.priority,
          state: 'pending',
          attempts: 0,
          dueAt: now,
        });
      }
    });
    await database.dataSource.manager.insert(OperationLog, {
      actor: '支付回调',
      createdAt: new Date(),
      category: '支付回调',
      summary: `${made[i].number} epay 支付成功`,
      ip: '',
      outcome: '处理成功',
    });
  };
  return { settle, close: () => database.dataSource.destroy() };
}

async function compare(synchronous) {
  const candidates = [
    { name: 'better-sqlite3, same statements', ...(await raw(synchronous)), rounds: [] },
    { name: 'Settlement.settle', ...(await ours(synchronous)), rounds: [] },
    { name: 'TypeORM EntityManager', ...(await entityManager(synchronous)), rounds: [] },
  ];
  // All take turns within every round, so that a slow moment of the machine affects them alike; two rounds of warm-up.
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    for (const candidate of round % 2 ? [...candidates].reverse() : candidates) {
      const start = process.hrtime.bigint();
      for (let i = round * PER_ROUND; i < (round + 1) * PER_ROUND; i += 1) await candidate.settle(i);
      if (round >= 2) candidate.rounds.push(Number(process.hrtime.bigint() - start) / PER_ROUND);
    }
  }
  for (const candidate of candidates) await candidate.close();
  const [baseline] = candidates;
  printTable(
    [`synchronous=${synchronous}: order to paid with event, delivery and log line`, 'each', 'x driver'],
    candidates.map((candidate) => [candidate.name, formatTime(median(candidate.rounds)), ratio(candidate, baseline).toFixed(2)]),
  );
  return ratio(candidates[1], baseline);
}

// The panel settles with FULL: the driver does the same here, including the log line.
const full = await compare('FULL');
rmSync(folder, { recursive: true, force: true });
printBars([{ claim: 'settling, synchronous=FULL', value: full, limit: REACH, unit: 'x' }]);
