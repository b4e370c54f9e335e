import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SessionService } from '../src/auth/index.js';
import { ZonedClock, type AppConfig } from '../src/config/index.js';
import type { Database } from '../src/database/index.js';
import type { CallContext } from '../src/sdk/index.js';
import { DeliveryQueue } from '../src/hooks/events/delivery-queue.js';
import { DELIVERY_SETTINGS } from '../src/hooks/index.js';
import { type DriverRegistry, ExpiryRepository, ExpirySweep, HostingAccount, UsageSweep } from '../src/hosting/index.js';
import { FIRST_EXPIRY } from '../src/hosting/expiry/expiry-repository.js';
import { HostList, type HostQuery } from '../src/hosting/operations/host-list.js';
import { BusinessNumbers } from '../src/pages/business-numbers.js';
import { IncomeDays, OrderList, type OrderQuery } from '../src/payment/index.js';
import { AgentList } from '../src/agents/registry/agent-list.js';
import { Nonces } from '../src/agents/access/nonces.js';
import { ScanList } from '../src/agents/scans/scan-list.js';
import { TaskList } from '../src/agents/tasks/task-list.js';
import { TaskQueue } from '../src/agents/index.js';
import { LogOperations } from '../src/account/log.operations.js';
import { AuditLog } from '../src/operations/index.js';

import { createTestDatabase, testEngine } from './support/database.js';
import { EntryRepository } from '../src/dns/entry-repository.js';
import { ManualClock } from './support/manual-clock.js';
import { paymentParts, type PaymentParts } from './support/payment.js';
import { mysqlPlansOf, plansOf as plansOfReads, slow } from './support/query-plans.js';

let config: AppConfig;
let database: Database;
let dispose: () => Promise<void>;
let payment: PaymentParts;
let hosts: HostList;
let orders: OrderList;
const clock = new ManualClock();

const plansOf = (work: () => Promise<unknown>): Promise<string[]> => plansOfReads(database, work);

