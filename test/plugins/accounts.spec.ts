import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Customer, CustomerAccounts } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { HostOwnership } from '../../src/hosting/index.js';
import { AccountVisitor as Visitor } from '../support/account-visitor.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const PASSWORD = 'a-pass-word-1';
const form = (username: string, more: Record<string, string> = {}): Record<string, string> => ({
  username,
  password: PASSWORD,
  password2: PASSWORD,
  email: '',
  qq: '',
  ...more,
});

let panel: TestPanel;
let visitor: Visitor;
beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.enable('accounts');
});
beforeEach(() => void (visitor = new Visitor(panel)));
afterAll(() => panel.close());

async function signedUp(username: string, more: Record<string, string> = {}): Promise<Visitor> {
  const somebody = new Visitor(panel);
  expect(await somebody.api('register', form(username, more))).toMatchObject({ code: 'ok' });
  return somebody;
}

describe('interface used by deployed front ends', () => {
  it('registers, reports the signed-in customer, and signs out', async () => {
    expect(await visitor.api('me')).toEqual({ code: 'ok', logged_in: false, user: null });
    expect(await visitor.api('register', form('Alice_1', { email: 'alice@example.com', qq: '12345' }))).toEqual({
      code: 'ok',
      message: '注册成功',
      redirect: '/account',
    });
    const me = await visitor.api('me');
    expect(me).toMatchObject({
      logged_in: true,
      user: { username: 'Alice_1', email: 'alice@example.com', qq: '12345', status: 1, created_at: expect.stringMatching(/^20/) as string },
    });
    expect(Object.keys(me.user as object).sort()).toEqual(['created_at', 'email', 'id', 'qq', 'status', 'username']);
    const before = visitor.header;
    expect(await visitor.api('logout', {})).toMatchObject({ code: 'ok' });
    expect(await visitor.api('me')).toMatchObject({ logged_in: false });
    // The session ended, not only its cookie.
    expect(await (await panel.fetch('/account/api/me', { headers: { Cookie: before } })).json()).toMatchObject({ logged_in: false });
  });

  it.each([
    [{ username: 'ab' }, '用户名为 3~32 位字母、数字或下划线', 'username'],
    [{ username: 'has space' }, '用户名为 3~32 位字母、数字或下划线', 'username'],
    [{ username: '客户' }, '用户名为 3~32 位字母、数字或下划线', 'username'],
    [{ password: '12345' }, '密码至少 6 个字符', 'password'],
    [{ password2: 'another-1' }, '两次输入的密码不一致', 'password2'],
    [{ email: 'nobody' }, '邮箱格式不正确', 'email'],
    [{ email: `${'a'.repeat(120)}@example.com` }, '邮箱格式不正确', 'email'],
    [{ qq: '1234' }, 'QQ 号格式不正确', 'qq'],
    [{ qq: 'abcdef' }, 'QQ 号格式不正确', 'qq'],
  ])('refuses a registration with %o', async (wrong, text, field) => {
    expect(await visitor.api('register', form('refused_1', wrong))).toEqual({ code: text, fields: { [field]: text } });
    expect(visitor.cookies.size).toBe(0);
    expect(await panel.get(Database).repository(Customer).countBy({ usernameKey: 'refused_1' })).toBe(0);
  });

  it('assigns a name only once, ignoring case, even with ten concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) => new Visitor(panel).api('register', form(at % 2 ? 'Racer_1' : 'racer_1'))),
    );
    expect(answers.filter(({ code }) => code === 'ok')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === '用户名已被占用')).toHaveLength(9);
  });

  it('signs in, with the same refusal for a wrong password and an unknown name', async () => {
    await signedUp('Bob_1');
    expect(await visitor.api('login', { username: '', password: 'x' })).toMatchObject({ code: '用户名和密码不能为空' });
    expect(await visitor.api('login', { username: `bob'--`, password: 'x' })).toMatchObject({ code: '用户名包含非法字符' });
    for (const username of ['Bob_1', 'nobody_1', 'nobody@example.com'])
      expect(await visitor.api('login', { username, password: 'wrong-1' })).toEqual({ code: '用户不存在或密码错误' });
    expect(await visitor.api('login', { username: 'BOB_1', password: PASSWORD })).toEqual({
      code: 'ok',
      message: '登录成功',
      redirect: '/account',
    });
    for (const [next, redirect] of [
      ['/shop/order/1', '/shop/order/1'],
      ['//evil.example', '/account'],
      ['/\\evil.example', '/account'],
      ['https://evil.example', '/account'],
    ])
      expect(await visitor.api('login', { username: 'Bob_1', password: PASSWORD, next: next! })).toMatchObject({ redirect });
  });

  it('keeps a locked customer out immediately', async () => {
    const carol = await signedUp('carol_1');
    const { id } = (await carol.api('me')).user as { id: number };
    await panel.get(CustomerAccounts).setStatus(id, 0);
    expect(await carol.api('me')).toMatchObject({ logged_in: false });
    expect(await visitor.api('login', { username: 'carol_1', password: PASSWORD })).toEqual({ code: '账号已被禁用' });
    expect(await visitor.api('login', { username: 'carol_1', password: 'wrong-1' })).toEqual({ code: '用户不存在或密码错误' });
  });

  it('changes profile and password; a password change ends every other session', async () => {
    const dave = await signedUp('dave_1');
    const elsewhere = new Visitor(panel);
    await elsewhere.api('login', { username: 'dave_1', password: PASSWORD });
    expect(await dave.api('update_profile', { email: 'd@example.com', qq: '54321' })).toEqual({ code: 'ok', message: '保存成功' });
    expect(await dave.api('update_profile', { email: 'nobody', qq: '' })).toMatchObject({ code: '邮箱格式不正确' });
    expect(await dave.api('me')).toMatchObject({ user: { email: 'd@example.com', qq: '54321' } });
    const change = (old_password: string, new_password: string, new_password2 = new_password): Promise<unknown> =>
      dave.api('change_password', { old_password, new_password, new_password2 }).then(({ code }) => code);
    expect(await change('wrong-1', 'new-pass-1')).toBe('原密码错误');
    expect(await change(PASSWORD, PASSWORD)).toBe('新密码不能与原密码相同');
    expect(await change(PASSWORD, '12345')).toBe('密码至少 6 个字符');
    expect(await change(PASSWORD, 'new-pass-1', 'other-1')).toBe('两次输入的密码不一致');
    const old = dave.header;
    expect(await change(PASSWORD, 'new-pass-1')).toBe('ok');
    expect(await dave.api('me')).toMatchObject({ logged_in: true });
    expect(await elsewhere.api('me')).toMatchObject({ logged_in: false });
    expect(await (await panel.fetch('/account/api/me', { headers: { Cookie: old } })).json()).toMatchObject({ logged_in: false });
    expect(await visitor.api('login', { username: 'dave_1', password: PASSWORD })).toMatchObject({ code: '用户不存在或密码错误' });
    expect(await visitor.api('login', { username: 'dave_1', password: 'new-pass-1' })).toMatchObject({ code: 'ok' });
  });

  it('asks visitors to sign in, and rejects cross-site requests', async () => {
    for (const name of ['update_profile', 'change_password']) expect(await visitor.api(name, {})).toMatchObject({ code: '请先登录' });
    const eve = await signedUp('eve_1');
    const foreign = await eve.send(
      'POST',
      '/account/api/update_profile',
      { email: 'x@example.com', qq: '' },
      { Origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect(await eve.api('me')).toMatchObject({ user: { email: '' } });
  });
});

