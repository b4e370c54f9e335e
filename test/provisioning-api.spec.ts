import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { AccountRecovery, HostingAccount, HostingNode, HostingService } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { OperationLog } from '../src/operations/index.js';

import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { runJob } from './support/run-job.js';
import { capturedRequests, OTHER_NODE_KEY, TestShop } from './support/provisioning.js';
import { SiteSettings } from '../src/site/index.js';

const UNKNOWN_HOST = { success: false, code: 100, msg: '不存在主机用户名' };
const DELETE_UNKNOWN = { ...UNKNOWN_HOST, msg: '主机删除失败！因为不存在主机用户名' };
const KT = { password: 'secret-1', dqtime: '2031-01-31', webdx: '500', sqldx: '100', sizemax: '30', ymbds: '3' };
const OPENED = { success: true, code: 200, msg: '主机开通成功！' };

let shop: TestShop;
let agent: FakeAgent;
let baota: FakeBaota;
const debian = new FakeServer();
beforeAll(async () => {
  [shop, baota] = await Promise.all([TestShop.start({ OUTBOUND_ALLOW: '127.0.0.0/8' }), FakeBaota.start()]);
  agent = await startFakeServer(shop.panel, 'debian', debian);
  const server = { bh: 'baota', driver: 'baota', ip: '127.0.0.1', dk: String(baota.port), key: FAKE_PANEL_KEY };
  expect(await shop.panel.admin('addbt', server)).toMatchObject({ success: true });
  const nodes = shop.database.repository(HostingNode);
  for (const code of ['debian', 'baota']) await nodes.update({ code }, { openKey: 'kt', signatureKey: 'qm' });
});
afterAll(async () => {
  await agent?.stopNow();
  await shop?.panel.close();
  await baota?.close();
  debian.dispose();
});
beforeEach(() => shop.clear());

const call = (gn: string, fields?: Record<string, string>) => shop.call(gn, fields);
const kt = (fields: Record<string, string> = {}) => call('kt', { ...KT, ...fields });
const hosting = () => shop.panel.get(HostingService);
const site = async (user: string): Promise<{ status: number; body: string }> => {
  const { port, hostname } = new URL((await hosting().get(user))!.url);
  return new DemoVisitor(shop.panel.url).site(Number(port), hostname);
};
const siteStatus = async (user: string): Promise<number> => (await site(user)).status;

describe('deployed clients', () => {
  it.each(['bh1', 'debian', 'baota'])('get the success response they expect for every captured request, of %s', async (code) => {
    const expected: Record<string, string> = {
      kt: '主机开通成功！',
      zt: '主机暂停成功！',
      ztcx: 'ok',
      xf: '主机续费成功！',
      zjmode: '主机修改成功',
      tz: '主机删除成功！',
      czmm: '主机FTP及控制面板登陆密码重置成功！',
      cfif: '连接验证成功！',
    };
    // As captured, but the shop sets its password before it deletes.
    const order = (url: string) => (url.endsWith('gn=tz') ? 1 : 0);
    for (const { url, headers, body } of [...capturedRequests].sort((a, b) => order(a.url) - order(b.url))) {
      const sent = body.replace('mn_bh=bh1', `mn_bh=${code}`);
      const answer = await shop.send(url, { headers, body: sent });
      expect([url, body, answer.code, answer.msg]).toEqual([url, body, 200, expected[url.split('gn=')[1]!]]);
    }
    expect(await shop.events('seri914WksqNY')).toEqual([
      ['host.created', 'api', code],
      ['host.deleted', 'api'],
    ]);
    expect(await shop.events('Us1000')).toEqual([
      ['host.created', 'api', code],
      ['host.paused', 'api'],
      ['host.deleted', 'api'],
    ]);
    // What they created there is deleted with the hosts.
    expect([baota.state.sites, baota.state.databases, baota.state.ftps]).toEqual([[], [], []]);
  });

  it('may use both spellings of a name; ours counts when both are sent', async () => {
    const both = new URLSearchParams({
      svc_bh: 'bh1',
      svc_key: 'API',
      svc_keye: 'a65ad8da0fa268c798d3d70599733d55',
      svc_vs: '15',
      username: 'x',
      mn_key: 'wrong',
      mn_bh: 'wrong',
    });
    expect(await shop.send('/api/api.php?gn=cfif', { body: both })).toMatchObject({ code: 200 });
    expect(await shop.send('/api/api.php', { body: new URLSearchParams([...both, ['gn', 'cfif']]) })).toMatchObject({ code: 200 });
  });

  it('may write the content type in any case, and send multipart forms but no files', async () => {
    const fields = { svc_bh: 'bh1', svc_key: 'API', svc_keye: 'a65ad8da0fa268c798d3d70599733d55', svc_vs: '15', username: 'x' };
    const headers = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; Charset=UTF-8' };
    expect(await shop.send('/api/api.php?gn=cfif', { headers, body: new URLSearchParams(fields).toString() })).toMatchObject({ code: 200 });
    const parts = new FormData();
    for (const [name, value] of Object.entries(fields)) parts.append(name, value);
    expect(await shop.send('/api/api.php?gn=cfif', { body: parts })).toMatchObject({ code: 200 });
    parts.append('file', new Blob(['x']), 'x.txt');
    expect(await shop.send('/api/api.php?gn=cfif', { body: parts })).toMatchObject({ code: 100, msg: expect.stringContaining('太大') });
  });

  it('get the version', async () => {
    const response = await shop.panel.fetch('/xx.php');
    expect([response.status, await response.text()]).toEqual([200, '{"code":200,"vs":18.4}']);
  });
});

