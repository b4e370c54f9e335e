/** Host expiry: reminders, pause, grace, deletion into the recycle bin; each once, never with a wrong clock, and as the page announces. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { DurableEvent, EventDelivery, HookRegistry } from '../src/hooks/index.js';
import {
  BinnedSite,
  DeletionCap,
  DeletionDay,
  ExpiryRepository,
  ExpiryDeletions,
  ExpiryForecast,
  ExpiryLifts,
  ExpiryReminders,
  ExpirySweep,
  HostExpiry,
  HostingAccount,
  HostingNode,
  HostingService,
} from '../src/hosting/index.js';
import { ExpiredHostDeletion, ExpiryDeletionNotices } from '../src/hosting/expiry/index.js';
import { AccountGrace, KeptSites, LifeCycleService, PauseReasons } from '../src/hosting/accounts/index.js';
import { ClockMark, ClockWatch } from '../src/jobs/index.js';
import { Notice } from '../src/notify/index.js';
import { OperationLog } from '../src/operations/index.js';
import { Order, Orders, Settlement } from '../src/payment/index.js';
import type { RenewalOffer } from '../src/sdk/index.js';
import { SiteSettings } from '../src/site/index.js';

import { ManualClock } from './support/manual-clock.js';
import { TestPanel } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PASSWORD = 'secret-pass-1';
const DEFAULTS = { txts: '7,3,1,0', kxts: '0', scts: '0' };
const TIMED = [
  ...[
    ExpiryRepository,
    ExpiryDeletions,
    ExpiredHostDeletion,
    ExpiryDeletionNotices,
    ExpiryForecast,
    ExpiryLifts,
    ExpiryReminders,
    ExpirySweep,
  ],
  ...[AccountGrace, DeletionCap, KeptSites, LifeCycleService, PauseReasons, ClockWatch],
];

let panel: TestPanel;
let database: Database;
let hosting: HostingService;
const clock = new ManualClock();

beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.enable('sandbox');
  // Days pass only for this feature: sessions and orders stay on the current day.
  for (const part of TIMED) Object.assign(panel.get<object>(part as never), { clock });
  database = panel.get(Database);
  hosting = panel.get(HostingService);
});
afterAll(() => panel?.close());
beforeEach(async () => {
  clock.set(new Date(`${legacyDay(new Date(), 'Asia/Shanghai')}T04:00:00Z`));
  await empty();
  await set(DEFAULTS);
});

async function empty(): Promise<void> {
  for (const { id } of await accounts().find()) await hosting.terminate(id, 'admin');
  for (const entity of [HostExpiry, Notice, EventDelivery, DurableEvent, OperationLog, DeletionDay, ClockMark, BinnedSite])
    await database.repository<object>(entity).createQueryBuilder().delete().execute();
}
const accounts = () => database.repository(HostingAccount);
const dayIn = (days: number) => legacyDay(new Date(clock.now().getTime() + days * DAY_MS), 'Asia/Shanghai');
const set = async (fields: Record<string, string>) => expect(await panel.admin('dqsz', fields)).toMatchObject({ success: true });
const open = async (user: string, expiresOn: string | null, more: object = {}): Promise<number> => {
  const { id } = await hosting.provision({ node: 'local', user, password: PASSWORD, expiresOn, ...more }, 'api');
  await accounts().update({ id }, { email: `${user}@example.com`, createdAt: new Date(clock.now().getTime() - 400 * DAY_MS) });
  return id;
};
/** Everything that happens in a day: the sweep, the reminders, the deletions. */
async function work(): Promise<void> {
  await panel.get(ExpiryLifts).run();
  await panel.get(ExpirySweep).run();
  await panel.get(ExpiryReminders).run();
  await panel.get(ExpiryDeletions).run();
}
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    clock.advance(DAY_MS);
    await work();
  }
}
const stateOf = async (id: number) => {
  const host = await hosting.get(id);
  return host && [host.status, ...host.pauseReasons].join(' ');
};
const keys = async (side: 'user' | 'admin' = 'user') =>
  (await database.repository(Notice).find({ where: { side, kind: side === 'user' ? 'expire' : 'system' }, order: { id: 'ASC' } })).map(
    ({ key }) => String(key).replace(/^(expire(?:-\w+)?):\d+:/, '$1 '),
  );