describe('hosts and orders of a customer', () => {
  it('are visible and accessible to their owner only', async () => {
    const frank = await signedUp('frank_1');
    const grace = await signedUp('grace_1');
    const { id } = (await frank.api('me')).user as { id: number };
    const host = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'frankhost', password: 'secret-1', expiresOn: null }, 'admin');
    await panel.get(HostOwnership).assign(host.id, id);
    expect(await frank.page('/account')).toContain('frankhost');
    expect(await grace.page('/account')).not.toContain('frankhost');
    // Notices about his hosts are on one page, which only he can read.
    expect(await frank.page('/account/notices')).toContain('还没有通知');
    await panel.admin('tzfs', { to: 'user', user: 'frankhost', title: 'Moving <day>', content: 'Tomorrow' });
    expect(await frank.page('/account')).toContain('有 1 条新通知');
    expect(await frank.page('/account/notices')).toContain('Moving &lt;day&gt;');
    expect(await grace.page('/account/notices')).not.toContain('Moving');
    expect((await grace.send('POST', '/account/notices/read', {})).status).toBe(303);
    expect(await frank.page('/account')).toContain('有 1 条新通知');
    expect((await frank.send('POST', '/account/notices/read', {})).status).toBe(303);
    expect(await frank.page('/account')).not.toContain('条新通知');
    expect(await frank.page('/account/notices')).toContain('frankhost');
    const refused = await grace.send('POST', `/account/hosts/${host.id}/open`, {});
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('找不到该主机，或它不属于您')]);
    for (const odd of ['0', '999999', '-1', 'x', '1e3'])
      expect((await grace.send('POST', `/account/hosts/${odd}/open`, {})).status, odd).toBeGreaterThanOrEqual(404);
    const opened = await frank.send('POST', `/account/hosts/${host.id}/open`, {});
    expect(opened.status).toBe(303);
    const entered = await frank.send('GET', opened.headers.get('Location')!);
    expect(entered.status).toBe(302);
    expect(await frank.page('/user/')).toContain('frankhost');
    for (const [page, path] of [
      ['renew', '/user/renew'],
      ['package', '/user/package'],
      ['notices', '/user/notices'],
      ['https://elsewhere.test/', '/user/'],
      ['../admin/', '/user/'],
    ] as const) {
      const link = (await frank.send('POST', `/account/hosts/${host.id}/open`, { page })).headers.get('Location')!;
      expect((await frank.send('GET', link)).headers.get('Location')).toBe(path);
    }
    const odd = (await frank.send('POST', `/account/hosts/${host.id}/open`, {})).headers.get('Location')!;
    expect((await frank.send('GET', `${odd}&next=https%3A%2F%2Felsewhere.test%2F`)).headers.get('Location')).toBe('/user/');
    // The link worked once.
    const again = await new Visitor(panel).send('GET', opened.headers.get('Location')!);
    expect(again.headers.getSetCookie().join()).not.toContain('user_token=');
    expect((await visitor.send('POST', `/account/hosts/${host.id}/open`, {})).headers.get('Location')).toMatch(/^\/account\/login/);
  });

  it('list orders of the customer and of their hosts, but no others', async () => {
    const heidi = await signedUp('heidi_1');
    const { id } = (await heidi.api('me')).user as { id: number };
    const host = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'heidihost', password: 'secret-1', expiresOn: null }, 'admin');
    await panel.get(HostOwnership).assign(host.id, id);
    writePlugin(panel.dataDir, 'till', {
      files: {
        'index.js': functionPlugin(`svc.svc_register_route('POST', '/till', async (_p, ctx) => {
          for (const [name, owner] of JSON.parse(ctx.body.orders)) await svc.orders.create({ user: 'x', scene: 'till', name,
            amount: 100, owner });
          return 'ok';
        });`),
      },
    });
    await panel.enable('till');
    const orders = JSON.stringify([
      ['bought-as-customer', { customer: id }],
      ['bought-for-host', { account: host.id }],
      ['of-another-customer', { customer: id + 1 }],
      ['of-nobody', null],
    ]);
    await visitor.send('POST', '/till', { orders });
    const page = await heidi.page('/account/orders');
    expect(page).toContain('bought-as-customer');
    expect(page).toContain('bought-for-host');
    expect(page).toMatch(/<td>\d{4}-\d\d-\d\d \d\d:\d\d UTC\+8<\/td>/);
    expect(page).not.toMatch(/of-another-customer|of-nobody/);
  });
});