describe('kt', () => {
  it('opens a host with everything that was sent', async () => {
    expect(await kt()).toEqual(OPENED);
    expect(await shop.row()).toMatchObject({
      state: 'active',
      nodeCode: 'bh1',
      expiresOn: '2031-01-31',
      webQuotaMb: 500,
      databaseQuotaMb: 100,
      trafficQuotaGb: 30,
      domainQuota: 3,
      siteStopped: false,
    });
    expect(await siteStatus('alice01')).toBe(200);
    expect(await shop.events()).toEqual([['host.created', 'api', 'bh1']]);
  });

  it('creates no second host, and recognizes a repeated request', async () => {
    expect(await kt({ qqh: 'order-1' })).toEqual(OPENED);
    expect(await kt({ qqh: 'order-1' })).toEqual(OPENED);
    expect(await kt({ qqh: 'order-1', username: 'ALICE01' })).toEqual(OPENED);
    const others: Record<string, string>[] = [
      { webdx: '501' },
      { dqtime: '2031-02-01' },
      { ymbds: '' },
      { password: 'secret-2' },
      { username: 'somebody' },
    ];
    for (const other of others) {
      expect([other, await kt({ qqh: 'order-1', ...other })]).toEqual([
        other,
        { success: false, code: 100, msg: '该请求编号已用于内容不同的另一个请求，请更换请求编号后再试。' },
      ]);
    }
    const again: Record<string, string>[] = [{}, { qqh: 'order-2' }, { username: 'Alice01' }, { webdx: '1' }];
    for (const fields of again) {
      expect(await kt(fields)).toEqual({ success: false, code: 100, msg: '错误！该主机已经存在，请重新开通！' });
    }
    expect(await kt({ svc_bh: 'bh2', svc_keye: OTHER_NODE_KEY })).toMatchObject({ code: 100, msg: '错误！该账号已存在！请更换账号！' });
    for (const qqh of ['a b', 'ü', 'x'.repeat(64), 'line\n'])
      expect(await kt({ qqh, username: 'another1' })).toMatchObject({ code: 100, msg: expect.stringContaining('请求编号') });
    expect(await shop.row('another1')).toBeNull();
    expect(await shop.events()).toEqual([['host.created', 'api', 'bh1']]);
  });

  it('repeats the first response while the first call still runs, and refuses a second host meanwhile', async () => {
    let open = (): void => undefined;
    shop.driver.gate = new Promise((resolve) => (open = resolve));
    const fields = { svc_bh: 'fake1', qqh: 'order-1' };
    const first = kt(fields);
    await expect.poll(async () => (await shop.row())?.state).toBe('provisioning');
    expect(await call('ztcx', fields)).toMatchObject({
      code: 200,
      data: { state: 'provisioning', pending: true, user: { qk: 'false', qqh: 'order-1' } },
    });
    const again = kt(fields);
    expect(await kt({ svc_bh: 'fake1' })).toMatchObject({ code: 100, msg: '错误！该主机已经存在，请重新开通！' });
    open();
    expect([await first, await again]).toEqual([OPENED, OPENED]);
    expect(shop.driver.sites.size).toBe(1);
    expect(await shop.events()).toEqual([['host.created', 'api', 'fake1']]);
  });

  it('reports how a creation with unknown outcome ended, and completes it once', async () => {
    shop.driver.script = ['applied', 'unreachable'];
    const fields = { svc_bh: 'fake1', qqh: 'order-1' };
    expect(await kt(fields)).toMatchObject({ code: 100, msg: expect.stringContaining('核对') });
    expect(await call('ztcx', fields)).toMatchObject({ code: 200, data: { state: 'provisioning', pending: true } });
    await shop.panel.get(AccountRecovery).recoverUnfinished();
    expect(await call('ztcx', fields)).toMatchObject({ code: 200, data: { state: 'active', pending: false, user: { qk: 'true' } } });
    expect(await kt(fields)).toEqual(OPENED);
    expect(shop.driver.sites.size).toBe(1);
  });

  it('leaves nothing of a creation the server refused, and reports the failure during the cleanup', async () => {
    shop.driver.script = ['refused'];
    expect(await kt({ svc_bh: 'fake1' })).toEqual({ success: false, code: 100, msg: '错误！网站创建失败！宝塔返回信息：refused' });
    expect(await call('ztcx', { svc_bh: 'fake1' })).toEqual(UNKNOWN_HOST);
    shop.driver.script = ['refused', 'unreachable'];
    expect(await kt({ svc_bh: 'fake1', qqh: 'order-1' })).toMatchObject({ code: 100 });
    expect(await call('ztcx', { svc_bh: 'fake1' })).toMatchObject({
      success: false,
      code: 100,
      msg: expect.stringMatching(/^主机开通失败/),
      data: { state: 'failed', pending: true },
    });
    expect(await kt({ svc_bh: 'fake1', qqh: 'order-1' })).toEqual(OPENED);
  });

  it.each([
    ['', '0000-00-00'],
    ['0', '0000-00-00'],
    ['0000-00-00', '0000-00-00'],
    ['2031-1-5', '2031-01-05'],
  ])('reads %j as %s', async (date, datae) => {
    expect(await kt({ dqtime: date })).toEqual(OPENED);
    expect(await call('ztcx')).toMatchObject({ data: { user: { datae } } });
    await kt({ username: 'never-01', dqtime: '2031-02-01' });
    expect(await call('xf', { username: 'never-01', setdate: date })).toMatchObject({ code: 200 });
    expect(await call('ztcx', { username: 'never-01' })).toMatchObject({ data: { user: { datae } } });
  });

  it('changes nothing for an invalid form', async () => {
    const tooShort: Record<string, string>[] = [{ password: '12345' }, { password: '' }, { username: 'abc' }];
    for (const short of tooShort) {
      expect(await kt(short)).toMatchObject({ code: 100, msg: '错误！账号和密码位数均不能小于6位！' });
    }
    const wrong: Record<string, string>[] = [
      { dqtime: '2031-02-30' },
      { dqtime: 'tomorrow' },
      { dqtime: '31.01.2031' },
      { dqtime: '1' },
      { webdx: '-1' },
      { webdx: '1.5' },
      { sqldx: '1e3' },
      { sizemax: '9'.repeat(30) },
      { ymbds: '٣' },
      { jk_max: '1001' },
      { jk_max: '-1' },
      { jk_max: 'none' },
      { password: 'x'.repeat(65) },
      { password: 'abc\0def' },
      { password: 'abc\ufffd\ufffddef' },
    ];
    for (const fields of wrong) expect([fields, (await kt(fields)).code]).toEqual([fields, 100]);
    for (const username of [
      '../../etc/passwd',
      'alice01/..',
      'alice 01',
      'alice01\0',
      'alicé01',
      "alice'--",
      '<b>alice</b>',
      'a'.repeat(65),
      'alice..01',
      'alice01.',
      '.alice01',
      'x'.repeat(100_000),
      '-alice01',
      '["alice01"]',
    ]) {
      expect([username.slice(0, 40), (await kt({ username })).code]).toEqual([username.slice(0, 40), 100]);
    }
    expect(await shop.row()).toBeNull();
    expect(shop.driver.sites.size).toBe(0);
  });

  it('accepts a product’s domain as a name, as billing modules send it', async () => {
    const username = 'www.long-enough-to-be-more-than-thirty-two.example.com';
    expect(await kt({ username })).toMatchObject({ code: 200 });
    expect(await siteStatus(username)).toBe(200);
  });
});

