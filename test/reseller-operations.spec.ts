/** A reseller's work with hosts and servers, by the operation names of programs of this family. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { AccountRecovery, BinnedSite, HostingAccount, HostingNode, SiteStatistic } from '../src/hosting/index.js';
import { Notice } from '../src/notify/index.js';
import { PanelClient } from './support/panel-client.js';
import { addCustomer } from './support/customers.js';
import { TestPanel } from './support/panel.js';

const PASS = 'secret-pass-1';
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel?.close());

const open = async (user: string, more: Record<string, string> = {}) =>
  String((await panel.admin('addzj', { user, pass: PASS, btdh: 'local', ...more })).data.id);
const rowOf = (id: string) =>
  panel
    .get(Database)
    .repository(HostingAccount)
    .findOneByOrFail({ id: Number(id) });
const owner = (user: string) => new PanelClient(panel.url).login('user', user, PASS);
/** Someone whose role permits everything, but on no server. */
const outsider = async (name: string): Promise<PanelClient> => {
  const far = await panel.admin('addbt', { bh: `far-${name}`, driver: 'other', ip: '127.0.0.9', kg: 'false' });
  const nodes = panel.get(Database).repository(HostingNode);
  const node = far.success
    ? String(far.data.id)
    : String(
        (
          await nodes.save(
            nodes.create({
              ...(await nodes.findOneByOrFail({ code: 'local' })),
              id: undefined,
              code: `far-${name}`,
              codeKey: `far-${name}`,
            }),
          )
        ).id,
      );
  const role = String((await panel.admin('jsbc', { name: `Far ${name}`, qxmb: '*', xz: 'true', nodes: node })).data.id);
  await panel.admin('addadmin', { user: name, pass: PASS, js_id: role });
  return new PanelClient(panel.url).login('admin', name, PASS);
};

describe('starting and stopping a site', () => {
  it('does not change the account', async () => {
    const id = await open('switch01');
    expect(await panel.admin('zjtd', { id })).toMatchObject({ success: true, data: { qk: 'true', wzqk: 'false', zjzt: 'active' } });
    expect(await panel.admin('zjtd', { id })).toMatchObject({ success: true });
    expect((await (await owner('switch01')).ajax('user', { gn: 'zjxx' })).json).toMatchObject({ success: true });
    expect(await panel.admin('zjqd', { id })).toMatchObject({ success: true, data: { qk: 'true', wzqk: 'true' } });
    await panel.admin('zjzt', { id });
    expect(await panel.admin('zjqd', { id })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('zjtd', { id })).toMatchObject({ success: true, data: { qk: 'false', zjzt: 'paused' } });
  });
});

describe('pausing by hand', () => {
  it('tells the owner the reason on request, when the site stops and when it runs again, and keeps it', async () => {
    const id = await open('paused01');
    const told = async () => {
      const rows = await panel.get(Database).repository(Notice).findBy({ username: 'paused01' });
      return rows.map(({ words }) => [words!.title.key, words!.text.key, words!.text.params?.yy]);
    };
    expect(await panel.admin('zjzt', { id })).toMatchObject({ success: true });
    expect(await panel.admin('zjjc', { id, yy: 'paid' })).toMatchObject({ success: true });
    expect(await told()).toEqual([]);
    expect(await panel.admin('zjzt', { id, yy: '  not paid ', tzyh: 'true' })).toMatchObject({ success: true });
    // It is already stopped.
    expect(await panel.admin('zjzt', { id, yy: 'again', tzyh: 'true' })).toMatchObject({ success: true });
    expect(await panel.admin('zjjc', { id, tzyh: 'true' })).toMatchObject({ success: true });
    expect(await told()).toEqual([
      ['hosting.pause_title', 'hosting.pause_notice_why', 'not paid'],
      ['hosting.resume_title', 'hosting.resume_notice', undefined],
    ]);
    const { rows } = await panel.admin('listzjls', { id, limit: '100' });
    expect(JSON.stringify(rows)).toMatch(/paused01（not paid）/);
    expect(await panel.admin('zjzt', { id, yy: 'x'.repeat(301) })).toHaveProperty('fields.yy');
  });

  it('and servers: filters are rejected by name when they are not a number in range', async () => {
    const fields = { bh: 'chosen', driver: 'embedded', ip: '127.0.0.1' };
    for (const [name, value] of [
      ['rl', '-1'],
      ['rl', '1e3'],
      ['qz', '0'],
      ['qz', '1001'],
    ] as const)
      expect(await panel.admin('addbt', { ...fields, [name]: value })).toMatchObject({
        success: false,
        fields: { [name]: expect.any(String) as string },
      });
  });
});

