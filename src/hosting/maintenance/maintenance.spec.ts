import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { FakeDriver } from '../../../test/support/fake-driver.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { Clock } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { DurableEvent } from '../../hooks/index.js';
import {
  DriverRegistry,
  ExpirySweep,
  HostingAccount,
  HostingNode,
  HostingService,
  NodeDriftCheck,
  UsageSweep,
  USAGE_INTERVAL_MS,
} from '../index.js';
import { AccountHolds } from '../accounts/index.js';
import type { DriverResult } from '../driver/index.js';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const clock = new ManualClock();
const driver = new FakeDriver();
let hosting: TestHosting;
let service: HostingService;

beforeAll(async () => {
  hosting = await createTestHosting([
    { provide: Clock, useValue: clock },
    { provide: ZonedClock, useValue: clock },
  ]);
  hosting.app.get(DriverRegistry).register(driver);
  driver.basics.add('database');
  driver.countTraffic();
  service = hosting.app.get(HostingService);
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  clock.set(new Date('2026-11-21T04:00:00Z'));
  driver.script = [];
  driver.sites.clear();
  await accounts().createQueryBuilder().delete().execute();
  await hosting.database.repository(DurableEvent).createQueryBuilder().delete().execute();
});

const accounts = () => hosting.database.repository(HostingAccount);
const open = (user: string, more: object = {}) =>
  service.provision({ node: 'fake1', user, password: 'secret-1', expiresOn: null, ...more }, 'api');
const reasonsOf = async (user: string) => (await service.get(user))!.pauseReasons;
const hooks = async () => (await hosting.events()).map(({ hook, source, args }) => [hook, source, args[0]]);
const sweeps = () => ({ expiry: hosting.app.get(ExpirySweep), usage: hosting.app.get(UsageSweep) });

async function fill(user: string, usage: { web?: number; database?: number; traffic?: number }): Promise<void> {
  const row = await accounts().findOneByOrFail({ userKey: user });
  driver.sites.get(row.siteName)!.usage = usage;
}

/** Measures everybody, however lately that was done. */
async function measureAll(): Promise<number> {
  clock.advance(USAGE_INTERVAL_MS);
  return sweeps().usage.run();
}

describe('hold', () => {
  const hold = async (user: string, day: string | null) => {
    const { id } = (await service.get(user))!;
    return hosting.app.get(AccountHolds).set(id, day, 'admin', { also: () => Promise.resolve() });
  };

  it('prevents the pause for expiry until its last day, ends an existing one, and updates the server', async () => {
    await open('alice01', { expiresOn: '2026-11-20' });
    await sweeps().expiry.run();
    expect(await reasonsOf('alice01')).toEqual(['expiry']);
    expect(await hold('alice01', '2026-11-22')).toMatchObject({
      status: 'active',
      pauseReasons: [],
      expiresOn: '2026-11-20',
      holdUntil: '2026-11-22',
    });
    const { siteName } = await accounts().findOneByOrFail({ userKey: 'alice01' });
    expect(driver.sites.get(siteName)).toMatchObject({ suspended: false, expiresOn: '2026-11-22' });
    await sweeps().expiry.run();
    clock.set(new Date('2026-11-22T15:59:00Z'));
    await sweeps().expiry.run();
    expect(await reasonsOf('alice01')).toEqual([]);
    // In Shanghai the day after begins.
    clock.set(new Date('2026-11-22T16:00:00Z'));
    await sweeps().expiry.run();
    expect(await reasonsOf('alice01')).toEqual(['expiry']);
    expect((await hooks()).map(([hook]) => hook)).toEqual(['host.created', 'host.paused', 'host.unpaused', 'host.paused']);
  });

  it('also prevents the quota pause, but not pauses by people and scans', async () => {
    await open('alice01', { webMb: 1 });
    await fill('alice01', { web: 2 * MB });
    await measureAll();
    expect(await reasonsOf('alice01')).toEqual(['quota']);
    const { id } = (await service.get('alice01'))!;
    for (const reason of ['admin', 'scan', 'api']) await service.pause(id, reason, 'admin');
    expect(await hold('alice01', '2026-12-01')).toMatchObject({ status: 'paused', pauseReasons: ['admin', 'scan', 'api'] });
    await measureAll();
    expect(await reasonsOf('alice01')).toEqual(['admin', 'scan', 'api']);
    await service.unpause(id, 'scan', 'admin');
    expect(await service.unpause(id, 'admin', 'admin')).toMatchObject({ status: 'active' });
    await hold('alice01', null);
    await measureAll();
    expect(await reasonsOf('alice01')).toEqual(['quota']);
  });

  it('is idempotent, rejects past days, and changes nothing if the server does not answer', async () => {
    await open('alice01', { expiresOn: '2026-11-20' });
    await hold('alice01', '2026-11-21');
    const calls = driver.calls.length;
    await hold('alice01', '2026-11-21');
    expect(driver.calls.length).toBe(calls);
    for (const day of ['2026-11-20', '2036-12-01', '2026-02-30', 'x']) {
      await expect(hold('alice01', day)).rejects.toMatchObject({ code: 'INVALID_INPUT', fields: { holdUntil: 'hosting.field_hold' } });
    }
    driver.script = ['unreachable'];
    await expect(hold('alice01', '2026-12-24')).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
    expect((await service.get('alice01'))!.holdUntil).toBe('2026-11-21');
    // A renewal that is shorter than the hold does not tell the server an earlier day.
    await hold('alice01', '2026-12-24');
    const { id } = (await service.get('alice01'))!;
    await service.renew(id, '2026-12-01', 'api');
    const { siteName } = await accounts().findOneByOrFail({ userKey: 'alice01' });
    expect(driver.sites.get(siteName)!.expiresOn).toBe('2026-12-24');
    await hold('alice01', null);
    expect(driver.sites.get(siteName)!.expiresOn).toBe('2026-12-01');
  });
});