describe('zt and jc', () => {
  beforeEach(() => kt());

  it('stop and start the host, each once', async () => {
    for (let time = 0; time < 2; time += 1) expect(await call('zt')).toEqual({ success: true, code: 200, msg: '主机暂停成功！' });
    expect(await siteStatus('alice01')).toBe(503);
    expect(await call('ztcx')).toMatchObject({ data: { state: 'paused', user: { qk: 'false', pause_reasons: ['api'] } } });
    for (let time = 0; time < 2; time += 1) expect(await call('jc')).toEqual({ success: true, code: 200, msg: '主机暂停解除成功！' });
    expect(await siteStatus('alice01')).toBe(200);
    expect(await shop.events()).toEqual([
      ['host.created', 'api', 'bh1'],
      ['host.paused', 'api'],
      ['host.unpaused', 'api'],
    ]);
  });

  it('lift only the shop’s pause, and say what keeps the host paused', async () => {
    const { id } = (await shop.row())!;
    await call('zt');
    for (const reason of ['quota', 'scan', 'admin']) await hosting().pause(id, reason, 'cron');
    expect(await call('jc')).toEqual({
      success: false,
      code: 100,
      msg: '主机仍处于暂停状态，您的暂停已解除，但还有其他原因：用量超出配额（请升级配额或减少用量）、内容检查未通过（请联系管理员）、管理员暂停（请联系管理员）',
    });
    expect((await shop.row())?.pauseReasons).toEqual(['quota', 'scan', 'admin']);
    for (const reason of ['quota', 'scan', 'admin']) await hosting().unpause(id, reason, 'cron');
    expect(await call('jc')).toMatchObject({ code: 200 });
    expect(await shop.events()).toEqual([
      ['host.created', 'api', 'bh1'],
      ['host.paused', 'api'],
      ['host.unpaused', 'cron'],
    ]);
  });
});

