import { In } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PanelClient } from '../../../test/support/panel-client.js';
import { TestPanel } from '../../../test/support/panel.js';
import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { OperationLog } from '../../operations/index.js';
import { HostingAccount, SaleDomain, SiteDomain, SoldName } from '../entities/index.js';
import { HostingService, MAX_ZONES, NameRepository, Names, NameSellers, Zones } from '../index.js';

import { NameMaintenance } from './name-maintenance.js';
import { readPrefix, readReserved } from './name-prefix.js';

const PASS = 'secret-pass-1';
type Answer = Record<string, unknown> & { rows: Record<string, unknown>[] };

let panel: TestPanel;
let ann: PanelClient;
let bob: PanelClient;
let zone: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  for (const user of ['ann001', 'bob001']) await panel.admin('addzj', { user, pass: PASS, btdh: 'local', ll: '10', yhds: '0' });
  ann = await new PanelClient(panel.url).login('user', 'ann001', PASS);
  bob = await new PanelClient(panel.url).login('user', 'bob001', PASS);
  const added = await panel.admin('addym', { url: 'Names.Example.com', bt: 'local', jg: '0', sl: '2', blqz: 'www mail, _dmarc' });
  zone = String((added as unknown as Answer).id);
});
afterAll(() => panel.close());

const ask = async (who: PanelClient, gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await who.ajax('user', { gn, ...fields })).json as unknown as Answer;
const admin = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
const rows = () => panel.get(Database).repository(SoldName);
const row = (name: string) => rows().findOneBy({ name });
const bound = async (name: string) => panel.get(Database).repository(SiteDomain).findOneBy({ name });
const hostOf = async (username: string) => panel.get(Database).repository(HostingAccount).findOneByOrFail({ username });
const days = (n: number): string => new Date(panel.get(Clock).now().getTime() + n * 86_400_000).toISOString().slice(0, 10);

describe('prefix', () => {
  it.each([
    ['Shop', 'shop'],
    [' a-b ', 'a-b'],
    ['商店', 'xn--czrs0t'],
    ['Bücher', 'xn--bcher-kva'],
    ['a.b', null],
    ['a。b', null],
    ['', null],
    ['-a', null],
    ['a-', null],
    ['ab--c', null],
    ['xn--a', null],
    ['xn--a-', null],
    ['xn--', null],
    ['xn--czrs0t', 'xn--czrs0t'],
    ['a b', null],
    ['*', null],
    ['_dmarc', null],
    ['a'.repeat(25), null],
    ["a';drop", null],
    ['a/../b', null],
  ])('%j is parsed as %j', (text, label) => expect(readPrefix(text)).toBe(label));

  it('may be reserved for a mail record', () => {
    expect(readReserved('WWW, mail\n_dmarc')).toBe('www mail _dmarc');
    expect(readReserved('www a.b')).toBeNull();
  });
});