describe('renewing by days', () => {
  it('counts from the last day, and accepts either days or a date', async () => {
    const id = await open('renewed1', { datae: '2031-01-30' });
    expect(await panel.admin('zjxf', { id, ts: '2' })).toMatchObject({ success: true, data: { datae: '2031-02-01' } });
    for (const fields of [{}, { ts: '1', datae: '2031-03-01' }, { ts: '0' }, { ts: '-3' }, { ts: '1e9' }, { ts: '3651' }] as Record<
      string,
      string
    >[])
      expect([fields, await panel.admin('zjxf', { id, ...fields })]).toEqual([
        fields,
        expect.objectContaining({ success: false, err: 'E_ARGS' }),
      ]);
    expect((await rowOf(id)).expiresOn).toBe('2031-02-01');
    await panel.admin('zjxf', { id, datae: '0' });
    expect(await panel.admin('zjxf', { id, ts: '2' })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('adds both of two at once, or rejects one as too late', async () => {
    const id = await open('renewed2', { datae: '2031-01-01' });
    const answers = await Promise.all([1, 2, 3].map(() => panel.admin('zjxf', { id, ts: '10' })));
    const done = answers.filter(({ success }) => success).length;
    expect(done).toBeGreaterThan(0);
    for (const answer of answers.filter(({ success }) => !success)) expect(answer).toMatchObject({ err: 'E_CONFLICT' });
    expect((await rowOf(id)).expiresOn).toBe(new Date(Date.UTC(2031, 0, 1 + 10 * done)).toISOString().slice(0, 10));
  });
});

describe('other names', () => {
  it('change limits, keys and the switch of a server like the primary names', async () => {
    const id = await open('limits01');
    expect(await panel.admin('zjbg', { id, webkj: '77' })).toMatchObject({ success: true });
    expect((await rowOf(id)).webQuotaMb).toBe(77);
    expect(await panel.admin('zjbg', { id })).toMatchObject({ err: 'E_ARGS' });
    const node = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    const bt = String(node.id);
    const before = (await panel.admin('btmyck', { id: bt })).data.dymy;
    const { dymy } = (await panel.admin('btmycz', { id: bt })).data;
    expect(dymy).not.toBe(before);
    expect((await panel.admin('btmyck', { id: bt })).data.dymy).toBe(dymy);
    expect(await panel.admin('btkg', { id: bt, kg: 'false' })).toMatchObject({ success: true, data: { qk: 'false' } });
    expect(await panel.admin('addzj', { user: 'nowhere1', pass: PASS, btdh: 'local' })).toMatchObject({ success: false });
    expect(await panel.admin('btkg', { id: bt, kg: 'perhaps' })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('btkg', { id: bt })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('btkg', { id: bt, kg: 'true' })).toMatchObject({ success: true, data: { qk: 'true' } });
  });

  it('accept a server by its code for compare and repair, and not from someone without access', async () => {
    for (const gn of ['btzj', 'bttb', 'zjtb']) {
      expect([gn, await panel.admin(gn, { btdh: 'LOCAL' })]).toEqual([gn, expect.objectContaining({ success: true })]);
      expect([gn, await panel.admin(gn, { btdh: 'no-such' })]).toEqual([gn, expect.objectContaining({ err: 'E_NOTEXIST' })]);
      expect([gn, await panel.admin(gn)]).toEqual([gn, expect.objectContaining({ err: 'E_NOTEXIST' })]);
    }
    const far = await outsider('stranger');
    const id = await open('reached1');
    for (const [gn, fields] of [
      ['btzj', { btdh: 'local' }],
      ['bttb', { btdh: 'local' }],
      ['zjtb', { btdh: 'local' }],
      ['zjtb', { id }],
      ['zjgq', { id, date: '2031-01-01' }],
      ['zjqd', { id }],
      ['reset_sitestats', { site: 'reached1' }],
    ] as [string, Record<string, string>][])
      expect([gn, (await far.ajax('admin', { gn, ...fields })).json]).toEqual([
        gn,
        expect.objectContaining({ success: false, err: 'E_NOTEXIST' }),
      ]);
  });

  it('reject a password that may not become the FTP password, and features this kind of server lacks', async () => {
    await open('synced01');
    const user = await owner('synced01');
    const change = (tb: string) => user.ajax('user', { gn: 'xgpass', yp: PASS, pass: 'secret-pass-2', tb });
    expect((await change('false')).json).toMatchObject({ success: false, err: 'E_DISABLED', fields: { tb: expect.any(String) } });
    expect((await user.ajax('user', { gn: 'fzjh', qk: 'true', url: 'http://127.0.0.1' })).json).toMatchObject({ err: 'E_DISABLED' });
    expect((await change('true')).json).toMatchObject({ success: true });
  });
});

describe('a hold', () => {
  it('keeps an expired host in service for visitors and owner, is in its history, and its owner is notified', async () => {
    const id = await open('held0001', { datae: '2020-01-01' });
    const user = await owner('held0001');
    expect((await user.ajax('user', { gn: 'xjwj', ml: '/', wjname: 'a.txt' })).json).toMatchObject({ success: false });
    expect(await panel.admin('zjgq', { id, date: '2031-05-01' })).toMatchObject({
      success: true,
      data: { gq: '2031-05-01', status: 'active', datae: '2020-01-01' },
    });
    expect((await user.ajax('user', { gn: 'xjwj', ml: '/', wjname: 'a.txt' })).json).toMatchObject({ success: true });
    const { rows } = (await user.ajax('user', { gn: 'listzjls' })).json as unknown as { rows: { lr: string }[] };
    expect(rows[0]!.lr).toContain('2031-05-01');
    const told = async () => JSON.stringify((await user.ajax('user', { gn: 'notice_list' })).json);
    expect(await told()).toContain('2031-05-01');
    expect(await panel.admin('zjgq', { id, date: '' })).toMatchObject({ success: true, data: { gq: '', status: 'expired' } });
    expect(await told()).toContain('不再享受保留');
  });

  it('is refused for past and invalid dates, and without the permission', async () => {
    const id = await open('held0002');
    for (const date of ['2020-01-01', 'tomorrow', '2099-01-01', '2031-02-30'])
      expect([date, await panel.admin('zjgq', { id, date })]).toEqual([
        date,
        expect.objectContaining({ success: false, err: 'E_ARGS', fields: { date: expect.any(String) } }),
      ]);
    expect(await panel.admin('zjgq', { id: '999999', date: '2031-01-01' })).toMatchObject({ err: 'E_NOTEXIST' });
    expect((await (await owner('held0002')).ajax('user', { gn: 'zjgq', id, date: '2031-01-01' })).json).toMatchObject({
      code: '请求错误！',
    });
  });
});

describe('statistics', () => {
  it('of one site are reset, by user name or domain, and those of others stay', async () => {
    const [one, other] = [await open('counted1'), await open('counted2')];
    const rows = panel.get(Database).repository(SiteStatistic);
    const row = { unit: 'd' as const, at: '2026-11-20', detail: '', visitors: 1 };
    for (const id of [one, other]) await rows.insert({ ...row, accountId: Number(id) } as never);
    expect(await panel.admin('reset_sitestats', {})).toMatchObject({ success: false, msg: '缺少站点名称' });
    expect(await panel.admin('reset_sitestats', { site: 'nobody00' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('reset_sitestats', { site: 'counted1', node_id: 'elsewhere' })).toMatchObject({ success: false });
    expect(await panel.admin('reset_sitestats', { site: ' Counted1 ', node_id: 'local' })).toMatchObject({
      success: true,
      code: 1,
      deleted: 1,
    });
    expect(await rows.countBy({ accountId: Number(one) })).toBe(0);
    expect(await rows.countBy({ accountId: Number(other) })).toBe(1);
    expect(await panel.admin('reset_sitestats', { site: 'counted1' })).toMatchObject({ success: true, deleted: 0 });
  });
});

describe('an export', () => {
  const fileOf = async (fields: Record<string, string>) => {
    const { data } = await panel.admin('zjdc', fields);
    const answer = await panel.adminFetch(String(data.url), { headers: { 'Accept-Language': 'en' } });
    return { type: answer.headers.get('content-type'), name: answer.headers.get('content-disposition'), text: await answer.text() };
  };

  it('contains the list: selected ids or filtered hosts, as a table or as rows, and never a password', async () => {
    const [one, two] = [await open('export01', { datae: '2031-01-01' }), await open('export02')];
    await open('export03');
    const csv = await fileOf({ ids: `${one},${two}` });
    expect(csv).toMatchObject({ type: 'text/csv; charset=utf-8', name: 'attachment; filename="hosts.csv"' });
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
    const json = await fileOf({ 'idsz[0]': two, gs: 'json' });
    expect(json).toMatchObject({ type: 'application/json; charset=utf-8', name: 'attachment; filename="hosts.json"' });
    const { total, rows } = JSON.parse(json.text) as { total: number; rows: Record<string, string>[] };
    expect([total, rows.map(({ user }) => user)]).toEqual([1, ['export02']]);
    expect(Object.keys(rows[0]!)).not.toContain('pass');
    const named = await fileOf({ gs: 'json', where: '{"name":"user","type":"2","value":"export0"}' });
    expect(JSON.parse(named.text)).toMatchObject({ total: 3 });
    expect(JSON.parse((await fileOf({ gs: 'json', dq_days: '1' })).text)).toMatchObject({ total: 0, rows: [] });
    // An invalid id selects nothing, not everything.
    expect(JSON.parse((await fileOf({ gs: 'json', ids: 'x' })).text)).toMatchObject({ total: 0 });
    expect(await panel.admin('zjdc', { gs: 'xml' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('zjdc', { zjzt: 'bogus' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('zjdc', { ids: Array.from({ length: 501 }, (_, n) => n + 1).join(',') })).toMatchObject({ err: 'E_ARGS' });
  });

  it('contains nothing of servers without access', async () => {
    const far = await outsider('exporter');
    const answer = (await far.ajax('admin', { gn: 'zjdc', gs: 'json' })).json as { data: { url: string } };
    expect(JSON.parse((await far.send(answer.data.url)).text)).toEqual({ total: 0, rows: [] });
  });
});

describe('a customer account', () => {
  it('is assigned to a host by number or name, and removed again', async () => {
    const id = await open('owned001');
    const customer = await addCustomer(panel, 'Buyer');
    expect(await panel.admin('zjzp', { id, yh: 'BUYER' })).toMatchObject({ success: true, data: { yh_id: String(customer), yh: 'Buyer' } });
    expect((await rowOf(id)).ownerId).toBe(customer);
    expect(await panel.admin('zjzp', { id, yh_id: String(customer) })).toMatchObject({ success: true });
    for (const fields of [{}, { yh: 'Buyer', yh_id: '1' }, { yh_id: '-1' }, { yh_id: 'x' }] as Record<string, string>[])
      expect([fields, await panel.admin('zjzp', { id, ...fields })]).toEqual([fields, expect.objectContaining({ err: 'E_ARGS' })]);
    for (const fields of [{ yh: "' OR 1=1 --" }, { yh_id: '999999' }] as Record<string, string>[])
      expect([fields, await panel.admin('zjzp', { id, ...fields })]).toEqual([fields, expect.objectContaining({ err: 'E_NOTEXIST' })]);
    expect((await rowOf(id)).ownerId).toBe(customer);
    expect(await panel.admin('zjzp', { id, yh_id: '0' })).toMatchObject({ success: true, data: { yh_id: '' } });
    expect((await rowOf(id)).ownerId).toBeNull();
  });

  it('sees the FTP connection details only after its own password, if there is FTP', async () => {
    await open('looks001');
    const user = await owner('looks001');
    const look = async (pass: string) => (await user.ajax('user', { gn: 'zjmmck', pass })).json;
    expect(await look('wrong-pass')).toMatchObject({ success: false, err: 'E_ARGS', fields: { pass: expect.any(String) } });
    expect(await look(PASS)).toMatchObject({ success: false, err: 'E_DISABLED' });
  });
});

describe('taking over sites', () => {
  const sites = () => join(panel.dataDir, 'sites');
  const record = async (name: string) => JSON.parse(await readFile(join(sites(), name, 'site.json'), 'utf8')) as Record<string, string>;
  /** A site in the folder whose account is gone, as after a database restore. */
  const orphan = async (user: string): Promise<string> => {
    const id = await open(user);
    const { siteName } = await rowOf(id);
    await writeFile(join(sites(), siteName, 'public', 'kept.txt'), `of ${user}`);
    await panel
      .get(Database)
      .repository(HostingAccount)
      .delete({ id: Number(id) });
    return siteName;
  };
  const adopt = (fields: Record<string, string>) => panel.admin('zjdr', { btdh: 'local', ...fields });
  const created = () => panel.get(Database).repository(DurableEvent).countBy({ hook: 'host.created' });

  it('opens an account for each with its files unchanged, fires its event once, and reports each result', async () => {
    const [first, second] = [await orphan('orphan01'), await orphan('orphan02')];
    await open('taken001');
    const before = await created();
    const answer = await adopt({ 'list[0]': first, 'list[1]': 'svc.nowhere', 'list[2]': '../../etc', 'list[3]': second, webkj: '5' });
    expect(answer).toMatchObject({ success: true, data: { done: 2, failed: 2 } });
    const rows = (answer.data as unknown as { rows: Record<string, string>[] }).rows;
    expect(rows.map(({ site, user, zt }) => [site, user, zt])).toEqual([
      [first, 'orphan01', 'done'],
      ['svc.nowhere', '', 'failed'],
      ['../../etc', '', 'failed'],
      [second, 'orphan02', 'done'],
    ]);
    expect(await created()).toBe(before + 2);
    const client = await new PanelClient(panel.url).login('user', 'orphan01', rows[0]!.pass!);
    expect((await client.ajax('user', { gn: 'hqwj', path: '/', name: 'kept.txt' })).text).toBe('of orphan01');
    expect(await rowOf(rows[0]!.id!)).toMatchObject({ siteName: first, state: 'active', webQuotaMb: 5 });
    expect((await record(first)).ownerMark).toBe(`host:${rows[0]!.id}:${first}`);
    // Again: it now belongs to an account.
    expect(await adopt({ 'list[0][site]': first, 'list[0][user]': 'another01', 'list[0][pass]': PASS })).toMatchObject({
      success: false,
      err: 'E_INUSE',
    });
  });

  it('accepts another name and password, and reports errors at the field', async () => {
    const site = await orphan('orphan03');
    await open('orphan03');
    const one = (user: string, pass = PASS) => adopt({ 'list[0][site]': site, 'list[0][user]': user, 'list[0][pass]': pass });
    expect(await one('orphan03')).toMatchObject({ success: false, err: 'E_EXISTS', fields: { 'list[0][user]': expect.any(String) } });
    expect(await one('no/such')).toMatchObject({ success: false, err: 'E_ARGS', fields: { 'list[0][user]': expect.any(String) } });
    expect(await one('orphan04', 'x')).toMatchObject({ success: false });
    expect((await record(site)).username).toBe('orphan03');
    expect(await one('Orphan-04')).toMatchObject({ success: true });
    expect(await new PanelClient(panel.url).login('user', 'orphan-04', PASS)).toBeTruthy();
  });

  it('never takes over an account’s site, a copy of one, or the same one twice', async () => {
    const id = await open('living01');
    const { siteName } = await rowOf(id);
    expect(await adopt({ 'list[0]': siteName })).toMatchObject({ success: false, err: expect.stringMatching(/E_INUSE|E_EXISTS/) });
    await cp(join(sites(), siteName), join(sites(), 'svc.copied'), { recursive: true });
    expect(await adopt({ 'list[0][site]': 'svc.copied', 'list[0][user]': 'thief001' })).toMatchObject({ success: false, err: 'E_INUSE' });
    expect((await record('svc.copied')).ownerMark).toBe(`host:${id}:${siteName}`);
    const site = await orphan('orphan05');
    const answers = await Promise.all(
      ['racer001', 'racer002', 'racer003'].map((user) => adopt({ 'list[0][site]': site, 'list[0][user]': user, 'list[0][pass]': PASS })),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(await panel.get(Database).repository(HostingAccount).countBy({ siteName: site })).toBe(1);
    for (const list of ['[]', '', '["a","a"]', JSON.stringify(Array.from({ length: 101 }, (_, n) => `svc.${n}`))])
      expect([list, await adopt({ list })]).toEqual([list, expect.objectContaining({ success: false, err: 'E_ARGS' })]);
  });

  it('that was interrupted is completed or undone depending on the site’s mark, and the site stays either way', async () => {
    const rows = panel.get(Database).repository(HostingAccount);
    const cut = async (user: string, more: object) => {
      const site = await orphan(user);
      const values = {
        username: user,
        userKey: user,
        passwordHash: 'x',
        nodeCode: 'local',
        siteName: site,
        siteId: (await record(site)).siteId!,
        pauseReasons: [],
      };
      const past = new Date(Date.now() - 60_000);
      const row = rows.create({
        ...values,
        state: 'provisioning',
        createdAt: past,
        openedBy: 'admin',
        claimedBy: 'dead',
        claimedUntil: new Date(Date.now() + 60_000),
        ...more,
      });
      await rows.insert(row);
      return { site, id: row.id };
    };
    const before = await cut('cutshort1', {});
    const after = await cut('cutshort2', {});
    await writeFile(
      join(sites(), after.site, 'site.json'),
      JSON.stringify({ ...(await record(after.site)), ownerMark: `host:${after.id}:${after.site}` }),
    );
    // The process doing it is dead from here on.
    await rows.update({ claimedBy: 'dead' }, { claimedUntil: new Date(Date.now() - 60_000) });
    await panel.get(AccountRecovery).recoverUnfinished();
    expect(await rows.findOneBy({ id: before.id })).toBeNull();
    expect(await rows.findOneBy({ id: after.id })).toMatchObject({ state: 'active', claimedUntil: null });
    for (const { site } of [before, after])
      expect(await readFile(join(sites(), site, 'public', 'kept.txt'), 'utf8')).toContain('of cutshort');
    expect(await panel.get(Database).repository(BinnedSite).countBy({ siteName: before.site })).toBe(0);
  });
});