describe('start and stop', () => {
  const START = { success: true, code: 200, msg: '站点启动成功！' };
  const STOP = { success: true, code: 200, msg: '站点停止成功！' };
  beforeEach(() => kt());

  it('switch only the web site, as often as requested, and fire no event', async () => {
    for (let time = 0; time < 2; time += 1) expect(await call('stop')).toEqual(STOP);
    expect(await site('alice01')).toMatchObject({ status: 503, body: expect.stringContaining('网站已停止') });
    expect(await call('ztcx')).toMatchObject({ data: { state: 'active', user: { qk: 'true', site: 'stopped' } } });
    for (let time = 0; time < 2; time += 1) expect(await call('start')).toEqual(START);
    expect(await siteStatus('alice01')).toBe(200);
    expect(await shop.events()).toEqual([['host.created', 'api', 'bh1']]);
  });

  it('do not start a paused host, which returns to its previous state', async () => {
    await call('zt');
    expect(await call('start')).toEqual({ success: false, code: 100, msg: '该主机已暂停，请先解除暂停' });
    expect(await call('stop')).toEqual(STOP);
    await call('jc');
    expect(await siteStatus('alice01')).toBe(503);
    expect(await call('start')).toEqual(START);
    await call('stop');
    await call('zt');
    await call('xf', { setdate: '2032-01-01' });
    await call('jc');
    expect(await siteStatus('alice01')).toBe(503);
  });

  it('pass on what the server said', async () => {
    await kt({ svc_bh: 'fake1', username: 'fake-01' });
    for (const [gn, text] of [
      ['start', '站点启动失败！refused'],
      ['stop', '站点停止失败！refused'],
    ] as const) {
      shop.driver.script = ['refused'];
      expect(await call(gn, { svc_bh: 'fake1', username: 'fake-01' })).toEqual({ success: false, code: 100, msg: text });
    }
    shop.driver.script = ['refused'];
    expect(await call('tz', { svc_bh: 'fake1', username: 'fake-01' })).toEqual({
      success: false,
      code: 100,
      msg: '主机删除失败！因为refused',
    });
    expect(await shop.row('fake-01')).toMatchObject({ state: 'active' });
  });
});

describe('xf', () => {
  it('moves the day and resumes expired hosts, and changes nothing else', async () => {
    await kt({ dqtime: '2020-01-01' });
    const { id } = (await shop.row())!;
    await hosting().pause(id, 'expiry', 'cron');
    expect(await call('ztcx')).toMatchObject({ data: { user: { datae: '2020-01-01', qk: 'false' } } });
    expect(await call('xf', { setdate: '2020-02-01' })).toEqual({ success: true, code: 200, msg: '主机续费成功！' });
    expect((await shop.row())?.state).toBe('paused');
    expect(await call('xf', { setdate: '2099-12-31' })).toMatchObject({ code: 200 });
    expect(await call('xf', { setdate: '2099-12-31' })).toMatchObject({ code: 200 });
    expect(await siteStatus('alice01')).toBe(200);
    expect(await shop.events()).toEqual([
      ['host.created', 'api', 'bh1'],
      ['host.paused', 'cron'],
      ['host.renewed', 'api', '2020-02-01'],
      ['host.renewed', 'api', '2099-12-31'],
      ['host.unpaused', 'api'],
    ]);
    expect(await call('xf', { setdate: '2031-02-30' })).toMatchObject({ code: 100, msg: expect.stringContaining('日期') });
  });
});

describe('an expired host resumed by a shop', () => {
  const TOMORROW = { setdate: '2099-12-31' };
  it.each([
    ['jc before xf', ['jc', 'xf']],
    ['xf before jc', ['xf', 'jc']],
    ['xf twice and jc between', ['xf', 'jc', 'xf']],
    ['jc alone, then xf', ['jc', 'jc', 'xf']],
  ])('runs again, whichever call comes first: %s', async (_order, calls) => {
    await kt({ dqtime: '2020-01-01' });
    await runJob(shop.panel.get(JobRegistry), 'account-expiry');
    await call('zt');
    expect(await call('ztcx')).toMatchObject({ data: { user: { pause_reasons: ['expiry', 'api'] } } });
    // Only the shop lifts the shop's own pause: a payment says nothing about its reason.
    for (const gn of calls) expect(await call(gn, gn === 'xf' ? TOMORROW : {})).toMatchObject({ code: 200 });
    expect(await call('ztcx')).toMatchObject({ data: { state: 'active', user: { qk: 'true', pause_reasons: [] } } });
    expect(await siteStatus('alice01')).toBe(200);
    await runJob(shop.panel.get(JobRegistry), 'account-expiry');
    expect(await siteStatus('alice01')).toBe(200);
    const hooks = (await shop.events()).map(([hook]) => hook);
    expect(hooks.filter((hook) => hook === 'host.paused' || hook === 'host.unpaused')).toEqual(['host.paused', 'host.unpaused']);
  });
});