it('provides user_info in requires_plugins until a plugin with that slug exists', async () => {
  const needing = (slug: string, range?: string): string =>
    writePlugin(panel.dataDir, slug, {
      manifest: { requires_plugins: range ? { user_info: range } : ['user_info'] },
      files: { 'index.js': functionPlugin('') },
    });
  needing('needs_users');
  await panel.enable('needs_users');
  expect((await panel.disable('accounts')).data.stopped).toEqual(['needs_users']);
  expect(await panel.tryEnable('needs_users')).toMatchObject({ success: false });
  await panel.tryEnable('accounts');
  needing('needs_new', '^9.0.0');
  await panel.admin('plugin_install', { slug: 'needs_new' });
  expect((await panel.tryEnable('needs_new')).code).toContain('accounts');
  writePlugin(panel.dataDir, 'user_info', { manifest: { version: '9.1.0' }, files: { 'index.js': functionPlugin('') } });
  await panel.enable('user_info');
  expect((await panel.tryEnable('needs_new')).success).toBe(true);
});

describe('contributions of other plugins to the account page', () => {
  it('show credit and shop links; invalid paths and texts are dropped', async () => {
    for (const slug of ['balance', 'hosting_shop']) await panel.enable(slug);
    writePlugin(
      panel.dataDir,
      'linking',
      functionPlugin(`
        svc.svc_add_filter('accounts.links', (links, ctx, customer) => [
          ...links, { href: '/mine', title: 'For ' + customer.username + ' <b>' }, { href: 'https://evil.example/', title: 'Evil' },
          { href: '//evil.example', title: 'Evil' }, { href: 'javascript:alert(1)', title: 'Evil' }, { href: '/x', title: 7 }, null, 'Evil',
        ]);`),
    );
    await panel.enable('linking');
    const somebody = await signedUp('linked_1');
    const page = await somebody.page('/account');
    for (const part of ['href="/balance"', '我的余额：¥0.00', 'href="/shop/assets"', 'href="/mine"', 'For linked_1 &lt;b&gt;'])
      expect(page, part).toContain(part);
    expect(page).not.toContain('Evil');
    expect(await somebody.page('/balance')).toContain('href="/account"');
    writePlugin(panel.dataDir, 'linking', functionPlugin("svc.svc_add_filter('accounts.links', () => { throw new Error('no'); });"));
    await panel.enable('linking');
    expect(await somebody.page('/account')).toContain('href="/balance"');
  });
});

describe('return after sign-in', () => {
  const wayOf = async (method: string, path: string, referer?: string): Promise<string | null> => {
    const headers = { ...(referer !== undefined && { Referer: referer }) };
    const answer = await panel.fetch(path, {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'POST' && { body: new URLSearchParams() }),
    });
    return new URL(answer.headers.get('location')!, panel.url).searchParams.get('next');
  };

  it('goes to the requested page with its query', async () => {
    expect(await wayOf('GET', '/account/orders?page=2&of=a%26b')).toBe('/account/orders?page=2&of=a%26b');
    expect(await wayOf('GET', '/account/profile')).toBe('/account/profile');
  });

  it('goes to the page a form was sent from, within this site only', async () => {
    expect(await wayOf('POST', '/account/profile', `${panel.url}/account/profile`)).toBe('/account/profile');
    expect(await wayOf('POST', '/account/notices/read', `${panel.url}/account/notices?page=3&saved=1`)).toBe('/account/notices?page=3');
    for (const other of [undefined, 'https://evil.test/account/profile', 'no address', `${panel.url.replace('http', 'ftp')}x/account`])
      expect(await wayOf('POST', '/account/profile', other)).toBe('/account');
  });
});