const kept = () => database.repository(BinnedSite).find();
const rows = async (fields: Record<string, string> = {}) =>
  ((await panel.admin('listdq', { limit: '200', ts: '60', ...fields })) as unknown as { rows: Record<string, string>[] }).rows;

describe('host expiry', () => {
  it('follows the rules: reminders, grace, pause, last notice, deletion into the bin, each reported once', async () => {
    await set({ kxts: '2', scts: '5' });
    const end = dayIn(7);
    const id = await open('alice001', end);
    await work();
    await work();
    expect(await keys()).toEqual([`expire ${end}:7`]);
    await pass(7);
    expect(await keys()).toEqual([7, 3, 1, 0].map((n) => `expire ${end}:${n}`));
    await pass(2);
    expect(await stateOf(id)).toBe('active');
    await pass(1);
    expect(await stateOf(id)).toBe('paused expiry');
    // Paused on the third day after the last one, kept for five days, deleted on the day after that.
    const deleted = dayIn(5);
    expect((await keys()).at(-1)).toBe(`expire-paused ${end}`);
    await pass(2);
    expect((await keys()).at(-1)).toBe(`expire-delete ${end}:${deleted}`);
    await pass(2);
    await work();
    expect([await stateOf(id), (await keys()).length]).toEqual(['paused expiry', 6]);
    await pass(1);
    expect(dayIn(0)).toBe(deleted);
    expect(await hosting.get(id)).toBeNull();
    expect(await kept()).toMatchObject([{ username: 'alice001', state: 'kept', deletedBy: 'cron', expiresOn: end }]);
    const events = await database.repository(DurableEvent).find({ order: { id: 'ASC' } });
    expect(events.map(({ hook, source }) => `${hook} ${source}`)).toEqual(['host.created api', 'host.paused cron', 'host.deleted cron']);
    const lines = await database.repository(OperationLog).find({ where: { category: 'expiry-deletions' } });
    expect(lines.map(({ actor, summary }) => `${actor} ${summary}`)).toEqual([`cron 决定删除到期主机 alice001：最后一天为 ${end}`]);
    expect((await keys('admin')).filter((key) => key.startsWith('expiry-report'))).toHaveLength(1);
    await pass(1);
    expect(await database.repository(HostExpiry).count()).toBe(0);
  });

  it('deletes nothing unless configured, and a plan’s days take precedence over those of the installation', async () => {
    const [plain, own, never] = [
      await open('plain001', dayIn(0)),
      await open('planhost', dayIn(0), { graceDays: 3, keepDays: 4 }),
      await open('never001', dayIn(0), { keepDays: 0 }),
    ];
    await pass(20);
    expect([await stateOf(plain), await hosting.get(own), await stateOf(never)]).toEqual(['paused expiry', null, 'paused expiry']);
    await set({ scts: '3' });
    await pass(2);
    // Announced first, three days ahead, however long ago it expired.
    expect([await stateOf(plain), await stateOf(never)]).toEqual(['paused expiry', 'paused expiry']);
    await pass(3);
    expect([await hosting.get(plain), await stateOf(never)]).toEqual([null, 'paused expiry']);
    for (const wrong of [{ graceDays: 28 }, { graceDays: -1 }, { keepDays: 2 }, { keepDays: 3.5 }])
      await expect(open('wrong001', dayIn(3), wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('sends missed reminders, and no past ones for new or renewed hosts', async () => {
    const [id, fresh] = [await open('missed01', dayIn(6)), await open('fresh001', dayIn(6))];
    await accounts().update({ id: fresh }, { createdAt: clock.now() });
    await work();
    await work();
    expect(await keys()).toEqual([`expire ${dayIn(6)}:7`]);
    expect((await database.repository(Notice).findOneByOrFail({ kind: 'expire' })).content).toContain('6 天');
    await hosting.renew(id, dayIn(40), 'api');
    await hosting.renew(fresh, dayIn(40), 'api');
    await pass(33);
    expect((await keys()).filter((key) => key.endsWith(':7'))).toHaveLength(3);
  });

  it('resumes hosts within an extended grace period, immediately if their plan sets none, and after a clock that was ahead', async () => {
    const [id, own] = [await open('alice001', dayIn(-2)), await open('planhost', dayIn(-2), { graceDays: 0 })];
    await work();
    expect([await stateOf(id), await stateOf(own)]).toEqual(['paused expiry', 'paused expiry']);
    await set({ kxts: '5' });
    await work();
    expect([await stateOf(id), await stateOf(own)]).toEqual(['active', 'paused expiry']);
    await set({ kxts: '0' });
    await work();
    expect(await stateOf(id)).toBe('paused expiry');
    const later = await open('later001', dayIn(30));
    clock.advance(365 * DAY_MS);
    await work();
    expect(await stateOf(later)).toBe('paused expiry');
    clock.advance(-365 * DAY_MS);
    await work();
    expect([await stateOf(later), await stateOf(id)]).toEqual(['active', 'paused expiry']);
  });

  it('reports once and deletes once with two processes at the same time', async () => {
    await set({ scts: '3' });
    for (let n = 0; n < 5; n += 1) await open(`over000${n}`, dayIn(-1));
    await open('soon0001', dayIn(3));
    const twice = (run: () => Promise<unknown>) => Promise.all([run(), run(), run()]);
    await twice(() => panel.get(ExpirySweep).run());
    await twice(() => panel.get(ExpiryReminders).run());
    await twice(() => panel.get(ExpiryDeletions).run());
    expect((await keys()).map((key) => key.split(' ')[0]).sort()).toEqual([
      'expire',
      ...Array.from({ length: 5 }, () => 'expire-delete'),
      ...Array.from({ length: 5 }, () => 'expire-paused'),
    ]);
    clock.advance(3 * DAY_MS);
    await twice(() => panel.get(ExpiryDeletions).run());
    expect((await kept()).map(({ username }) => username).sort()).toEqual(['over0000', 'over0001', 'over0002', 'over0003', 'over0004']);
    const deleted = await database.repository(DurableEvent).countBy({ hook: 'host.deleted' });
    expect([deleted, (await database.repository(DeletionDay).findOneByOrFail({ day: dayIn(0) })).done]).toEqual([5, 5]);
    expect(await database.repository(OperationLog).countBy({ category: 'expiry-deletions' })).toBe(5);
  });

  it('skips hosts that are on hold, exempt, paused otherwise or paid, and says so', async () => {
    await set({ scts: '3' });
    const names = ['normal01', 'held0001', 'exempt01', 'banned01', 'payer001', 'basket01', 'nobin001'];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await open(name, dayIn(-1)));
    const [held, exempt, banned, payer, basket, nobin] = names.slice(1).map((name) => ids.get(name)!) as [
      ...[number, number, number, number, number, number],
    ];
    await panel.admin('zjgq', { id: String(held), date: dayIn(30) });
    expect(await panel.admin('dqbl', { id: String(exempt), kg: 'true' })).toMatchObject({ success: true });
    await hosting.pause(banned, 'scan', 'admin');
    const order = {
      amount: 100,
      scene: 'ymgm',
      context: {},
      user: 'x',
      name: 'x',
      accessKey: 'x',
      createdAt: clock.now(),
      ownerKind: 'account' as const,
    };
    await database.repository(Order).insert({ ...order, number: `p1-${payer}`, ownerId: payer, status: 'paid', paidAt: clock.now() });
    await database.repository(Order).insert({ ...order, number: `p2-${basket}`, ownerId: basket, status: 'unpaid' });
    await database.repository(HostingNode).insert({
      code: 'nobin',
      codeKey: 'nobin',
      createdAt: new Date(),
      ip: '127.0.0.1',
      driver: 'undriven',
      openKey: 'a',
      signatureKey: 'b',
    } as never);
    await accounts().update({ id: nobin }, { nodeCode: 'nobin', state: 'paused', pauseReasons: ['expiry'] });
    await work();
    await pass(3);
    expect((await kept()).map(({ username }) => username)).toEqual(['normal01']);
    const why = Object.fromEntries((await rows({ lx: 'keep' })).map(({ user, why }) => [user!, why!]));
    expect(why).toEqual({ exempt01: 'exempt', banned01: 'paused', payer001: 'paid', basket01: 'order', nobin001: 'no_bin' });
    await pass(3);
    // An unpaid order delays it for three days at most.
    expect((await kept()).map(({ username }) => username)).toEqual(['normal01', 'basket01']);
    expect(await panel.admin('dqbl', { id: String(exempt), kg: 'false' })).toMatchObject({ success: true });
    await work();
    await pass(2);
    expect(await hosting.get(exempt)).not.toBeNull();
    await pass(1);
    expect(await hosting.get(exempt)).toBeNull();
    await database.repository(HostingAccount).update({ id: nobin }, { nodeCode: 'local' });
    await database.repository(HostingNode).delete({ code: 'nobin' });
  });
});

describe('paying', () => {
  const offer = [{ months: 1, amount: 990, name: 'Starter' } satisfies RenewalOffer];
  let undo: () => void;
  beforeAll(() => {
    undo = panel.get(HookRegistry).addFilter('host.renewal.offers', () => offer, { owner: 'core' });
  });
  afterAll(() => undo());

  it.each([
    ['in its days of grace', 1],
    ['once it was paused', 4],
    ['on the day it is to be deleted', 8],
  ])('%s resumes the host automatically', async (_when, days) => {
    await set({ kxts: '2', scts: '5' });
    const id = await open('payer001', dayIn(-days));
    await accounts().update({ id }, { expiresOn: dayIn(-days) });
    await work();
    if (days === 8)
      await database.repository(HostExpiry).update({ hostId: id }, { toldFor: dayIn(-8), toldAt: new Date(0), deletesOn: dayIn(0) });
    const client = new PanelClient(panel.url);
    expect((await client.ajax('user', { gn: 'login', user: 'payer001', pass: PASSWORD })).json).toMatchObject({ success: true });
    const { ddh } = (await client.ajax('user', { gn: 'xdd', scene: 'xf', zq: '1' })).json as unknown as { ddh: string };
    // Nothing is deleted while a payment is in progress.
    await panel.get(ExpiryDeletions).run();
    const order = (await panel.get(Orders).get(ddh))!;
    await panel.get(Orders).chooseType(order.id, 'sandbox__test');
    await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: ddh, amount: order.amount });
    await expect.poll(async () => (await hosting.get(id))!.expiresOn! > dayIn(10), { timeout: 20_000 }).toBe(true);
    await work();
    expect(await stateOf(id)).toBe('active');
    expect(await kept()).toEqual([]);
    expect((await rows({ ts: '14' })).filter(({ what }) => what === 'delete')).toEqual([]);
  });

  it('tells the owner the state, on every page, in both languages', async () => {
    await set({ kxts: '2', scts: '5' });
    const id = await open('owner001', dayIn(-1));
    const cookie = await panel.signInUser('owner001', PASSWORD);
    const page = async (language: string) => {
      const response = await panel.fetch('/user/', { headers: { Cookie: cookie, 'Accept-Language': language } });
      return response.text();
    };
    expect(await page('en')).toContain(`Your host expired on ${dayIn(-1)}. Its site keeps running until ${dayIn(1)}`);
    await pass(2);
    expect(await stateOf(id)).toBe('paused expiry');
    const on = dayIn(5);
    expect(await page('en')).toContain(`If it is not renewed, the host will be deleted on ${on}`);
    expect(await page('zh-CN')).toContain(`如不续费，主机将于 ${on} 被删除`);
  });
});

describe('an unreliable clock', () => {
  const due = async (count: number): Promise<void> => {
    await set({ scts: '3' });
    for (let n = 0; n < count; n += 1) await open(`over${String(n).padStart(4, '0')}`, dayIn(-30));
    await work();
    await panel.get(ClockWatch).run();
    for (let hours = 0; hours < 72; hours += 1) {
      clock.advance(HOUR_MS);
      await panel.get(ClockWatch).run();
    }
  };

  it.each([
    ['ahead by more than an hour', 61 * 60_000],
    ['ahead by a year', 365 * DAY_MS],
    ['behind by more than an hour', -61 * 60_000],
  ])('%s deletes nothing without confirmation', async (_how, jump) => {
    await due(2);
    clock.advance(jump);
    await panel.get(ExpiryDeletions).run();
    await panel.get(ClockWatch).run();
    await panel.get(ExpiryDeletions).run();
    expect(await accounts().count()).toBe(2);
    expect((await keys('admin')).filter((key) => key.includes(':clock:'))).toHaveLength(1);
    const held = await rows({ lx: 'keep' });
    expect(held.map(({ why }) => why)).toEqual(['clock', 'clock']);
    expect(await panel.admin('zjscfx')).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('szqr', { dao: '2020-01-01T00:00:00Z' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    const { jump: seen } = await panel.get(DeletionCap).state();
    expect(await (await panel.adminFetch('/admin/what-will-happen')).text()).toContain(seen!.to.toISOString());
    expect(await panel.admin('szqr', { dao: seen!.to.toISOString() })).toMatchObject({ success: true });
    // They continue automatically, in the background.
    await expect.poll(() => accounts().count(), { timeout: 20_000 }).toBe(0);
    expect(await kept()).toHaveLength(2);
  });

  it('that continues normally after the panel was off asks nothing, as long as the machine kept running', async () => {
    await due(2);
    clock.sleep(5 * HOUR_MS);
    await panel.get(ExpiryDeletions).run();
    expect(await accounts().count()).toBe(0);
    expect((await panel.get(DeletionCap).state()).jump).toBeNull();
  });

  it('below an hour is no jump, and more than the daily limit waits for confirmation', async () => {
    await due(7);
    clock.advance(59 * 60_000);
    await panel.get(ExpiryDeletions).run();
    expect([await accounts().count(), (await kept()).length]).toEqual([2, 5]);
    expect(await keys('admin')).toContain(`deletions-held:${dayIn(0)}`);
    expect((await rows({ lx: 'delete' })).map(({ day, why }) => [day, why])).toEqual([
      [dayIn(1), 'cap'],
      [dayIn(1), 'cap'],
    ]);
    expect(await panel.admin('zjscfx')).toMatchObject({ success: true });
    await expect.poll(() => accounts().count(), { timeout: 20_000 }).toBe(0);
  });
});

describe('the preview page', () => {
  it('matches what the jobs then do', { timeout: 300_000 }, async () => {
    const host = fc.record({
      ends: fc.integer({ min: -9, max: 12 }),
      graceDays: fc.constantFrom(null, 0, 2),
      keepDays: fc.constantFrom(null, null, 0, 3),
      exempt: fc.constantFrom(false, false, false, true),
      reason: fc.constantFrom('', '', '', 'admin', 'quota'),
      hold: fc.constantFrom(null, null, null, 4),
      told: fc.constantFrom(false, true),
    });
    const rules = fc.record({
      txts: fc.constantFrom('7,3,1,0', '5', '', '10,2'),
      kxts: fc.constantFrom('0', '1', '3'),
      scts: fc.constantFrom('0', '3', '5'),
    });
    await fc.assert(
      fc.asyncProperty(rules, fc.array(host, { minLength: 4, maxLength: 12 }), async (settings, hosts) => {
        await empty();
        clock.set(new Date(`${legacyDay(new Date(), 'Asia/Shanghai')}T04:00:00Z`));
        await set(settings);
        for (const [n, { ends, graceDays, keepDays, exempt, reason, hold, told }] of hosts.entries()) {
          const id = await open(`host${String(n).padStart(4, '0')}`, dayIn(ends), { graceDays, keepDays });
          if (reason) await hosting.pause(id, reason, 'admin');
          if (hold !== null) await accounts().update({ id }, { holdUntil: dayIn(hold) });
          if (exempt || told)
            await database.repository(HostExpiry).insert({
              hostId: id,
              exempt,
              ...(told
                ? { toldFor: dayIn(ends), toldAt: new Date(0), deletesOn: dayIn(1), remindedFor: dayIn(ends), remindedStep: 3 }
                : {}),
            });
        }
        const names = new Map((await accounts().find()).map(({ id, username }) => [id, username]));
        const days = 16;
        const events = await panel.get(ExpiryForecast).coming(days);
        const said = events.filter(({ what }) => what !== 'keep').map(({ day, what, host: { username } }) => `${day} ${username} ${what}`);
        const done: string[] = [];
        let seen = 0;
        for (let day = 0; day < days; day += 1) {
          const before = new Set((await accounts().find()).map(({ id }) => id));
          await work();
          const after = new Map((await accounts().find()).map((account) => [account.id, account]));
          for (const id of before) if (!after.has(id)) done.push(`${dayIn(0)} ${names.get(id)!} delete`);
          const told = await database.repository(Notice).find({ where: { side: 'user', kind: 'expire' }, order: { id: 'ASC' } });
          for (const { key, username } of told.slice(seen)) {
            const what = String(key).startsWith('expire-delete') ? 'tell' : String(key).startsWith('expire-paused') ? 'pause' : 'remind';
            done.push(`${dayIn(0)} ${username} ${what}`);
          }
          seen = told.length;
          clock.advance(DAY_MS);
        }
        // A host that is already stopped for another reason is also paused for expiry, without a notice.
        const isSilent = (line: string): boolean => line.endsWith(' pause') && hosts[Number(/host(\d+)/.exec(line)![1])]!.reason !== '';
        expect(said.filter((line) => !isSilent(line)).sort()).toEqual(done.sort());
      }),
      { numRuns: 12 },
    );
  });
});

describe('the settings', () => {
  it('accept valid values and name invalid ones', async () => {
    for (const wrong of [
      { txts: '7,x' },
      { txts: '91' },
      { txts: '1,2,3,4,5,6,7,8,9' },
      { kxts: '28' },
      { kxts: '-1' },
      { scts: '2' },
      { scts: '3651' },
    ])
      expect(await panel.admin('dqsz', wrong as unknown as Record<string, string>)).toMatchObject({
        success: false,
        err: 'E_ARGS',
        fields: { [Object.keys(wrong)[0]!]: expect.any(String) },
      });
    await set({ txts: ' 0、3 ,10,3', kxts: '2', scts: '30' });
    expect(panel.get(SiteSettings).current).toMatchObject({ expiryReminders: '10,3,0', expiryGraceDays: 2, expiryKeepDays: 30 });
    await set({ txts: '' });
    expect(panel.get(SiteSettings).current.expiryReminders).toBe('');
    expect(await panel.admin('dqsz', { row_version: 'old', kxts: '1' })).toMatchObject({ success: false });
    for (const wrong of [{ ts: '0' }, { ts: '61' }, { lx: 'x' }])
      expect(await panel.admin('listdq', wrong as never)).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('dqbl', { id: '99999', kg: 'true' })).toMatchObject({ err: 'E_NOTEXIST' });
  });
});