describe('the tick', () => {
  it('pauses expired hosts and hosts over quota, and the shop is informed', async () => {
    await kt({ dqtime: '2020-01-01' });
    await kt({ username: 'too-much', svc_bh: 'fake1', webdx: '1' });
    shop.driver.sites.get((await shop.row('too-much'))!.siteName)!.usage = { web: 2_000_000 };
    for (const name of ['account-expiry', 'account-usage', 'node-drift']) await runJob(shop.panel.get(JobRegistry), name);
    expect(await call('ztcx')).toMatchObject({ data: { state: 'paused', user: { qk: 'false', pause_reasons: ['expiry'] } } });
    expect(await call('jc')).toMatchObject({ code: 200, msg: expect.stringContaining('已到期') });
    const fields = { username: 'too-much', svc_bh: 'fake1' };
    expect(await call('ztcx', fields)).toMatchObject({ data: { quota: { web_size_used: 2 }, user: { pause_reasons: ['quota'] } } });
    expect(await call('zjmode', { ...fields, websize: '2' })).toMatchObject({ code: 200 });
    expect(await call('ztcx', fields)).toMatchObject({ data: { state: 'active' } });
  });
});

describe('zjmode', () => {
  it('changes the sent values and keeps the rest', async () => {
    await kt();
    expect(await call('zjmode', { websize: '700' })).toEqual({ success: true, code: 200, msg: '主机修改成功' });
    expect(await shop.row()).toMatchObject({ webQuotaMb: 700, databaseQuotaMb: 100, trafficQuotaGb: 30, domainQuota: 3 });
    expect(await call('zjmode', { sqlsize: '0', ll: '', websize: ' ' })).toMatchObject({ code: 200 });
    expect(await call('zjmode')).toMatchObject({ code: 100, msg: expect.stringContaining('未作任何更改') });
    expect(await shop.row()).toMatchObject({ webQuotaMb: 700, databaseQuotaMb: 0, trafficQuotaGb: 30, domainQuota: 3 });
    for (const wrong of ['-1', 'many', '1.5', '0x10', '99999999999'])
      expect([wrong, (await call('zjmode', { websize: '1', ll: wrong })).code]).toEqual([wrong, 100]);
    expect(await shop.row()).toMatchObject({ webQuotaMb: 700, trafficQuotaGb: 30 });
  });
});

describe('monitors of a plan', () => {
  it('are the installation’s default when a shop sends none, and change alone without asking the server', async () => {
    await kt({ qqh: 'order-1' });
    expect(await shop.row()).toMatchObject({ monitorQuota: null });
    expect(await kt({ qqh: 'order-1', jk_max: '' })).toEqual(OPENED);
    expect(await kt({ qqh: 'order-1', jk_max: '3' })).toMatchObject({ code: 100 });
    await kt({ username: 'watched01', svc_bh: 'fake1', jk_max: '12', qqh: 'order-2' });
    const fields = { username: 'watched01', svc_bh: 'fake1' };
    expect(await call('ztcx', fields)).toMatchObject({ data: { quota: { monitor_max: 12 } } });
    shop.driver.calls.length = 0;
    for (const [jk_max, kept] of [
      ['0', 0],
      ['1000', 1_000],
      [' Default ', null],
    ] as const) {
      expect(await call('zjmode', { ...fields, jk_max })).toEqual({ success: true, code: 200, msg: '主机修改成功' });
      expect(await shop.row('watched01')).toMatchObject({ monitorQuota: kept, webQuotaMb: 500 });
    }
    // The clock may compare with the server meanwhile.
    expect(shop.driver.calls.filter((name) => name !== 'list')).toEqual([]);
    expect(await call('zjmode', { ...fields, websize: '9', jk_max: '7' })).toMatchObject({ code: 200 });
    expect(await shop.row('watched01')).toMatchObject({ monitorQuota: 7, webQuotaMb: 9 });
    for (const jk_max of ['1001', '-1', 'many', '1.5'])
      expect(await call('zjmode', { ...fields, jk_max })).toMatchObject({ code: 100, msg: expect.stringContaining('监控任务数') });
    expect(await shop.row('watched01')).toMatchObject({ monitorQuota: 7 });
  });

  it('include the number of backups set by a shop', async () => {
    await kt({ bf_max: '5', qqh: 'order-3' });
    expect(await shop.row()).toMatchObject({ backupQuota: 5 });
    expect(await kt({ bf_max: '5', qqh: 'order-3' })).toEqual(OPENED);
    expect(await kt({ bf_max: '6', qqh: 'order-3' })).toMatchObject({ code: 100 });
    expect(await kt({ qqh: 'order-3' })).toMatchObject({ code: 100 });
    await kt({ username: 'backed01', svc_bh: 'fake1', qqh: 'order-4' });
    const fields = { username: 'backed01', svc_bh: 'fake1' };
    for (const [bf_max, kept] of [
      ['0', 0],
      ['100', 100],
      ['default', null],
    ] as const) {
      expect(await call('zjmode', { ...fields, bf_max })).toEqual({ success: true, code: 200, msg: '主机修改成功' });
      expect(await call('ztcx', fields)).toMatchObject({ data: { quota: { backup_max: kept } } });
    }
    for (const bf_max of ['101', '-1', 'many'])
      expect(await call('zjmode', { ...fields, bf_max })).toMatchObject({ code: 100, msg: expect.stringContaining('备份数') });
  });
});

