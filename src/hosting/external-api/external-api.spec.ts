import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { RateLimit } from '../../auth/index.js';
import { callingKey, ExternalApi, HostingAccount, HostingNode, HostingService } from '../index.js';

import { MAX_FAILED_KEYS } from './key-attempt-limiter.js';
import { SiteSettings } from '../../site/index.js';

/** Requests as deployed shop modules send them, byte for byte. */
const CAPTURED = {
  ktOfBillingModule:
    'mn_bh=bh1&mn_key=API&mn_keye=a65ad8da0fa268c798d3d70599733d55&mn_vs=15&' +
    'username=seri914WksqNY&password=passw0rd&dqtime=2027-01-31&webdx=500&sqldx=100&sizemax=30&ymbds=3',
  ktOfShop:
    'username=Us1000&password=123456abc&webdx=500&sqldx=100&sizemax=30&type=2&ymbds=3&dqtime=0&' +
    'mn_bh=bh1&mn_key=API&mn_keye=a65ad8da0fa268c798d3d70599733d55&mn_vs=17',
  cfif: 'mn_bh=bh1&mn_key=API&mn_keye=a65ad8da0fa268c798d3d70599733d55&mn_vs=15&username=test',
};
const KEYE = 'a65ad8da0fa268c798d3d70599733d55';

let hosting: TestHosting;
let api: ExternalApi;

beforeAll(async () => {
  hosting = await createTestHosting();
  api = hosting.app.get(ExternalApi);
});
afterAll(() => hosting.dispose());
beforeEach(async () => {
  for (const { id } of await accounts().find()) await hosting.app.get(HostingService).terminate(id, 'admin');
  await hosting.database.repository(RateLimit).createQueryBuilder().delete().execute();
});

const accounts = () => hosting.database.repository(HostingAccount);
const form = (body: string) => Object.fromEntries(new URLSearchParams(body));
const call = (gn: string, fields: Record<string, string> = {}) =>
  api.handle(gn, { svc_bh: 'bh1', svc_key: 'API', svc_keye: KEYE, svc_vs: '15', username: 'test', ...fields }, '192.0.2.1');
const kt = (fields: Record<string, string> = {}) => call('kt', { username: 'alice01', password: 'secret-1', ...fields });