describe('expiry', () => {
  it('pauses after the last day in the panel’s time zone, and a renewal ends the pause', async () => {
    await open('alice01', { expiresOn: '2026-11-21' });
    await open('never-01');
    clock.set(new Date('2026-11-21T15:59:59Z'));
    expect(await sweeps().expiry.run()).toBe(0);
    // Midnight in Asia/Shanghai.
    clock.set(new Date('2026-11-21T16:00:00Z'));
    expect(await sweeps().expiry.run()).toBe(1);
    expect(await sweeps().expiry.run()).toBe(0);
    expect(await reasonsOf('alice01')).toEqual(['expiry']);
    const { id } = (await service.get('alice01'))!;
    await service.renew(id, '2026-11-22', 'api');
    expect(await reasonsOf('alice01')).toEqual([]);
    await sweeps().expiry.run();
    expect(await hooks()).toEqual([
      ['host.created', 'api', 'alice01'],
      ['host.created', 'api', 'never-01'],
      ['host.paused', 'cron', 'alice01'],
      ['host.renewed', 'api', 'alice01'],
      ['host.unpaused', 'api', 'alice01'],
    ]);
  });

  it('adds its reason to existing ones', async () => {
    const { id } = await open('alice01', { expiresOn: '2026-11-20' });
    await service.pause(id, 'admin', 'admin');
    await sweeps().expiry.run();
    expect(await reasonsOf('alice01')).toEqual(['admin', 'expiry']);
    expect((await hooks()).filter(([hook]) => hook === 'host.paused')).toHaveLength(1);
  });

  it('continues after a failure of one account, and queries an unreachable node once per run', async () => {
    for (const user of ['alice01', 'bob0001', 'carol01']) await open(user, { expiresOn: '2026-11-20' });
    await service.provision({ node: 'bh1', user: 'dave001', password: 'secret-1', expiresOn: '2026-11-20' }, 'api');
    driver.script = ['refused'];
    expect(await sweeps().expiry.run()).toBe(3);
    expect(await reasonsOf('alice01')).toEqual([]);
    driver.script = ['unreachable'];
    expect(await sweeps().expiry.run()).toBe(0);
    expect(await sweeps().expiry.run()).toBe(1);
    for (const user of ['alice01', 'bob0001', 'carol01', 'dave001']) expect(await reasonsOf(user)).toEqual(['expiry']);
    driver.sites.clear();
    for (const user of ['erin001', 'frank01']) await open(user, { expiresOn: '2026-11-20' });
    driver.script = ['unreachable'];
    driver.calls.length = 0;
    expect(await sweeps().expiry.run()).toBe(0);
    expect(driver.calls).toEqual(['suspend']);
  });

  it('pauses each account once with two processes and more than one batch', async () => {
    const row = {
      expiresOn: '2026-11-20',
      nodeCode: 'bh1',
      createdAt: clock.now(),
      state: 'paused' as const,
      pauseReasons: ['admin'],
      passwordHash: 'x',
    };
    await accounts().insert(
      Array.from({ length: 230 }, (_, index) => ({ ...row, username: `user${index}`, userKey: `user${index}`, siteName: `svc.${index}` })),
    );
    await open('alice01', { expiresOn: '2026-11-19' });
    await Promise.all([sweeps().expiry.run(), sweeps().expiry.run()]);
    const after = await accounts().find();
    expect(after.filter(({ pauseReasons }) => pauseReasons.join() === 'admin,expiry')).toHaveLength(230);
    expect((await hooks()).filter(([hook]) => hook === 'host.paused')).toEqual([['host.paused', 'cron', 'alice01']]);
  });
});

