import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { FakeDriver, type FakeOutcome } from '../../../test/support/fake-driver.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { AppError } from '../../common/index.js';
import { Session } from '../../auth/index.js';
import { DurableEvent } from '../../hooks/index.js';
import { AccountRecovery, DriverRegistry, ExpirySweep, HostingAccount, HostingService, UsageSweep } from '../index.js';

let hosting: TestHosting;
let service: HostingService;
let recovery: AccountRecovery;
const driver = new FakeDriver();

beforeAll(async () => {
  hosting = await createTestHosting();
  hosting.app.get(DriverRegistry).register(driver);
  service = hosting.app.get(HostingService);
  recovery = hosting.app.get(AccountRecovery);
});
afterAll(() => hosting.dispose());

const accounts = () => hosting.database.repository(HostingAccount);
const request = (user: string, more: object = {}) => ({ node: 'fake1', user, password: 'secret-1', expiresOn: null, ...more });

async function clean(): Promise<void> {
  await accounts().createQueryBuilder().delete().execute();
  await hosting.database.repository(DurableEvent).createQueryBuilder().delete().execute();
  driver.sites.clear();
  driver.vanished.clear();
  passwords.clear();
  driver.script = [];
  driver.calls.length = 0;
}
beforeEach(clean);

/** Possible passwords of a site on the server: the known one first, then those set with an unknown outcome. */
const passwords = new Map<number, string[]>();

/** Runs the recovery with a healthy server until nothing is left to recover. */
async function recoverAll(): Promise<void> {
  driver.script = [];
  for (let round = 0; round < 5; round += 1) if ((await recovery.recoverUnfinished()) === 0) return;
  throw new Error('Something is never recovered.');
}

/** Fills the site and runs a measurement. */
async function use(id: number, megabytes: number): Promise<void> {
  const row = await accounts().findOneBy({ id });
  const site = row && driver.sites.get(row.siteName);
  if (site) site.usage = { web: megabytes * 1024 ** 2 };
  await hosting.app.get(UsageSweep).measure(id);
}

async function changePassword(id: number, password: string): Promise<void> {
  const maybe = [...(passwords.get(id) ?? ['secret-1']), password];
  try {
    await service.changePassword(id, password);
    passwords.set(id, [password]);
  } catch (error) {
    passwords.set(id, maybe);
    throw error;
  }
}

/** Returns the state of every host according to the events. */
async function toldByEvents() {
  const hosts = new Map<number, { running: boolean; expiresOn: string }>();
  for (const { hook, args } of await hosting.events()) {
    const id = args[1] as number;
    const host = hosts.get(id);
    if (hook === 'host.created') {
      expect(host).toBeUndefined();
      hosts.set(id, { running: true, expiresOn: '0000-00-00' });
      continue;
    }
    expect(host, `${hook} of a host that does not exist`).toBeDefined();
    if (hook === 'host.deleted') hosts.delete(id);
    else if (hook === 'host.renewed') host!.expiresOn = args[2] as string;
    else {
      expect(host!.running, `${hook} twice`).toBe(hook === 'host.paused');
      host!.running = hook === 'host.unpaused';
    }
  }
  return hosts;
}

async function expectAgreement(): Promise<void> {
  const rows = await accounts().find();
  const told = await toldByEvents();
  expect([...told.keys()].sort()).toEqual(rows.map((row) => row.id).sort());
  const there = rows.filter((row) => !driver.vanished.has(row.siteName));
  expect([...driver.sites.keys()].sort()).toEqual(there.map((row) => row.siteName).sort());
  for (const row of rows) {
    expect(row.claimedUntil).toBeNull();
    expect(['active', 'paused']).toContain(row.state);
    const running = row.state === 'active';
    expect(running).toBe(row.pauseReasons.length === 0);
    expect(told.get(row.id)).toEqual({ running, expiresOn: row.expiresOn ?? '0000-00-00' });
    const known = passwords.get(row.id) ?? ['secret-1'];
    if (row.passwordHash !== 'x') expect(row.passwordHash).toBe(`hash(${[...known[0]!].reverse().join('')})`);
    if (!there.includes(row)) continue;
    const site = driver.sites.get(row.siteName)!;
    expect(site).toMatchObject({ suspended: !running, expiresOn: row.expiresOn, quota: { webMb: row.webQuotaMb } });
    if (running) expect(site.stopped).toBe(row.siteStopped);
    expect([...known, null]).toContain(site.password);
  }
}