describe('calling key', () => {
  it.each([
    ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210', '48a21658bef9d4a8de881f6ae5ac4d6f'],
    ['kt', 'qm', KEYE],
    ['', '', 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('of %j and %j', (openKey, signatureKey, key) => expect(callingKey({ openKey, signatureKey })).toBe(key));
});

describe('host API', () => {
  it('responds as expected to recorded requests of deployed clients', async () => {
    expect(await api.handle('cfif', form(CAPTURED.cfif), '192.0.2.1')).toEqual({ success: true, code: 200, msg: '连接验证成功！' });
    for (const body of [CAPTURED.ktOfBillingModule, CAPTURED.ktOfShop]) {
      expect(await api.handle('kt', form(body), '192.0.2.1')).toEqual({ success: true, code: 200, msg: '主机开通成功！' });
    }
    const [first, second] = await accounts().find({ order: { id: 'ASC' } });
    expect(first).toMatchObject({
      username: 'seri914WksqNY',
      expiresOn: '2027-01-31',
      webQuotaMb: 500,
      databaseQuotaMb: 100,
      trafficQuotaGb: 30,
      domainQuota: 3,
      state: 'active',
      nodeCode: 'bh1',
    });
    expect(second).toMatchObject({ username: 'Us1000', expiresOn: null });
    expect((await hosting.events()).filter((event) => event.args[1] === first!.id)).toMatchObject([
      { hook: 'host.created', source: 'api', args: ['seri914WksqNY', first!.id, 'bh1'] },
    ]);
  });

  it('checks in the order clients rely on', async () => {
    const settings = hosting.app.get(SiteSettings);
    await settings.change({ apiOpen: false });
    expect((await call('', { svc_vs: '1' })).msg).toMatch(/^错误！APi已关闭/);
    await settings.change({ apiOpen: true });
    for (const svc_vs of ['14', '', 'x']) expect((await call('', { svc_vs })).code).toBe(300);
    for (const empty of ['svc_bh', 'svc_key', 'svc_keye', 'username']) {
      expect((await call('nothing', { svc_key: 'wrong', [empty]: '' })).msg).toBe('错误！表单填写不完整！');
    }
    expect((await call('', {})).msg).toBe('错误！表单填写不完整！');
    expect((await call('nothing', { svc_key: 'wrong', svc_bh: 'nowhere' })).msg).toBe(
      '错误！您的密钥与网站APi密钥不匹配！请您仔细核对后再试！',
    );
    expect((await call('nothing', { svc_bh: 'nowhere', svc_keye: 'x' })).msg).toBe('错误！该宝塔不存在或该宝塔已经被关闭');
    expect((await call('nothing', { svc_keye: 'x' })).msg).toMatch(/^调用密钥不匹配！/);
    for (const gn of ['nothing', 'constructor', '__proto__', 'KT']) {
      expect((await call(gn)).msg).toBe('此功能不存在！请仔细核对开发文档！');
    }
    const nodes = hosting.database.repository(HostingNode);
    await nodes.update({ code: 'bh1' }, { enabled: false });
    expect((await call('cfif')).msg).toBe('错误！该宝塔不存在或该宝塔已经被关闭');
    await nodes.update({ code: 'bh1' }, { enabled: true });
  });

  it('never reveals a valid key', async () => {
    await hosting.app.get(SiteSettings).change({ api: 'the-one-right-key' });
    const answers = [await call('cfif', { svc_key: 'x' }), await call('cfif', { svc_key: 'the-one-right-key', svc_keye: 'x' })];
    await hosting.app.get(SiteSettings).change({ api: 'API' });
    expect(JSON.stringify(answers)).not.toMatch(new RegExp(`the-one-right-key|${KEYE}|"kt"|"qm"`));
    expect(answers.every((answer) => !answer.success)).toBe(true);
  });

  it('blocks an address that guesses keys, but no other', async () => {
    for (let tries = 0; tries < MAX_FAILED_KEYS; tries += 1) await call('cfif', { svc_key: `guess-${tries}` });
    const blocked = await call('cfif');
    expect(blocked.success).toBe(false);
    expect(blocked.msg).toMatch(/密钥错误次数过多，请 10 分钟后再试/);
    expect((await api.handle('cfif', form(CAPTURED.cfif), '192.0.2.2')).success).toBe(true);
  });

  it('rejects a second kt for a host, and repeats its response for the same request id', async () => {
    expect((await kt({ qqh: 'r1' })).code).toBe(200);
    expect(await kt({ qqh: 'r1' })).toEqual({ success: true, code: 200, msg: '主机开通成功！' });
    expect(await kt()).toEqual({ success: false, code: 100, msg: '错误！该主机已经存在，请重新开通！' });
    expect((await kt({ qqh: 'r2', username: 'ALICE01' })).msg).toBe('错误！该主机已经存在，请重新开通！');
    expect(await accounts().count()).toBe(1);
  });

  it.each([
    ['', null],
    ['0', null],
    ['0000-00-00', null],
    ['2031-1-5', '2031-01-05'],
    ['2031-12-31', '2031-12-31'],
  ])('parses the date %j', async (dqtime, expiresOn) => {
    expect((await kt({ dqtime })).code).toBe(200);
    expect((await accounts().findOneByOrFail({ userKey: 'alice01' })).expiresOn).toBe(expiresOn);
  });

  it('rejects an invalid form without any change', async () => {
    expect((await kt({ password: '12345' })).msg).toBe('错误！账号和密码位数均不能小于6位！');
    expect((await kt({ username: 'abc' })).msg).toBe('错误！账号和密码位数均不能小于6位！');
    const forms: Record<string, string>[] = [
      { dqtime: '2031-02-30' },
      { dqtime: 'tomorrow' },
      { webdx: '-1' },
      { sqldx: '1e3' },
      { username: '../../etc/passwd' },
    ];
    for (const wrong of forms) {
      expect(await kt(wrong)).toMatchObject({ success: false, code: 100 });
    }
    expect(await accounts().count()).toBe(0);
  });
});