describe('usage', () => {
  it('is measured once per interval by one of several processes, and stored', async () => {
    await open('alice01');
    await open('bob0001');
    await fill('alice01', { web: 5 * MB, database: 6, traffic: 7 * GB });
    driver.calls.length = 0;
    const counts = await Promise.all([sweeps().usage.run(), sweeps().usage.run()]);
    expect(counts[0]! + counts[1]!).toBe(2);
    expect(driver.calls).toEqual(['sync', 'sync']);
    expect(await accounts().findOneByOrFail({ userKey: 'alice01' })).toMatchObject({
      webUsedBytes: 5 * MB,
      databaseUsedBytes: 6,
      trafficUsedBytes: 7 * GB,
    });
    expect(await sweeps().usage.run()).toBe(0);
    expect(await measureAll()).toBe(2);
  });

  it.each([
    ['web space', { webMb: 5 }, { web: 5 * MB }, { web: 5 * MB + 1 }],
    ['database space', { databaseMb: 5 }, { database: 5 * MB }, { database: 5 * MB + 1 }],
    ['traffic', { trafficGb: 1 }, { traffic: GB }, { traffic: GB + 1 }],
  ])('above the limit of %s pauses the account, and resumes it when within the limit again', async (_what, quota, within, beyond) => {
    await open('alice01', quota);
    await fill('alice01', within);
    await measureAll();
    expect(await reasonsOf('alice01')).toEqual([]);
    await fill('alice01', beyond);
    for (let time = 0; time < 2; time += 1) await measureAll();
    expect(await reasonsOf('alice01')).toEqual(['quota']);
    await fill('alice01', within);
    for (let time = 0; time < 2; time += 1) await measureAll();
    expect(await reasonsOf('alice01')).toEqual([]);
    expect((await hooks()).map(([hook]) => hook)).toEqual(['host.created', 'host.paused', 'host.unpaused']);
  });

  it('without a limit causes no pause, and a higher limit ends the pause immediately', async () => {
    const { id } = await open('alice01', { webMb: 1 });
    await open('bob0001');
    for (const user of ['alice01', 'bob0001']) await fill(user, { web: 3 * MB, database: 3 * MB, traffic: 3 * GB });
    await measureAll();
    expect([await reasonsOf('alice01'), await reasonsOf('bob0001')]).toEqual([['quota'], []]);
    await service.setQuota(id, { webMb: 2 }, 'api');
    expect(await reasonsOf('alice01')).toEqual(['quota']);
    await service.setQuota(id, { webMb: 3 }, 'api');
    expect(await service.get('alice01')).toMatchObject({ status: 'active', pauseReasons: [] });
    await service.pause(id, 'admin', 'admin');
    await service.setQuota(id, { webMb: 1 }, 'api');
    await measureAll();
    await service.setQuota(id, { webMb: 0 }, 'api');
    expect(await reasonsOf('alice01')).toEqual(['admin']);
  });

  it('includes the name of the database account, which is queried until the server reports it', async () => {
    const answers: DriverResult<{ username: string }>[] = [
      { outcome: 'unreachable', message: 'away' },
      { outcome: 'ok', value: { username: 'svc0a1b2c3d' } },
    ];
    const find = vi.fn(() => Promise.resolve(answers.shift()!));
    Object.assign(driver, { database: { find } });
    const { id } = await open('alice01');
    const known: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      await measureAll();
      known.push((await accounts().findOneByOrFail({ id })).databaseUser);
    }
    expect(known).toEqual([null, 'svc0a1b2c3d', 'svc0a1b2c3d']);
    expect(find).toHaveBeenCalledTimes(2);
    const none = { outcome: 'refused', message: 'none', problem: { code: 'DATABASE_NONE', params: {} } } as const;
    find.mockResolvedValue(none as never);
    const { id: other } = await open('bob0001');
    await measureAll();
    expect((await accounts().findOneByOrFail({ id: other })).databaseUser).toBe('');
    Object.assign(driver, { database: undefined });
  });

  it('keeps known values that a server cannot report', async () => {
    const { id } = await service.provision({ node: 'bh1', user: 'alice01', password: 'secret-1', expiresOn: null, databaseMb: 5 }, 'api');
    await accounts().update({ id }, { databaseUsedBytes: 5 * MB, trafficUsedBytes: 7 });
    await measureAll();
    expect(await accounts().findOneByOrFail({ id })).toMatchObject({
      webUsedBytes: expect.any(Number),
      databaseUsedBytes: 5 * MB,
      // This one counts traffic itself: what it counted is what holds.
      trafficUsedBytes: 0,
      state: 'active',
    });
  });

  it('is measured for other accounts if the server fails for one', async () => {
    for (const user of ['alice01', 'bob0001', 'carol01']) {
      await open(user, { webMb: 1 });
      await fill(user, { web: 2 * MB });
    }
    driver.script = ['refused'];
    expect(await measureAll()).toBe(2);
    expect([await reasonsOf('alice01'), await reasonsOf('bob0001'), await reasonsOf('carol01')]).toEqual([[], ['quota'], ['quota']]);
    expect(await measureAll()).toBe(3);
    expect(await reasonsOf('alice01')).toEqual(['quota']);
  });
});