describe.runIf(testEngine === 'sqlite')('the query plans of frequent reads', () => {
  beforeAll(async () => {
    const made = await createTestDatabase();
    ({ database, dispose } = made);
    ({ config } = made.place);
    payment = paymentParts(database, made.place.config, { clock });
  });
  afterAll(() => dispose());
  // New ones: a list with a known total does not query it.
  beforeEach(() => {
    hosts = new HostList(database);
    orders = new OrderList(database);
  });

  it('find sessions by their token', async () => {
    const sessions = new SessionService(database, clock, config);
    for (const scope of ['admin', 'user'] as const) {
      const steps = await plansOf(() => sessions.resolve(scope, 'a'.repeat(43)));
      expect(steps).toHaveLength(2);
      expect(
        steps.every((step) => /^SEARCH .* USING (INDEX|INTEGER PRIMARY KEY)/.test(step)),
        steps.join(),
      ).toBe(true);
    }
  });

  it('find orders by number and accounts by name', async () => {
    expect(await plansOf(() => payment.orders.get('20260101000000000001'))).toEqual([
      expect.stringMatching(/^SEARCH SVC_dd USING INDEX .*\(ddh=\?\)$/),
    ]);
    expect(await plansOf(() => database.repository(HostingAccount).findOneBy({ userKey: 'alice' }))).toEqual([
      expect.stringMatching(/^SEARCH .* USING INDEX .*\(user_key=\?\)$/),
    ]);
  });

  it('add up the income of days from index ranges', async () => {
    const steps = await plansOf(() => new IncomeDays(database, new ZonedClock(clock, config)).net(30));
    const reads = steps.filter((step) => step.includes('SVC_payment_transaction'));
    expect(reads).toHaveLength(30);
    for (const read of reads) expect(read).toMatch(/^SEARCH SVC_payment_transaction USING INDEX .*\(created_at>\? AND created_at<\?\)$/);
  });

  it('count business figures from index ranges', async () => {
    const days = new IncomeDays(database, new ZonedClock(clock, config));
    const business = new BusinessNumbers(database, days, { count: () => Promise.resolve(0) } as never, new ZonedClock(clock, config));
    for (const step of await plansOf(() => business.last(90)))
      expect(step).not.toMatch(/^SCAN (?!CONSTANT|\d+ CONSTANT)(?!.*USING (COVERING )?INDEX)/);
    const steps = await plansOf(() => business.last(7));
    expect(steps.filter((step) => step.includes('IX_SVC_refund_done'))).toHaveLength(7);
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH h USING COVERING INDEX IX_SVC_zj_data \(data>\?\)$/));
  });

  it('find orders to check with gateways from an index', async () => {
    expect(await plansOf(() => payment.inquiryRepository.due('epay', 60))).toEqual([
      expect.stringMatching(/^SEARCH SVC_order_inquiry USING INDEX IX_SVC_order_inquiry_due \(gateway=\? AND due_at<\?\)$/),
    ]);
  });

  it('find due records of names, and the state of those on a page, from an index', async () => {
    const repository = new EntryRepository(database, clock);
    expect(await plansOf(() => repository.due([], 50))).toEqual([
      expect.stringMatching(/^SEARCH .* USING INDEX IX_SVC_dns_record_due \(due_at<\?\)$/),
    ]);
    expect(slow(await plansOf(() => repository.byNames(['a.example.com', 'b.example.com'])))).toEqual([]);
    expect(slow(await plansOf(() => repository.page('failed', 0, 20)))).toEqual([]);
    expect(slow(await plansOf(() => repository.countFailed()))).toEqual([]);
  });

  it('find due deliveries by listener, state and time', async () => {
    const queue = new DeliveryQueue(database, clock, DELIVERY_SETTINGS);
    for (const work of [() => queue.due(['shop:order.paid:0'], 20), () => queue.nextDue(['shop:order.paid:0'], clock.now())]) {
      const steps = (await plansOf(work)).filter((step) => step.includes('SVC_event_delivery') || /^(SEARCH|SCAN) /.test(step));
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => !/^SEARCH .* USING (COVERING )?INDEX/.test(step))).toEqual([]);
    }
  });

  const page = { page: 1, limit: 20, sortOrder: 'desc' } as const;

  it.each<[string, Partial<OrderQuery>]>([
    ['by number', { sort: 'ddh' }],
    ['by user', { sort: 'user' }],
    ['by scene', { sort: 'scene' }],
    ['by state', { sort: 'qk', sortOrder: 'asc' }],
    ['of one account', { accountId: 7 }],
    ['of one state', { qk: 'paid' }],
    ['of one scene', { scene: 'hosting' }],
    ['with one number', { where: '{"name":"ddh","type":"1","value":"2026"}' }],
  ])('list orders %s from an index', async (_what, query) => {
    expect(slow(await plansOf(() => orders.page({ ...page, ...query })))).toEqual([]);
  });

  it.each<[string, Partial<HostQuery>]>([
    ['by user', { sort: 'user' }],
    ['by node', { sort: 'ssbt' }],
    ['by expiry', { sort: 'datae', sortOrder: 'asc' }],
    ['by state', { sort: 'qk' }],
    ['of one node', { nodeCode: 'bh1' }],
    ['of one state', { state: 'active' }],
    ['of one user', { search: { property: 'userKey', exact: true, value: 'alice' } }],
  ])('list accounts %s from an index', async (_what, query) => {
    expect(slow(await plansOf(() => hosts.page({ ...page, ...query, search: query.search ?? null })))).toEqual([]);
  });

  it('find expired accounts, and accounts to measure, in the order of an index', async () => {
    const unused = {} as never;
    const sweeps = [
      new ExpirySweep(database, new ZonedClock(clock, config), unused, unused),
      new UsageSweep(database, clock, unused, unused, unused, unused, unused),
    ];
    for (const sweep of sweeps)
      expect(await plansOf(() => sweep.run())).toEqual([expect.stringMatching(/^SEARCH SVC_zj USING INDEX IX_SVC_zj_(datae|usage_due) /)]);
  });

  it('find expiring hosts, pending notices to their owners and the preview, in the order of an index', async () => {
    const registry = { keeps: () => true } as unknown as DriverRegistry;
    const repository = new ExpiryRepository(database, registry, new ZonedClock(clock, config));
    for (const read of [
      () => repository.endingBy('2026-12-31', FIRST_EXPIRY, 10),
      () => repository.overBefore('2026-12-31', 30, FIRST_EXPIRY, 10),
      () => repository.comingBy('2026-12-31', 30, FIRST_EXPIRY, 10),
      () => repository.find(1),
    ]) {
      const steps = await plansOf(read);
      expect(steps[0]).toMatch(/^SEARCH h USING (INDEX IX_SVC_zj_datae|INTEGER PRIMARY KEY) /);
      expect(slow(steps)).toEqual([]);
      expect(steps.join()).not.toContain('SCAN');
    }
  });

  it('find the work of an agent, expired leases and expired nonces', async () => {
    const queue = new TaskQueue(database, clock);
    for (const work of [() => queue.claim('node-1'), () => queue.reclaimEnded(), () => queue.state('node-1', 'task_1')]) {
      const steps = await plansOf(work);
      expect(steps.filter((step) => !/^SEARCH .* USING (COVERING )?INDEX/.test(step))).toEqual([]);
    }
    expect(await new Nonces(database, clock).removeExpired()).toBe(0);
    const remove = database.resolve('EXPLAIN QUERY PLAN DELETE FROM {NodeNonce} WHERE {NodeNonce.expiresAt} < ? LIMIT 10');
    const steps = (await database.query<{ detail: string }>(remove, [1])).map(({ detail }) => detail);
    expect(
      steps.some((step) => /^SEARCH .*IX_SVC_node_nonce_expires/.test(step)),
      steps.join(),
    ).toBe(true);
  });

  it('list tasks, scans and matches from an index', async () => {
    const [tasks, scans] = [new TaskList(database, config), new ScanList(database, new ZonedClock(clock, config))];
    const later = { ...page, page: 9 };
    const filters = [{}, { nodeId: 'node-1' }, { status: 'failed' }, { nodeId: 'node-1', status: 'failed' }, { action: 'ping' }] as const;
    for (const filter of filters)
      expect([filter, slow(await plansOf(() => tasks.page(page, filter))).filter((step) => step !== 'SCAN SVC_node_task')]).toEqual([
        filter,
        [],
      ]);
    for (const filter of [{}, { nodeId: 'node-1' }, { status: 'failed' }, { nodeId: 'node-1', status: 'has_matches' }] as const) {
      expect([filter, slow(await plansOf(() => scans.scans(page, filter))).filter((step) => step !== 'SCAN SVC_forbidden_scan')]).toEqual([
        filter,
        [],
      ]);
    }
    expect(slow(await plansOf(() => scans.scans({ ...page, sort: 'created_at' }, { time: 'today' })))).toEqual([]);
    for (const [table, work] of [
      ['SVC_node_task', () => tasks.page(later, {})],
      ['SVC_forbidden_scan', () => scans.scans({ ...later, sort: 'created_at' }, {})],
    ] as const) {
      const steps = await plansOf(work);
      // The page is the outer loop: only its rows are looked up.
      expect(steps.at(steps.indexOf('SCAN page') + 1)).toMatch(new RegExp(`^SEARCH ${table} USING INTEGER PRIMARY KEY`));
    }
    expect(slow(await plansOf(() => scans.matches(page, { scanId: 1 })))).toEqual([]);
    expect(slow(await plansOf(() => scans.matchesToday()))).toEqual([]);
    // There are few nodes; the column they are sorted by changes with every heartbeat and has no index.
    expect(await plansOf(() => new AgentList(database, new ZonedClock(clock, config)).page(page, {}))).not.toContainEqual(
      expect.stringContaining('TEMP B-TREE'),
    );
  });

  it('return the newest rows in table order, and later pages from ids only', async () => {
    for (const [table, list] of [
      ['SVC_dd', (number: number) => orders.page({ ...page, page: number })],
      ['SVC_zj', (number: number) => hosts.page({ ...page, page: number, search: null })],
    ] as const) {
      // Second factors are looked up only for the rows of the page.
      const first = (await plansOf(() => list(1))).filter((step) => !/SUBQUERY|^SEARCH SVC_second_factor USING INDEX/.test(step));
      expect(first).toEqual([`SCAN ${table}`, expect.stringMatching(new RegExp(`^SCAN ${table} USING COVERING INDEX`))]);
      const later = await plansOf(() => list(9));
      // The page is the outer loop: only its rows are looked up.
      expect(later.indexOf('SCAN page')).toBeGreaterThan(-1);
      expect(later.at(later.indexOf('SCAN page') + 1)).toMatch(new RegExp(`^SEARCH ${table} USING INTEGER PRIMARY KEY`));
    }
  });
});