describe('zones', () => {
  it('are listed, protected against concurrent edits, and rejected on conflicts', async () => {
    expect((await admin('listym')).rows).toMatchObject([
      { url: 'names.example.com', bt: 'local', jg: '0.00', kg: 'true', channel: 'pan', blqz: 'www mail _dmarc' },
    ]);
    const { row_version } = await admin('ymsj', { id: zone });
    expect(await admin('xgym', { id: zone, ymjs: 'nice', row_version: String(row_version) })).toMatchObject({ success: true });
    expect(await admin('xgym', { id: zone, ymjs: 'other', row_version: String(row_version) })).toMatchObject({ success: false });
    const now = String((await admin('ymsj', { id: zone })).row_version);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => admin('xgym', { id: zone, ymjs: `tab ${n}`, row_version: now })));
    expect(answers.map(({ err }) => err).sort()).toEqual(['E_CONFLICT', 'E_CONFLICT', 'E_CONFLICT', undefined]);
    expect(await admin('xgym', { id: zone, ymjs: 'nice' })).toMatchObject({ success: true });
    for (const [fields, field] of [
      [{ url: 'names.example.com' }, 'url'],
      [{ url: 'sub.names.example.com' }, 'url'],
      [{ url: 'example.com' }, 'url'],
      [{ url: '*.example.net' }, 'url'],
      [{ url: 'co.uk' }, 'url'],
      [{ url: '127.0.0.1' }, 'url'],
      [{ url: 'a.example.net', bt: 'gone' }, 'bt'],
      [{ url: 'a.example.net', jg: '-1' }, 'jg'],
      [{ url: 'a.example.net', jg: '1.234' }, 'jg'],
      [{ url: 'a.example.net', jg: '12.50' }, 'jg'],
      [{ url: 'a.example.net', ys: '12' }, 'ys'],
      [{ url: 'a.example.net', ys: '5' }, 'ys'],
      [{ url: 'a.example.net', channel: 'dnsapi' }, 'provider_id'],
      [{ url: 'a.example.net', channel: 'dnsapi', provider_id: '7' }, 'provider_id'],
      [{ url: 'a.example.net', blqz: 'a.b' }, 'blqz'],
    ] as const) {
      const answer = await admin('addym', { bt: 'local', ...fields });
      expect([fields, answer.success, Object.keys((answer.fields ?? {}) as object)]).toEqual([fields, false, [field]]);
    }
  });

  it('report the limit as its own error, not as an existing zone', async () => {
    const zones = panel.get(Database).repository(SaleDomain);
    const [first] = await zones.find({ take: 1 });
    const domains = Array.from({ length: MAX_ZONES - (await zones.count()) }, (_, n) => `z${n}.full.example.org`);
    await zones.insert(domains.map((domain) => ({ ...first!, id: undefined, domain })));
    expect(await admin('addym', { url: 'one.example.net', bt: 'local' })).toMatchObject({
      err: 'E_LIMIT',
      fields: { url: expect.stringContaining(String(MAX_ZONES)) },
    });
    expect(await admin('addym', { url: domains[0]!, bt: 'local' })).toMatchObject({ err: 'E_EXISTS' });
    await zones.delete({ domain: In(domains) });
    const made = await admin('addym', { url: 'one.example.net', bt: 'local' });
    expect(await admin('ymsc', { id: String(made.id) })).toMatchObject({ success: true });
  });

  it('that overlap are never added concurrently', async () => {
    const urls = ['a.race.example.org', 'race.example.org', 'b.a.race.example.org'];
    const answers = await Promise.all(urls.map((url) => admin('addym', { url, bt: 'local' })));
    const made = answers.filter(({ success }) => success === true);
    expect(made).toHaveLength(1);
    expect(await admin('ymsc', { id: String(made[0]!.id) })).toMatchObject({ success: true });
  });
});