describe('czmm', () => {
  it('sets the password of the control panel and ends the sessions', async () => {
    await kt();
    const signIn = (pass: string) =>
      shop.panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'login', user: 'alice01', pass }) });
    const cookie = (await signIn('secret-1')).headers.getSetCookie()[0]!.split(';')[0]!;
    const own = () =>
      shop.panel.fetch('/user/ajax.php', { method: 'POST', headers: { cookie }, body: new URLSearchParams({ gn: 'zjxx' }) });
    expect(await (await own()).json()).toMatchObject({ success: true });
    expect(await call('czmm', { password: 'short' })).toMatchObject({ code: 100, msg: '错误！账号和密码位数均不能小于6位！' });
    expect(await call('czmm', { password: 'secret-2' })).toEqual({ success: true, code: 200, msg: '主机FTP及控制面板登陆密码重置成功！' });
    expect(await (await own()).json()).toEqual({ code: '请登陆' });
    expect(await (await signIn('secret-1')).json()).toMatchObject({ success: false });
    expect(await (await signIn('secret-2')).json()).toMatchObject({ success: true });
  });
});

describe('tz', () => {
  it('deletes the host immediately, for every other call as well', async () => {
    await kt();
    expect(await call('tz')).toEqual({ success: true, code: 200, msg: '主机删除成功！' });
    expect(await call('tz')).toEqual(DELETE_UNKNOWN);
    expect(await call('ztcx')).toEqual(UNKNOWN_HOST);
    expect(await kt()).toEqual(OPENED);
    expect(await shop.events()).toEqual([
      ['host.created', 'api', 'bh1'],
      ['host.deleted', 'api'],
      ['host.created', 'api', 'bh1'],
    ]);
  });
});

describe('ztcx', () => {
  it('has every field, with whole numbers', async () => {
    await kt({ qqh: 'order-1' });
    const row = (await shop.row())!;
    await shop.database.repository(HostingAccount).update({ id: row.id }, { webUsedBytes: 1024 ** 2 + 1, trafficUsedBytes: 5_000_000_000 });
    const answer = await call('ztcx');
    expect(answer).toEqual({
      success: true,
      code: 200,
      msg: 'ok',
      data: {
        state: 'active',
        pending: false,
        user: {
          username: 'alice01',
          domain: row.siteName,
          qk: 'true',
          datae: '2031-01-31',
          sqluser: '',
          btid: row.siteId,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          state: 'active',
          pause_reasons: [],
          site: 'running',
          qqh: 'order-1',
        },
        quota: {
          web_size_max: 500,
          web_size_used: 2,
          sql_size_max: 100,
          sql_size_used: 0,
          flow_max: 30,
          flow_used: 5_000_000_000,
          monitor_max: null,
          backup_max: null,
          unit: 'MB',
        },
        node: { btip: '192.0.2.7', ptl: 'true' },
      },
    });
  });

  it('tells a shop that a deletion is not finished yet', async () => {
    await kt({ svc_bh: 'fake1' });
    shop.driver.script = ['lost', 'lost'];
    expect(await call('tz', { svc_bh: 'fake1' })).toMatchObject({ code: 100, msg: expect.stringMatching(/^主机删除失败！因为.*核对/) });
    expect(await call('ztcx', { svc_bh: 'fake1' })).toMatchObject({
      code: 100,
      msg: '主机正在删除，请稍后再查询',
      data: { state: 'terminating', pending: true },
    });
    await shop.panel.get(AccountRecovery).recoverUnfinished();
    expect(await call('ztcx', { svc_bh: 'fake1' })).toEqual(UNKNOWN_HOST);
  });
});

