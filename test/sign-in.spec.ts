import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Administrator, RateLimit, Session } from '../src/auth/index.js';
import { startPanel, type Panel } from './support/start-panel.js';
import { HostingAccount, HostingService } from '../src/hosting/index.js';
import { OperationLog } from '../src/operations/index.js';

import { createMigratedPlace, type TestPlace } from './support/database.js';
import { SiteSettings } from '../src/site/index.js';

const ADMIN_PASSWORD = 'a long password';
const USER_PASSWORD = 'secret-pass-1';
const ADMIN_REQUIRED = '{"code":"请登陆后台"}';
const USER_REQUIRED = '{"code":"请登陆"}';

type Body = Record<string, unknown> & { rows: Record<string, unknown>[]; data: Record<string, unknown> };

let place: TestPlace;
let panel: Panel;
let nextAddress = 1;

/** A browser: keeps its cookies, and has its own address. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly address = `198.51.100.${nextAddress++ % 250}`;
  response!: Response;
  text = '';

  constructor(private readonly side: 'admin' | 'user') {}

  async call(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Body> {
    this.response = await fetch(`${panel.url}/${this.side}/ajax.php`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-forwarded-for': this.address,
        'user-agent': 'Browser <b>',
        ...headers,
      },
    });
    for (const line of this.response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/max-age=0/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    this.text = await this.response.text();
    return JSON.parse(this.text) as Body;
  }

  /** Gets a captcha, then signs in with it. */
  async signIn(user: string, pass: string, code = 'ABcd'): Promise<Body> {
    await this.call({ gn: 'yzm' });
    return this.call({ gn: 'login', user, pass, code });
  }

  get token(): string {
    return this.cookies.get(`${this.side}_token`) ?? '';
  }

  /** Whether this browser's session is valid. */
  async isIn(token = this.token): Promise<boolean> {
    const other = new Browser(this.side);
    other.cookies.set(`${this.side}_token`, token);
    await other.call({ gn: 'listhh' });
    if (other.text === (this.side === 'admin' ? ADMIN_REQUIRED : USER_REQUIRED)) return false;
    expect(other.text).toContain('"rows"');
    return true;
  }
}

async function signedIn(side: 'admin' | 'user'): Promise<Browser> {
  const browser = new Browser(side);
  const body = await (side === 'admin' ? browser.signIn('admin', ADMIN_PASSWORD) : browser.signIn('alice001', USER_PASSWORD));
  expect(body.code).toBe('登录成功');
  return browser;
}

let alice: number;

beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'fixed:abcd', ADMIN_PASSWORD, TRUST_PROXY: '127.0.0.1' });
  panel = await startPanel(place.config);
});
afterAll(async () => {
  await panel?.close();
  await place?.dispose();
});
beforeEach(async () => {
  await panel.database.repository(RateLimit).clear();
  await panel.database.repository(Session).clear();
  const hosting = panel.app.get(HostingService, { strict: false });
  const account = await hosting.get('alice001');
  if (account) await hosting.terminate(account.id, 'admin');
  const [node] = await panel.database.query<{ bh: string }>('SELECT btdh AS bh FROM SVC_bt');
  alice = (await hosting.provision({ node: node!.bh, user: 'alice001', password: USER_PASSWORD, expiresOn: null }, 'admin')).id;
});