describe('life cycle', () => {
  it('keeps database, server and events consistent, whatever the server does', async () => {
    const outcome = fc.constantFrom<FakeOutcome>('ok', 'ok', 'ok', 'refused', 'unreachable', 'applied', 'lost', 'throws', 'vanished');
    const reason = fc.constantFrom('admin', 'api', 'expiry', 'quota', 'scan');
    const user = fc.constantFrom('alice01', 'bob0001');
    const command = fc.oneof(
      fc.record({ do: fc.constant('provision' as const), user, key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }) }),
      fc.record({ do: fc.constantFrom('pause' as const, 'unpause' as const), user, reason }),
      fc.record({ do: fc.constant('renew' as const), user, day: fc.constantFrom(null, '2031-05-01', '2001-05-01') }),
      fc.record({ do: fc.constant('quota' as const), user, mb: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('password' as const), user, password: fc.constantFrom('secret-2', 'secret-3') }),
      fc.record({ do: fc.constant('use' as const), user, mb: fc.integer({ min: 0, max: 4 }) }),
      fc.record({
        do: fc.constantFrom('terminate' as const, 'recover' as const, 'start' as const, 'stop' as const, 'expire' as const),
        user,
      }),
    );
    const step = fc.record({ command, script: fc.array(outcome, { maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await clean();
        for (const { command: wanted, script } of steps) {
          driver.script = [...script];
          try {
            const id = (await accounts().findOneBy({ userKey: wanted.user }))?.id ?? 0;
            if (wanted.do === 'provision') await service.provision(request(wanted.user, { idempotencyKey: wanted.key }), 'api');
            else if (wanted.do === 'pause') await service.pause(id, wanted.reason, 'admin');
            else if (wanted.do === 'unpause') await service.unpause(id, wanted.reason, 'admin');
            else if (wanted.do === 'renew') await service.renew(id, wanted.day, 'api');
            else if (wanted.do === 'quota') await service.setQuota(id, { webMb: wanted.mb }, 'api');
            else if (wanted.do === 'start') await service.start(id);
            else if (wanted.do === 'stop') await service.stop(id);
            else if (wanted.do === 'expire') await hosting.app.get(ExpirySweep).run();
            else if (wanted.do === 'use') await use(id, wanted.mb);
            else if (wanted.do === 'password') await changePassword(id, wanted.password);
            else if (wanted.do === 'terminate') await service.terminate(id, 'admin');
            else await recovery.recoverUnfinished();
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
          }
        }
        await recoverAll();
        await expectAgreement();
      }),
      { numRuns: hosting.database.engine === 'sqlite' ? 300 : 50 },
    );
  }, 120_000);

  it('records the arguments of every hook, and nothing for a change without effect', async () => {
    const host = await service.provision(request('Alice01'), 'hosting_shop');
    await service.pause(host.id, 'admin', 'admin');
    await service.pause(host.id, 'admin', 'admin');
    await service.pause(host.id, 'quota', 'cron');
    await service.unpause(host.id, 'expiry', 'admin');
    await service.unpause(host.id, 'admin', 'admin');
    expect((await service.get('alice01'))?.status).toBe('paused');
    await service.unpause(host.id, 'quota', 'admin');
    await service.renew(host.id, '2031-01-31', 'api');
    await service.renew(host.id, '2031-01-31', 'api');
    await service.renew(host.id, null, 'api');
    await service.terminate(host.id, 'admin');
    await expect(service.terminate(host.id, 'admin')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    const events = await hosting.events();
    expect(events.map((event) => [event.hook, event.source, ...event.args])).toEqual([
      ['host.created', 'hosting_shop', 'Alice01', host.id, 'fake1'],
      ['host.paused', 'admin', 'Alice01', host.id],
      ['host.unpaused', 'admin', 'Alice01', host.id],
      ['host.renewed', 'api', 'Alice01', host.id, '2031-01-31'],
      ['host.renewed', 'api', 'Alice01', host.id, '0000-00-00'],
      ['host.deleted', 'admin', 'Alice01', host.id],
    ]);
    expect(events.every((event) => event.subject === `host:${host.id}`)).toBe(true);
    expect(events[4]!.row).toMatchObject({ old_date: '2031-01-31', new_date: '0000-00-00' });
    expect(JSON.stringify(events)).not.toMatch(/hash\(|secret-1|1-terces/);
  });

  it('lifts only the expiry pause when an account is renewed', async () => {
    const { id } = await service.provision(request('alice01', { expiresOn: '2020-01-01' }), 'api');
    await service.pause(id, 'expiry', 'cron');
    await service.pause(id, 'admin', 'admin');
    expect((await service.renew(id, '2020-02-01', 'api')).pauseReasons).toEqual(['expiry', 'admin']);
    expect(await service.renew(id, '2099-01-01', 'api')).toMatchObject({ status: 'paused', pauseReasons: ['admin'] });
    await service.unpause(id, 'admin', 'admin');
    await service.pause(id, 'expiry', 'cron');
    expect(await service.renew(id, null, 'api')).toMatchObject({ status: 'active', pauseReasons: [] });
  });

  it('lifts a shop’s pause together with an administrator’s, but not the other way round', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    for (const reason of ['api', 'admin', 'quota']) await service.pause(id, reason, 'admin');
    expect((await service.unpause(id, 'api', 'api')).pauseReasons).toEqual(['admin', 'quota']);
    await service.pause(id, 'api', 'api');
    expect((await service.unpause(id, 'admin', 'admin')).pauseReasons).toEqual(['quota']);
    expect((await service.unpause(id, 'quota', 'cron')).status).toBe('active');
  });

  it('stays consistent after concurrent calls', async () => {
    const outcome = fc.constantFrom<FakeOutcome>('ok', 'ok', 'ok', 'refused', 'unreachable', 'applied', 'lost');
    const action = fc.constantFrom('pause', 'unpause', 'start', 'stop', 'renew', 'terminate', 'provision', 'recover');
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 8 }), fc.array(outcome, { maxLength: 10 }), async (actions, script) => {
        await clean();
        const { id } = await service.provision(request('alice01'), 'api');
        driver.script = [...script];
        const calls: Record<(typeof actions)[number], () => Promise<unknown>> = {
          pause: () => service.pause(id, 'admin', 'admin'),
          unpause: () => service.unpause(id, 'admin', 'admin'),
          start: () => service.start(id),
          stop: () => service.stop(id),
          renew: () => service.renew(id, '2001-01-01', 'api'),
          terminate: () => service.terminate(id, 'admin'),
          provision: () => service.provision(request('bob0001', { idempotencyKey: 'k' }), 'api'),
          recover: () => recovery.recoverUnfinished(),
        };
        const results = await Promise.allSettled(actions.map((name) => calls[name]()));
        for (const result of results) if (result.status === 'rejected' && !(result.reason instanceof AppError)) throw result.reason;
        await recoverAll();
        await expectAgreement();
      }),
      { numRuns: hosting.database.engine === 'sqlite' ? 100 : 20 },
    );
  }, 120_000);

  it('ends sessions on a pause, a new password and a deletion', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    const sessions = hosting.database.repository(Session);
    const signIn = (scope: 'user' | 'admin') => {
      const now = new Date();
      return sessions.insert({ tokenHash: `${scope}-${Math.random()}`, scope, subjectId: id, createdAt: now, seenAt: now, expiresAt: now });
    };
    await signIn('admin');
    const changes = [
      () => service.changePassword(id, 'secret-2'),
      () => service.pause(id, 'admin', 'admin'),
      () => service.terminate(id, 'admin'),
    ];
    for (const change of changes) {
      await signIn('user');
      await change();
      expect(await sessions.find({ select: { scope: true } })).toEqual([{ scope: 'admin' }]);
    }
    await sessions.delete({ scope: 'admin' });
  });

  it('rejects invalid input, naming the fields', async () => {
    const refused = (more: object) => service.provision(request('alice01', more), 'api');
    await expect(refused({ user: 'abc' })).rejects.toMatchObject({ code: 'CREDENTIALS_TOO_SHORT' });
    await expect(refused({ user: '../../etc', webMb: -1, expiresOn: '2026-02-30' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { user: expect.any(String), webMb: expect.any(String), expiresOn: expect.any(String) },
    });
    await expect(refused({ node: 'nowhere' })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    expect(await accounts().count()).toBe(0);
  });
});