describe('access to the API', () => {
  it('is checked in the order clients rely on', async () => {
    const settings = shop.panel.get(SiteSettings);
    const nodes = shop.database.repository(HostingNode);
    await settings.change({ apiOpen: false });
    expect(await call('', { svc_vs: '1', svc_key: '' })).toMatchObject({
      code: 100,
      msg: '错误！APi已关闭！开启方法：系统后台的系统设置->api密钥处开启即可',
    });
    await settings.change({ apiOpen: true });
    for (const svc_vs of ['14', '0', '-15', '', 'x'])
      expect(await call('', { svc_vs, svc_key: '' })).toMatchObject({ code: 300, msg: expect.stringContaining('15') });
    for (const empty of ['svc_bh', 'svc_key', 'svc_keye', 'username']) {
      expect(await call('nothing', { svc_key: 'wrong', [empty]: '' })).toMatchObject({ code: 100, msg: '错误！表单填写不完整！' });
    }
    expect(await call('', { svc_key: 'wrong' })).toMatchObject({ msg: '错误！表单填写不完整！' });
    expect(await call('nothing', { svc_key: 'wrong', svc_bh: 'nowhere' })).toMatchObject({
      code: 100,
      msg: '错误！您的密钥与网站APi密钥不匹配！请您仔细核对后再试！',
    });
    expect(await call('nothing', { svc_bh: 'nowhere', svc_keye: 'wrong' })).toMatchObject({
      code: 100,
      msg: '错误！该宝塔不存在或该宝塔已经被关闭',
    });
    await nodes.update({ code: 'bh1' }, { enabled: false });
    expect(await call('nothing', { svc_keye: 'wrong' })).toMatchObject({ code: 100, msg: '错误！该宝塔不存在或该宝塔已经被关闭' });
    await nodes.update({ code: 'bh1' }, { enabled: true });
    expect(await call('nothing', { svc_keye: 'wrong' })).toMatchObject({ code: 100, msg: expect.stringMatching(/^调用密钥不匹配！/) });
    for (const gn of ['nothing', 'constructor', '__proto__', 'toString', 'KT', ' kt', 'kt\0'])
      expect(await call(gn)).toMatchObject({ code: 100, msg: '此功能不存在！请仔细核对开发文档！' });
    for (const keye of [OTHER_NODE_KEY, 'd41d8cd98f00b204e9800998ecf8427e', 'A65AD8DA0FA268C798D3D70599733D55'])
      expect(await call('cfif', { svc_keye: keye })).toMatchObject({ success: false });
  });

  it('denies a host of another node like one that does not exist, for every operation, and changes nothing', async () => {
    await kt();
    const before = await shop.row();
    const other = { svc_bh: 'bh2', svc_keye: OTHER_NODE_KEY };
    const extra = { password: 'secret-9', setdate: '2040-01-01', websize: '1', sqlsize: '1', ll: '1' };
    for (const gn of ['zt', 'jc', 'tz', 'xf', 'czmm', 'zjmode', 'start', 'stop', 'ztcx']) {
      const missing = await call(gn, { ...other, ...extra, username: 'nobody-1' });
      expect([gn, missing]).toEqual([gn, gn === 'tz' ? DELETE_UNKNOWN : UNKNOWN_HOST]);
      for (const username of ['alice01', 'ALICE01']) expect([gn, await call(gn, { ...other, ...extra, username })]).toEqual([gn, missing]);
      // The node of the named host, with the key of the other one.
      expect(await call(gn, { ...extra, svc_keye: OTHER_NODE_KEY })).toMatchObject({
        success: false,
        msg: expect.stringMatching(/^调用密钥不匹配！/),
      });
    }
    expect(await shop.row()).toEqual(before);
    for (const username of [
      'alice01 ',
      ' alice01',
      'alice01\t',
      'alicé01',
      '["alice01"]',
      '%',
      "alice01' OR '1'='1",
      'a'.repeat(100_000),
    ]) {
      expect([username.slice(0, 30), await call('ztcx', { username })]).toEqual([username.slice(0, 30), UNKNOWN_HOST]);
    }
  });

  it('every change and every wrong key is logged, without secrets', async () => {
    const lines = shop.database.repository(OperationLog);
    await lines.createQueryBuilder().delete().execute();
    await kt();
    await call('czmm', { password: 'secret-2' });
    await call('ztcx');
    await call('zt', { svc_key: 'guessed' });
    const written = await lines.find({ order: { id: 'ASC' } });
    // A wrong key comes from outside: such a line is kept for 90 days.
    expect(written.map(({ source }) => source)).toEqual([null, null, 'api.php']);
    expect(written.map(({ actor, category, summary, outcome }) => [actor, category, summary, outcome])).toEqual([
      ['api', 'api.php', 'kt alice01 (bh1)', '主机开通成功！'],
      ['api', 'api.php', 'czmm alice01 (bh1)', '主机FTP及控制面板登陆密码重置成功！'],
      ['api', 'api.php', 'api_key (bh1)', '错误！您的密钥与网站APi密钥不匹配！请您仔细核对后再试！'],
    ]);
    expect(JSON.stringify(written)).not.toMatch(/secret-|guessed/);
  });
});