describe('login', () => {
  it.each([
    ['admin', 'admin', ADMIN_PASSWORD],
    ['user', 'ALICE001', USER_PASSWORD],
  ] as const)('opens a session on the %s side', async (side, user, pass) => {
    const browser = new Browser(side);
    const body = await browser.signIn(user, pass);
    expect(body).toMatchObject({
      success: true,
      qk: 1,
      code: '登录成功',
      msg: '登录成功',
      redirect: `/${side}/`,
      data: { redirect: `/${side}/` },
    });
    const line = browser.response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${side}_token=`))!;
    expect(line).toMatch(/^\w+_token=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(browser.text).not.toContain(browser.token);
    expect(await browser.isIn()).toBe(true);
    expect(await new Browser(side === 'admin' ? 'user' : 'admin').isIn(browser.token)).toBe(false);
    const [logged] = await panel.database.repository(OperationLog).find({ order: { id: 'DESC' }, take: 1 });
    expect(logged).toMatchObject({ category: '登陆', ip: browser.address });
    expect(JSON.stringify(await panel.database.repository(OperationLog).find())).not.toContain(pass);
  });

  it('issues a new id each time and ends the old session', async () => {
    const browser = await signedIn('user');
    const first = browser.token;
    await browser.signIn('alice001', USER_PASSWORD);
    expect(browser.token).not.toBe(first);
    expect(await browser.isIn(first)).toBe(false);
    expect(await browser.isIn()).toBe(true);
  });

  it('requires the captcha once, if the site requires one', async () => {
    const browser = new Browser('admin');
    expect(await browser.call({ gn: 'login', user: 'admin', pass: ADMIN_PASSWORD, code: 'abcd' })).toMatchObject({
      success: false,
      qk: 4,
      code: '验证码错误',
      err: 'E_ARGS',
    });
    expect(await new Browser('user').call({ gn: 'login', user: 'alice001', pass: USER_PASSWORD })).toMatchObject({ code: '验证码错误！' });
    expect((await browser.call({ gn: 'yzm' })).image).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await browser.call({ gn: 'login', user: 'admin', pass: 'wrong', code: 'abcd' })).toMatchObject({ code: '用户名或密码错误' });
    expect(await browser.call({ gn: 'login', user: 'admin', pass: ADMIN_PASSWORD, code: 'abcd' })).toMatchObject({ code: '验证码错误' });
    const settings = panel.app.get(SiteSettings);
    await settings.change({ adminCaptcha: false });
    expect(await browser.call({ gn: 'login', user: 'admin', pass: ADMIN_PASSWORD })).toMatchObject({ code: '登录成功' });
    await settings.change({ adminCaptcha: true });
  });

  it('responds to an unknown account and a wrong password identically, byte for byte, whatever the fields contain', async () => {
    for (const [side, known, text] of [
      ['admin', 'admin', '用户名或密码错误'],
      ['user', 'alice001', '用户不存在或密码错误！'],
    ] as const) {
      const wrong = new Browser(side);
      await wrong.signIn(known, 'wrong');
      expect(JSON.parse(wrong.text)).toMatchObject({ success: false, qk: 4, code: text });
      for (const user of ['nobody99', `${known}\r\nx: y`, `${known}\0`, 'x'.repeat(500), '😀'.repeat(100), '%', '']) {
        const browser = new Browser(side);
        await browser.signIn(user, `${USER_PASSWORD}\0\r\n`);
        expect(browser.text, user).toBe(wrong.text);
        expect(browser.token).toBe('');
      }
    }
    expect(await panel.database.repository(Session).count()).toBe(0);
  });

  it('refuses the eleventh attempt with 429, and a made-up address does not help', async () => {
    const browser = new Browser('user');
    const attempt = async (hops: string) => {
      await browser.call({ gn: 'yzm' });
      return browser.call({ gn: 'login', user: 'nobody99', pass: 'x', code: 'ABcd' }, { 'x-forwarded-for': `${hops}, ${browser.address}` });
    };
    for (let i = 0; i < 10; i++) await attempt(`1.2.3.${i}`);
    expect(browser.response.status).toBe(200);
    expect(await attempt('9.9.9.9')).toMatchObject({ success: false, err: 'E_RATE' });
    expect(browser.response.status).toBe(429);
    expect(Number(browser.response.headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(browser.response.headers.get('retry-after'))).toBeLessThanOrEqual(600);
  });

  it('tells the owner why a paused account cannot sign in', async () => {
    const browser = await signedIn('user');
    await panel.app.get(HostingService, { strict: false }).pause(alice, 'admin', 'admin');
    expect(await browser.isIn()).toBe(false);
    const owner = new Browser('user');
    expect(await owner.signIn('alice001', USER_PASSWORD)).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    expect(await new Browser('user').signIn('alice001', 'wrong')).toMatchObject({ code: '用户不存在或密码错误！' });
  });

  it('refuses pages of other sites', async () => {
    const browser = await signedIn('admin');
    for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      for (const fields of [{ gn: 'login', user: 'admin', pass: 'x' }, { gn: 'hhsc', id: 'all' }, { gn: 'logout' }] as Record<
        string,
        string
      >[]) {
        expect(await browser.call(fields, headers)).toMatchObject({ err: 'E_CSRF' });
        expect(browser.response.status).toBe(403);
      }
    }
    expect(await browser.call({ gn: 'listhh' }, { origin: panel.url })).toHaveProperty('rows');
  });
});

describe('logout', () => {
  it.each([
    ['admin', { gn: 'logout' }, '您已成功注销本次登录'],
    ['user', { gn: 'logout' }, '您已成功注销本次登录！'],
    ['user', { gn: 'login', logout: '1' }, '您已成功注销本次登录！'],
  ] as const)('on the %s side by %j ends the session', async (side, fields, text) => {
    const browser = await signedIn(side);
    const { token } = browser;
    expect(await browser.call({ ...fields } as Record<string, string>)).toMatchObject({ success: true, code: text });
    expect(browser.token).toBe('');
    expect(await browser.isIn(token)).toBe(false);
  });

  it('without a session says who may', async () => {
    const admin = new Browser('admin');
    await admin.call({ gn: 'logout' });
    expect(admin.text).toBe(ADMIN_REQUIRED);
    const user = new Browser('user');
    await user.call({ gn: 'listhh' }, { 'accept-language': 'en' });
    expect(user.text).toBe(USER_REQUIRED);
  });
});

describe('sessions', () => {
  it('are listed and ended individually, or all except the own', async () => {
    const [first, second, third] = [await signedIn('user'), await signedIn('user'), await signedIn('user')];
    const { rows, total } = await first.call({ gn: 'listhh' });
    expect(total).toBe(3);
    expect(rows.map((row) => row.current)).toEqual([false, false, true]);
    expect(rows[0]).toMatchObject({
      ip: third.address,
      ua: 'Browser <b>',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(first.text).not.toContain(second.token);
    expect(await first.call({ gn: 'hhsc', id: String(rows[0]!.id) })).toMatchObject({ success: true });
    expect(await third.isIn()).toBe(false);
    expect(await first.call({ gn: 'hhsc', id: String(rows[0]!.id) })).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await first.call({ gn: 'hhsc', id: 'all' })).toMatchObject({ success: true });
    expect([await first.isIn(), await second.isIn()]).toEqual([true, false]);
  });

  it('of others are treated like missing ones', async () => {
    const admin = await signedIn('admin');
    const user = await signedIn('user');
    const foreign = String((await admin.call({ gn: 'listhh' })).rows[0]!.id);
    await user.call({ gn: 'hhsc', id: foreign });
    const answer = user.text;
    await user.call({ gn: 'hhsc', id: '999999' });
    expect(answer).toBe(user.text);
    expect(await admin.isIn()).toBe(true);
    for (const id of ['', '-1', '1 OR 1=1', 'ALL', '1.5']) expect(await user.call({ gn: 'hhsc', id })).toMatchObject({ success: false });
  });
});

describe('gl', () => {
  const change = (browser: Browser, fields: Record<string, string>) =>
    browser.call({ gn: 'gl', yuser: 'admin', ypass: ADMIN_PASSWORD, xuser: '', xpass: '', ...fields });

  it('changes name and password, continues with a new session and ends the others', async () => {
    const [browser, other] = [await signedIn('admin'), await signedIn('admin')];
    const old = browser.token;
    await panel.database.repository(Administrator).update({ usernameKey: 'admin' }, { hasDefaultPassword: true });
    expect(await change(browser, { xuser: 'Root', xpass: 'another password' })).toMatchObject({ success: true, code: '修改成功' });
    expect(browser.token).not.toBe(old);
    expect([await browser.isIn(), await browser.isIn(old), await other.isIn()]).toEqual([true, false, false]);
    expect(await panel.database.repository(Administrator).findOneByOrFail({})).toMatchObject({
      username: 'Root',
      hasDefaultPassword: false,
    });
    expect(await new Browser('admin').signIn('admin', 'another password')).toMatchObject({ success: false });
    expect(await new Browser('admin').signIn('root', ADMIN_PASSWORD)).toMatchObject({ success: false });
    expect(await change(browser, { yuser: 'ROOT', ypass: 'another password', xuser: 'admin', xpass: ADMIN_PASSWORD })).toMatchObject({
      success: true,
    });
    await signedIn('admin');
  });

  it('names invalid values and changes nothing', async () => {
    const browser = await signedIn('admin');
    const rule = '错误！新的账号必须大于或等于4位！新的密码必须大于或等于6位！';
    for (const [fields, text] of [
      [{}, '新的账号或密码不能都为空！'],
      [{ xuser: 'abc' }, rule],
      [{ xpass: '12345' }, rule],
      [{ xuser: 'fine', xpass: '12345' }, rule],
      [{ xpass: 'good enough', ypass: 'wrong' }, '您输入的原账号或密码错误！'],
      [{ xpass: 'good enough', yuser: 'nobody' }, '您输入的原账号或密码错误！'],
      [{ xpass: 'svc-panel-admin' }, '这是公开的默认密码，任何人都知道，请换一个。'],
      [{ xuser: 'ab\0cd' }, '新的账号只能包含字母、数字和 . _ @ - 这几个字符。'],
      [{ xuser: 'аdmin' }, '新的账号只能包含字母、数字和 . _ @ - 这几个字符。'],
    ] as [Record<string, string>, string][]) {
      expect(await change(browser, fields)).toMatchObject({ success: false, qk: 4, code: text });
    }
    expect(await browser.isIn()).toBe(true);
    await signedIn('admin');
  });

  it('rejects another administrator’s name', async () => {
    const rows = panel.database.repository(Administrator);
    await rows.insert({ username: 'second', usernameKey: 'second', passwordHash: 'x', hasDefaultPassword: false, createdAt: new Date() });
    const browser = await signedIn('admin');
    expect(await change(browser, { xuser: 'SECOND', xpass: 'good enough' })).toMatchObject({ success: false, err: 'E_EXISTS' });
    expect(await browser.isIn()).toBe(true);
    await rows.delete({ usernameKey: 'second' });
    await signedIn('admin');
  });

  it('accepts one of several changes at once', async () => {
    const browsers = [await signedIn('admin'), await signedIn('admin'), await signedIn('admin')];
    const bodies = await Promise.all(browsers.map((browser, i) => change(browser, { xpass: `parallel ${i}` })));
    expect(bodies.filter(({ success }) => success === true)).toHaveLength(1);
    const winner = bodies.findIndex(({ success }) => success === true);
    expect(await change(browsers[winner]!, { ypass: `parallel ${winner}`, xpass: ADMIN_PASSWORD })).toMatchObject({ success: true });
  });

  it('cannot be used to guess the password from an open session', async () => {
    const browser = await signedIn('admin');
    for (let i = 0; i < 10; i++) await change(browser, { ypass: `guess ${i}`, xpass: 'good enough' });
    expect(await change(browser, { xpass: 'good enough' })).toMatchObject({ err: 'E_RATE' });
    expect(browser.response.status).toBe(429);
  });
});

describe('xgpass', () => {
  it('changes the password given the current one, and ends all other sessions', async () => {
    const [browser, other] = [await signedIn('user'), await signedIn('user')];
    expect(await browser.call({ gn: 'xgpass', yp: 'wrong', pass: 'new-secret' })).toMatchObject({
      success: false,
      code: '原密码错误，请重新输入。',
    });
    expect(await browser.call({ gn: 'xgpass', yp: USER_PASSWORD, pass: '12345' })).toMatchObject({
      success: false,
      code: '错误！密码位数不能小于6位！',
    });
    const old = browser.token;
    expect(await browser.call({ gn: 'xgpass', yp: USER_PASSWORD, pass: 'new-secret' })).toMatchObject({ success: true, code: '修改成功' });
    expect([await browser.isIn(), await browser.isIn(old), await other.isIn()]).toEqual([true, false, false]);
    expect(await new Browser('user').signIn('alice001', USER_PASSWORD)).toMatchObject({ success: false });
    expect(await new Browser('user').signIn('alice001', 'new-secret')).toMatchObject({ success: true });
    const [logged] = await panel.database.repository(OperationLog).find({ where: { category: 'xgpass' }, order: { id: 'DESC' }, take: 1 });
    expect(logged).toMatchObject({ actor: 'alice001', summary: '修改控制面板密码' });
    expect((await panel.database.repository(HostingAccount).findOneByOrFail({ id: alice })).passwordHash).toMatch(/^\$2[aby]\$/);
  });
});

describe('listlog', () => {
  const where = (name: string, type: string, value: string) => JSON.stringify({ name, type, value });

  it('pages, sorts and searches only its columns, and treats wildcards as text', async () => {
    const browser = await signedIn('admin');
    const rows = panel.database.repository(OperationLog);
    await rows.clear();
    for (const [i, summary] of ['one', '100% <script>', 'a_b', '字!'].entries()) {
      await rows.insert({
        actor: `actor${i}`,
        createdAt: new Date('2026-11-21T16:00:00Z'),
        category: 'test',
        summary,
        ip: '127.0.0.1',
        outcome: null,
      });
    }
    const list = async (fields: Record<string, string> = {}) =>
      (await browser.call({ gn: 'listlog', ...fields })) as Body & { total: number };
    const found = async (fields: Record<string, string>) => (await list(fields)).rows.map((row) => row.lr);
    expect((await list()).rows[3]).toEqual({
      id: expect.any(Number),
      czuser: 'actor0',
      date: '2026-11-22 00:00:00',
      ly: '',
      lx: 'test',
      lxmc: 'test',
      lr: 'one',
      bg: '',
      lrbg: 'one',
      ip: '127.0.0.1',
      qk: '',
      qkmc: '',
    });
    expect(await found({ sortOrder: 'asc', page: '2', limit: '3' })).toEqual(['字!']);
    for (const sort of ['czuser', 'pass; DROP TABLE SVC_log', 'constructor']) expect((await list({ sort })).total).toBe(4);
    expect(await found({ where: where('lr', '2', '%') })).toEqual(['100% <script>']);
    expect(await found({ where: where('lr', '2', '_') })).toEqual(['a_b']);
    expect(await found({ where: where('lr', '2', '!') })).toEqual(['字!']);
    expect(await found({ where: where('czuser', '1', 'actor0') })).toEqual(['one']);
    expect(await found({ where: where('czuser', '1', "' OR 1=1 --") })).toEqual([]);
    expect(await found({ ss: 'a_b' })).toEqual(['a_b']);
    expect((await list({ where: where('lr', '1', '') })).total).toBe(4);
    for (const [text, code] of [
      ['nonsense', '搜索方式错误！'],
      [where('lr', '3', 'x'), '搜索方式错误！'],
      [where('id) OR (1=1', '1', 'x'), '不存在的搜索字段！'],
      [where('constructor', '1', 'x'), '不存在的搜索字段！'],
    ])
      expect(await list({ where: text! })).toMatchObject({ success: false, code });
  });

  it('is for administrators', async () => {
    for (const gn of ['listlog', 'logsc', 'logscxz', 'logclear']) {
      const browser = new Browser('admin');
      await browser.call({ gn, id: '1', idsz: '1,' });
      expect(browser.text).toBe(ADMIN_REQUIRED);
    }
  });

  it('shows failed sign-ins and their reason, until there are too many attempts', async () => {
    await panel.database.repository(OperationLog).clear();
    const browser = new Browser('user');
    for (let n = 0; n < 12; n += 1) await browser.signIn('alice001', 'wrong');
    const lines = await panel.database.repository(OperationLog).find();
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatchObject({
      actor: 'callback:login',
      category: '登陆',
      summary: '有人登录用户端未成功，输入的账号为「alice001」',
      ip: browser.address,
      outcome: expect.stringContaining('错误') as string,
    });
  });

  it('deletes one line, several or all, and logs who did it', async () => {
    const browser = await signedIn('admin');
    const rows = panel.database.repository(OperationLog);
    await rows.clear();
    const add = (count: number) =>
      rows.insert(
        Array.from({ length: count }, (_, n) => ({
          actor: `actor${n}`,
          createdAt: new Date(Date.now() - 31 * 86_400_000),
          category: 'test',
          summary: 'x',
          ip: '',
          outcome: null,
        })),
      );
    const lines = async () =>
      (await browser.call({ gn: 'listlog', limit: '100' })) as Body & { total: number; rows: { id: number; lx: string; lr: string }[] };
    await add(5);
    const [first, second, third] = (await lines()).rows.map(({ id }) => id);
    expect(await browser.call({ gn: 'logsc', id: String(first) })).toMatchObject({ success: true, code: '删除成功' });
    expect(await browser.call({ gn: 'logsc', id: String(first) })).toMatchObject({
      success: false,
      code: expect.stringMatching(/^删除失败/) as string,
    });
    expect(await browser.call({ gn: 'logscxz', idsz: `${first},${second},${third},${third},x,` })).toMatchObject({
      success: true,
      code: 2,
      codr: 2,
    });
    for (const idsz of [',', '[]', Array.from({ length: 501 }, (_, n) => n + 1).join(',')])
      expect(await browser.call({ gn: 'logscxz', idsz })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await lines()).toMatchObject({
      total: 4,
      rows: [{ lx: 'logscxz', lr: '删除操作日志 2 条' }, { lx: 'logsc' }, { lx: 'test' }, { lx: 'test' }],
    });
    await add(50);
    for (let n = 0; n < 21; n += 1) await add(50);
    expect(await browser.call({ gn: 'logclear' })).toMatchObject({ success: true, code: '清空成功' });
    expect(await lines()).toMatchObject({
      total: 3,
      rows: [{ lx: 'logclear', lr: '清空操作日志，共 1102 条' }, { lx: 'logscxz' }, { lx: 'logsc' }],
    });
  });
});