describe('an interrupted change', () => {
  it('distinguishes a stopped site from a paused account, and a running site from a stopped one', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    const [site] = driver.sites.values();
    driver.script = ['ok', 'lost'];
    await service.stop(id);
    await service.pause(id, 'admin', 'admin');
    expect(site).toMatchObject({ suspended: true, stopped: true });
    driver.script = ['applied'];
    await service.unpause(id, 'admin', 'admin');
    expect(site).toMatchObject({ suspended: false, stopped: true });
    driver.script = ['lost'];
    driver.calls.length = 0;
    await service.start(id);
    expect(driver.calls).toEqual(['start', 'sync', 'start']);
    expect(site).toMatchObject({ suspended: false, stopped: false });
  });

  it('whose claim was taken over is completed by the new owner', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    const [site] = driver.sites.values();
    vi.spyOn(driver, 'suspend').mockImplementationOnce(async () => {
      site!.suspended = true;
      await accounts().update({ id }, { claimedBy: 'other', claimedUntil: new Date(Date.now() - 1) });
      return { outcome: 'ok', value: undefined };
    });
    await expect(service.pause(id, 'admin', 'admin')).rejects.toMatchObject({ code: 'NODE_UNCERTAIN' });
    await recoverAll();
    await expectAgreement();
    expect(site!.suspended).toBe(false);
  });

  it('stays unfinished while the server refuses the values of the row, and does not prevent a deletion', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    driver.script = ['applied', 'lost'];
    await expect(service.renew(id, '2031-01-01', 'api')).rejects.toMatchObject({ code: 'NODE_UNCERTAIN' });
    driver.script = ['refused'];
    await expect(service.pause(id, 'admin', 'admin')).rejects.toMatchObject({ code: 'NODE_REFUSED' });
    await service.terminate(id, 'admin');
    expect(driver.sites.size).toBe(0);
    expect((await hosting.events()).map((event) => event.hook)).toEqual(['host.created', 'host.deleted']);
  });
});