describe('drift', () => {
  it('reports unknown, missing and differing sites of a server', async () => {
    const node = await hosting.database.repository(HostingNode).findOneByOrFail({ code: 'fake1' });
    const compare = () => hosting.app.get(NodeDriftCheck).compare(node);
    for (const user of ['alice01', 'bob0001', 'carol01', 'dave001', 'erin001']) await open(user);
    const { id } = (await service.get('erin001'))!;
    await service.stop(id);
    expect(await compare()).toEqual({ unknown: [], foreign: [], missing: [], differing: [], moved: [] });
    const nameOf = async (user: string) => (await accounts().findOneByOrFail({ userKey: user })).siteName;
    const [alice, bob, carol] = [await nameOf('alice01'), await nameOf('bob0001'), await nameOf('carol01')];
    const dave = await nameOf('dave001');
    driver.sites.get(dave)!.mark = 'not ours';
    driver.sites.delete(alice);
    driver.sites.get(bob)!.suspended = true;
    driver.sites.get(carol)!.stopped = true;
    driver.sites.set('somebody.example', { ...driver.sites.get(bob)!, mark: 'not ours', username: 'somebody' });
    expect(await compare()).toEqual({
      unknown: [expect.objectContaining({ siteName: 'somebody.example', username: 'somebody' })],
      foreign: [expect.objectContaining({ siteName: dave, username: 'dave001' })],
      missing: [expect.objectContaining({ siteName: alice, username: 'alice01' })],
      differing: [expect.objectContaining({ siteName: bob }), expect.objectContaining({ siteName: carol })],
      moved: [],
    });
    await compare();
    expect([await reasonsOf('bob0001'), driver.sites.has(alice)]).toEqual([[], false]);
  });
});