describe('any input', () => {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const right = { svc_bh: 'bh1', svc_key: 'API', svc_keye: 'a65ad8da0fa268c798d3d70599733d55', svc_vs: 15, username: 'alice01' };

  it.each<[string, RequestInit, number]>([
    ['nothing', {}, 300],
    ['text', { body: 'hello' }, 300],
    ['bytes', { headers: form, body: Buffer.from([0, 255, 254, 37, 37, 38, 61, 61, 38]) }, 300],
    ['an array', { headers: json, body: '[1,2]' }, 100],
    ['broken JSON', { headers: json, body: '{"svc_bh":' }, 100],
    ['deep JSON', { headers: json, body: `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}` }, 100],
    ['broken multipart', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }, 100],
    ['two megabytes', { headers: form, body: `svc_bh=${'x'.repeat(2_000_000)}` }, 100],
    ['a thousand and one fields', { headers: form, body: Array.from({ length: 1_001 }, (_, index) => `f${index}=1`).join('&') }, 100],
    ['a long name', { headers: form, body: `${'n'.repeat(201)}=1` }, 100],
    ['a GET', { method: 'GET' }, 300],
    ['a PUT', { method: 'PUT', body: 'x' }, 300],
    ['a page of another site', { headers: { ...form, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, body: '' }, 300],
  ])('%s gets a response in the form clients rely on', async (_what, init, code) => {
    expect((await shop.send('/api/api.php?gn=kt', init)).code).toBe(code);
  });

  it('JSON and multipart count as forms, and a duplicate field as missing', async () => {
    expect(await shop.send('/api/api.php?gn=cfif', { headers: json, body: JSON.stringify(right) })).toMatchObject({ code: 200 });
    const parts = new FormData();
    for (const [name, value] of Object.entries(right)) parts.set(name, String(value));
    expect(await shop.send('/api/api.php?gn=cfif', { body: parts })).toMatchObject({ code: 200 });
    for (const name of ['svc_bh', 'svc_key', 'svc_keye']) {
      const fields = new URLSearchParams(Object.entries(right).map(([key, value]): [string, string] => [key, String(value)]));
      fields.append(name, 'wrong');
      expect([name, (await shop.send('/api/api.php?gn=cfif', { body: fields })).success]).toEqual([name, false]);
    }
  });

  it('keys in an address are ignored', async () => {
    const query = new URLSearchParams({ gn: 'cfif', ...right, svc_vs: '15' });
    expect(await shop.send(`/api/api.php?${query}`, { method: 'GET' })).toMatchObject({ code: 300 });
    expect(await shop.send(`/api/api.php?${query}`, {})).toMatchObject({ code: 300 });
  });
});

describe('guessing keys', () => {
  it('is blocked after twenty wrong ones, whatever address a header claims', async () => {
    const guarded = await TestShop.start({ RATE_LIMIT: 'on' });
    try {
      for (let tries = 0; tries < 20; tries += 1) {
        const headers = {
          'x-forwarded-for': `198.51.100.${tries}`,
          'x-real-ip': `198.51.100.${tries}`,
          forwarded: `for=198.51.100.${tries}`,
          'cf-connecting-ip': `198.51.100.${tries}`,
        };
        const body = new URLSearchParams({
          svc_bh: 'bh1',
          svc_key: tries % 2 ? 'API' : `guess-${tries}`,
          svc_keye: `guess-${tries}`,
          svc_vs: '15',
          username: 'x',
        });
        expect(await guarded.send('/api/api.php?gn=cfif', { headers, body })).toMatchObject({
          success: false,
          msg: expect.stringContaining('密钥不匹配'),
        });
      }
      expect(await guarded.call('cfif')).toMatchObject({
        success: false,
        code: 100,
        msg: expect.stringMatching(/密钥错误次数过多，请 \d+ 分钟后再试/),
      });
      const body = new URLSearchParams({
        svc_bh: 'bh1',
        svc_key: 'API',
        svc_keye: 'a65ad8da0fa268c798d3d70599733d55',
        svc_vs: '15',
        username: 'x',
      });
      expect(await guarded.send('/api/api.php?gn=cfif', { headers: { 'x-forwarded-for': '203.0.113.9' }, body })).toMatchObject({
        success: false,
      });
    } finally {
      await guarded.panel.close();
    }
  });
});