describe('provisioning', () => {
  it('opens one account per request, even if it is sent repeatedly and concurrently', async () => {
    const hosts = await Promise.all(
      Array.from({ length: 8 }, () => service.provision(request('alice01', { idempotencyKey: 'order-1' }), 'shop')),
    );
    expect(new Set(hosts.map((host) => host.id)).size).toBe(1);
    await service.provision(request('alice01', { idempotencyKey: 'order-1' }), 'shop');
    expect((await hosting.events()).map((event) => event.hook)).toEqual(['host.created']);
    await expect(service.provision(request('alice01', { idempotencyKey: 'order-1' }), 'other')).rejects.toMatchObject({
      code: 'ACCOUNT_EXISTS',
    });
    await expect(service.provision(request('somebody', { idempotencyKey: 'order-1' }), 'shop')).rejects.toMatchObject({
      code: 'REQUEST_REUSED',
    });
  });

  it('gives a name to only one of several concurrent requests', async () => {
    const results = await Promise.allSettled(
      ['alice01', 'ALICE01', 'Alice01', 'alice01', 'aLICE01'].map((user) => service.provision(request(user), 'api')),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ACCOUNT_EXISTS' });
    }
    expect(driver.sites.size).toBe(1);
  });

  it('leaves nothing of a creation the server refused, and releases the name', async () => {
    driver.script = ['refused'];
    await expect(service.provision(request('alice01'), 'api')).rejects.toMatchObject({ code: 'CREATION_REFUSED' });
    expect(await accounts().count()).toBe(0);
    await service.provision(request('alice01'), 'api');
  });

  it('queries the server before it retries a creation with an unknown outcome', async () => {
    driver.script = ['applied'];
    await service.provision(request('alice01'), 'api');
    expect(driver.calls).toEqual(['create', 'sync', 'create']);
    expect(driver.sites.size).toBe(1);
  });

  it.each([
    ['before the server was called', false],
    ['after the site was made', true],
  ])('completes once, with two processes, what a process that crashed %s left', async (_when, made) => {
    const now = new Date();
    await accounts().insert({
      username: 'alice01',
      userKey: 'alice01',
      passwordHash: 'x',
      nodeCode: 'fake1',
      siteName: 'svc.dead',
      expiresOn: null,
      createdAt: now,
      state: 'provisioning',
      pauseReasons: [],
      email: null,
      openedBy: 'shop',
      requestId: 'order-9',
      requestKey: 'shop:order-9',
      ownerId: null,
      claimedBy: 'dead',
      claimedUntil: new Date(now.getTime() - 1),
    });
    const row = await accounts().findOneByOrFail({ userKey: 'alice01' });
    if (made) {
      const quota = { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 };
      driver.sites.set('svc.dead', {
        mark: `host:${row.id}:svc.dead`,
        suspended: false,
        stopped: false,
        expiresOn: null,
        quota,
        password: null,
      });
    }
    const [again] = await Promise.all([
      service.provision(request('alice01', { idempotencyKey: 'order-9' }), 'shop'),
      recovery.recoverUnfinished(),
    ]);
    expect(again).toMatchObject({ id: row.id, status: 'active' });
    expect((await hosting.events()).map((event) => [event.hook, event.source])).toEqual([['host.created', 'shop']]);
    await expectAgreement();
  });

  it('leaves an account alone that another process has claimed', async () => {
    const { id } = await service.provision(request('alice01'), 'api');
    await accounts().update({ id }, { state: 'terminating', claimedBy: 'alive', claimedUntil: new Date(Date.now() + 60_000) });
    expect(await recovery.recoverUnfinished()).toBe(0);
    expect((await accounts().findOneByOrFail({ id })).claimedBy).toBe('alive');
    await accounts().update({ id }, { claimedUntil: new Date(Date.now() - 1) });
    expect(await recovery.recoverUnfinished()).toBe(1);
    expect(await accounts().count()).toBe(0);
    expect((await hosting.events()).map((event) => event.hook)).toEqual(['host.created', 'host.deleted']);
  });

  it('is rejected inside a database transaction, where server calls are not allowed', async () => {
    await expect(hosting.database.transaction(() => service.provision(request('alice01'), 'api'))).rejects.toThrow(/transaction/);
    expect(await accounts().count()).toBe(0);
    expect(driver.calls).toEqual([]);
  });
});