describe('names', () => {
  it('are searched, taken, bound to the site, and unavailable to others', async () => {
    expect(await ask(ann, 'ymlist')).toMatchObject({ rows: [{ url: 'names.example.com', jg: '0.00' }] });
    expect(await ask(ann, 'ymcx', { id: zone, qz: 'SHOP' })).toMatchObject({
      success: true,
      state: 'free',
      name: 'shop.names.example.com',
    });
    expect(await ask(ann, 'ymcx', { id: zone, qz: 'www' })).toMatchObject({ state: 'reserved', free: 'false' });
    expect(await ask(ann, 'ymbd', { id: zone, qz: 'Shop', ml: '/shop' })).toMatchObject({ success: true, name: 'shop.names.example.com' });
    expect(await bound('shop.names.example.com')).toMatchObject({ folder: 'shop' });
    expect(await ask(ann, 'wdym')).toMatchObject({ rows: [{ name: 'shop.names.example.com', state: 'sold', path: '/shop' }] });
    expect(await ask(bob, 'ymcx', { id: zone, qz: 'shop' })).toMatchObject({ state: 'taken' });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'shop' })).toMatchObject({ success: false });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'www' })).toMatchObject({ success: false });
    expect(await ask(bob, 'wdym')).toMatchObject({ rows: [] });
    const { id } = (await row('shop.names.example.com'))!;
    expect(await ask(bob, 'ymjb', { id: String(id) })).toMatchObject({ success: false });
    expect((await row('shop.names.example.com'))!.state).toBe('sold');
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { category: 'ymbd' }, order: { id: 'ASC' } });
    expect(lines[0]).toMatchObject({ category: 'ymbd' });
  });

  it('cannot be taken by binding them as regular domains, below, next to or by a wildcard', async () => {
    for (const url of [
      'free.names.example.com',
      'a.free.names.example.com',
      'shop.names.example.com',
      'x.shop.names.example.com',
      '*.x.names.example.com',
    ]) {
      const answer = await ask(bob, 'tjurl', { url });
      expect([url, answer.success]).toEqual([url, false]);
    }
    // These are the zone's own: who binds them has to prove that it is his.
    for (const url of ['names.example.com', 'www.names.example.com', '*.names.example.com']) {
      const answer = await ask(bob, 'tjurl', { url });
      expect([url, answer.success]).toEqual([url, false]);
    }
    expect(await ask(ann, 'tjurl', { url: 'x.shop.names.example.com' })).toMatchObject({ success: true });
    expect(await ask(ann, 'scurl', { url: 'shop.names.example.com' })).toMatchObject({ success: true });
    expect(await ask(ann, 'wdym')).toMatchObject({ rows: [{ state: 'unbound' }] });
    expect(await ask(bob, 'tjurl', { url: 'shop.names.example.com' })).toMatchObject({ success: false });
    expect(await ask(ann, 'ymbd', { id: zone, qz: 'shop' })).toMatchObject({ success: true });
  });

  it('that are released are unbound with everything below them, and blocked for a while', async () => {
    const { id } = (await row('shop.names.example.com'))!;
    expect(await admin('ymjb', { id: String(id), user: 'bob001' })).toMatchObject({ success: false });
    expect(await ask(ann, 'ymjb', { id: String(id) })).toMatchObject({ success: true });
    expect(await ask(ann, 'ymjb', { id: String(id) })).toMatchObject({ success: false });
    expect(await bound('shop.names.example.com')).toBeNull();
    expect(await bound('x.shop.names.example.com')).toBeNull();
    for (const who of [ann, bob]) expect(await ask(who, 'ymbd', { id: zone, qz: 'shop' })).toMatchObject({ success: false });
    expect(await ask(ann, 'tjurl', { url: 'shop.names.example.com' })).toMatchObject({ success: false });
    expect(await admin('ymfc', { id: String(id) })).toMatchObject({ success: true });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'shop' })).toMatchObject({ success: true });
    expect(await admin('ymsc', { id: zone })).toMatchObject({ success: false });
    expect(await admin('ymscxz', { idsz: `[${zone}]` })).toMatchObject({ used: [Number(zone)] });
  });

  it('are taken by only one of two concurrent requests, within the limit per customer', async () => {
    const answers = await Promise.all([ann, bob, ann, bob].map((who) => ask(who, 'ymbd', { id: zone, qz: 'race' })));
    // Who has it already binds it again.
    expect(new Set(answers.filter(({ success }) => success === true).map(({ name }) => name)).size).toBe(1);
    expect(await rows().countBy({ name: 'race.names.example.com' })).toBe(1);
    const host = await panel.admin('addzj', { user: 'many01', pass: PASS, btdh: 'local', ll: '10' });
    const many = await new PanelClient(panel.url).login('user', 'many01', PASS);
    const got = await Promise.all(['m1', 'm2', 'm3', 'm4'].map((qz) => ask(many, 'ymbd', { id: zone, qz })));
    expect(got.filter(({ success }) => success === true)).toHaveLength(2);
    expect(await rows().countBy({ accountId: Number(host.data.id), state: 'sold' })).toBe(2);
  });

  it('with a price are not given away', async () => {
    const undo = panel.get(NameSellers).serve('/names-shop');
    await panel.get(Zones).change(Number(zone), { price: 1_250 });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'paid' })).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    expect(await row('paid.names.example.com')).toBeNull();
    await admin('xgym', { id: zone, jg: '0', sl: '0' });
    await admin('ymkg', { id: zone, kg: 'false' });
    expect(await ask(bob, 'ymcx', { id: zone, qz: 'paid' })).toMatchObject({ success: false });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'paid' })).toMatchObject({ success: false });
    await admin('ymkg', { id: zone, kg: 'true' });
    undo();
  });
});