describe('the search of the operation log by changes', () => {
  let log: LogOperations;
  beforeAll(async () => {
    const made = await createTestDatabase();
    ({ database, dispose } = made);
    ({ config } = made.place);
    log = new LogOperations(database, new ZonedClock(clock, config));
    const audit = new AuditLog(database, clock);
    await database.transaction(async () => {
      for (let n = 0; n < 2_000; n += 1) {
        const changes = [{ of: n % 2 === 0 ? 'host' : 'server', id: String(n % 500), deed: 'changed', fields: [] }] as const;
        await audit.write({ actor: 'admin', category: 'zjxgjl', summary: 'changed', changes: n % 4 === 3 ? [] : changes });
      }
    });
    await database.run(testEngine === 'sqlite' ? 'ANALYZE' : 'ANALYZE TABLE SVC_log');
  });
  afterAll(() => dispose());

  const search = (subject: string, page = 1) => {
    const where = JSON.stringify({ name: 'zt', type: '2', value: subject });
    return log.list({ page, limit: 2, sortOrder: 'desc', where }, { locale: 'en' } as CallContext);
  };

  it.each([
    ['of one thing', 'host:12'],
    ['of things of every kind', '12'],
  ])('%s reads its lines from an index, on every page', async (_what, subject) => {
    for (const page of [1, 2]) {
      expect((await search(subject, page)).rows).toHaveLength(2);
      // A list with a known total does not query it again.
      log = new LogOperations(database, new ZonedClock(clock, config));
      if (testEngine === 'sqlite') {
        const steps = (await plansOf(() => search(subject, page))).filter((step) => step.includes('SVC_log'));
        expect(steps.length).toBeGreaterThan(1);
        expect(
          steps.filter((step) => !/^SEARCH SVC_log USING (INTEGER PRIMARY KEY|(COVERING )?INDEX IX_SVC_log_subject)/.test(step)),
        ).toEqual([]);
      } else {
        const steps = (await mysqlPlansOf(database, () => search(subject, page))).filter(({ table }) => table === 'SVC_log');
        expect(steps.length).toBeGreaterThan(1);
        expect(
          steps.filter(({ type, key }) => ['ALL', 'index'].includes(type!) || !['IX_SVC_log_subject', 'PRIMARY'].includes(key!)),
        ).toEqual([]);
      }
    }
  });
});