describe('ordered names', () => {
  const order = (orderNo: string, until: Date | null = new Date(Date.now() + 3_600_000)) => ({ orderNo, until, months: 0 });

  it('are held for one order, and released if it is cancelled', async () => {
    const names = panel.get(Names);
    const base = await panel.get(Zones).find(Number(zone));
    const host = await hostOf('bob001');
    await names.take(base, 'held', host, '', order('o-1'));
    await expect(names.take(base, 'held', await hostOf('ann001'), '', order('o-2'))).rejects.toMatchObject({ code: 'TAKEN' });
    expect(await ask(ann, 'ymcx', { id: zone, qz: 'held' })).toMatchObject({ state: 'taken' });
    expect(await ask(bob, 'tjurl', { url: 'held.names.example.com' })).toMatchObject({ success: false });
    await panel.get(NameRepository).drop('o-1');
    await names.take(base, 'held', await hostOf('ann001'), '', order('o-2'));
    expect(await panel.get(NameRepository).sell('o-1', null)).toBeNull();
    const sold = await panel.get(NameRepository).sell('o-2', days(30));
    expect(sold).toMatchObject({ state: 'sold', expiresOn: days(30) });
    // A second delivery changes nothing, and giving up the order does not either.
    expect(await panel.get(NameRepository).sell('o-2', days(60))).toMatchObject({ expiresOn: days(30) });
    await panel.get(NameRepository).drop('o-2');
    expect((await row('held.names.example.com'))!.state).toBe('sold');
  });

  it('are released automatically when the hold expires', async () => {
    const base = await panel.get(Zones).find(Number(zone));
    await panel.get(Names).take(base, 'late', await hostOf('bob001'), '', order('o-3', new Date(Date.now() - 1_000)));
    expect(await ask(ann, 'ymbd', { id: zone, qz: 'late' })).toMatchObject({ success: true });
    expect((await row('late.names.example.com'))!.orderNo).toBeNull();
  });
});

describe('name maintenance', () => {
  it('ends names after their grace, with one reminder per step before', async () => {
    await ask(ann, 'ymbd', { id: zone, qz: 'ends' });
    const { id } = (await row('ends.names.example.com'))!;
    const maintenance = panel.get(NameMaintenance);
    const told = async (): Promise<string> => JSON.stringify(await ask(ann, 'notice_list'));
    await rows().update({ id }, { expiresOn: days(3) });
    await maintenance.run();
    await maintenance.run();
    expect((await told()).match(/ends\.names\.example\.com/g)).toHaveLength(1);
    await rows().update({ id }, { expiresOn: days(-5) });
    await maintenance.run();
    expect((await row('ends.names.example.com'))!.state).toBe('sold');
    expect(await bound('ends.names.example.com')).not.toBeNull();
    await rows().update({ id }, { expiresOn: days(-9) });
    await Promise.all([maintenance.run(), maintenance.run()]);
    expect((await row('ends.names.example.com'))!.state).toBe('resting');
    expect(await bound('ends.names.example.com')).toBeNull();
    await rows().update({ id }, { until: new Date(Date.now() - 1_000) });
    await maintenance.run();
    expect(await row('ends.names.example.com')).toBeNull();
  });

  it('removes names with an ownerless host, and keeps those of a customer whose host is deleted', async () => {
    const made = await panel.admin('addyh', { username: 'keeper1', pass: PASS, email: 'keeper@example.com' });
    const customerId = Number((made as unknown as { id?: number; data?: { id: number } }).id ?? made.data.id);
    for (const user of ['keep01', 'gone01', 'next01']) await panel.admin('addzj', { user, pass: PASS, btdh: 'local', ll: '10' });
    for (const user of ['keep01', 'next01']) await panel.admin('zjzp', { id: String((await hostOf(user)).id), yh_id: String(customerId) });
    const keep = await new PanelClient(panel.url).login('user', 'keep01', PASS);
    const gone = await new PanelClient(panel.url).login('user', 'gone01', PASS);
    expect(await ask(keep, 'ymbd', { id: zone, qz: 'keep' })).toMatchObject({ success: true });
    expect(await ask(gone, 'ymbd', { id: zone, qz: 'gone' })).toMatchObject({ success: true });
    for (const user of ['keep01', 'gone01']) await panel.get(HostingService).terminate((await hostOf(user)).id, 'admin');
    await panel.get(NameMaintenance).run();
    expect(await row('gone.names.example.com')).toMatchObject({ state: 'resting' });
    expect(await row('keep.names.example.com')).toMatchObject({ state: 'sold', accountId: null, customerId });
    expect(await ask(bob, 'ymbd', { id: zone, qz: 'keep' })).toMatchObject({ success: false });
    const next = await new PanelClient(panel.url).login('user', 'next01', PASS);
    expect(await ask(next, 'ymbd', { id: zone, qz: 'keep' })).toMatchObject({ success: true });
    expect(await bound('keep.names.example.com')).toMatchObject({ accountId: (await hostOf('next01')).id });
  });
});
