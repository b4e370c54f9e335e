import { afterAll, beforeAll, expect, it } from 'vitest';

import { SessionService } from '../src/auth/index.js';
import { HostingService, HostOwnership } from '../src/hosting/index.js';
import { Orders } from '../src/payment/index.js';

import { TestPanel, type AjaxAnswer } from './support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const PASSWORD = 'a-pass-word-1';
type Line = Record<string, string>;

async function added(username: string, more: Record<string, string> = {}): Promise<number> {
  const answer = await panel.admin('addyh', { username, pass: PASSWORD, ...more });
  expect([answer.code, answer.success]).toEqual([answer.code, true]);
  return Number((answer.data as Line).id);
}
const line = async (id: number): Promise<Line> => (await panel.admin('yhsj', { id: String(id) })).data as Line;
const rows = (answer: AjaxAnswer): Line[] => answer.rows as unknown as Line[];
const hostOf = async (user: string, customer: number): Promise<number> => {
  const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: 'secret-1', expiresOn: null }, 'admin');
  await panel.get(HostOwnership).assign(id, customer);
  return id;
};
/** Signs in at the account pages. */
async function signIn(username: string, password = PASSWORD): Promise<Line> {
  const body = new URLSearchParams({ username, password });
  const response = await panel.fetch('/account/api/login', { method: 'POST', body, headers: { 'Accept-Language': 'zh-CN' } });
  return (await response.json()) as Line;
}

it('warns that links lead nowhere while no plugin provides the account pages', async () => {
  const id = String(await added('early_1'));
  for (const gn of ['yhdl', 'yhczmm']) expect(await panel.admin(gn, { id })).toMatchObject({ success: false, err: 'E_DISABLED' });
  await panel.enable('accounts');
  expect((await panel.admin('yhdl', { id })).success).toBe(true);
});

it('adds, finds and changes customers, and rejects invalid input', async () => {
  const id = await added('Found_1', { email: 'found@example.com', qq: '12345' });
  expect(await line(id)).toMatchObject({
    username: 'Found_1',
    email: 'found@example.com',
    yx: 'false',
    qq: '12345',
    status: '1',
    zjs: '0',
    f2: 'false',
    last: '',
  });
  for (const ss of ['found_1', 'FOUND@example', '12345'])
    expect(rows(await panel.admin('listyh', { ss })).map(({ id: found }) => found)).toEqual([String(id)]);
  expect(rows(await panel.admin('listyh', { ss: '%' }))).toEqual([]);
  await panel.admin('yhxg', { id: String(id), qq: '' });
  expect(await line(id)).toMatchObject({ email: 'found@example.com', qq: '' });
  for (const [fields, field] of [
    [{ username: 'x' }, 'username'],
    [{ username: 'found_1' }, 'username'],
    [{ pass: '12345' }, 'pass'],
    [{ email: 'nobody' }, 'email'],
    [{ qq: '1' }, 'qq'],
    [{ status: '2' }, 'status'],
  ] as const) {
    const answer = await panel.admin('addyh', { username: 'refused_1', pass: PASSWORD, ...fields });
    expect([fields, answer.success, Object.keys(answer.fields ?? {})]).toEqual([fields, false, [field]]);
  }
  for (const gn of ['yhsj', 'yhxg', 'yhkg', 'yhczmm', 'yhdl', 'yhf2', 'yhsc'])
    expect([gn, await panel.admin(gn, { id: '999999', status: '0' })]).toEqual([gn, expect.objectContaining({ err: 'E_NOTEXIST' })]);
});

it('disables and enables them', async () => {
  const id = await added('locked_1');
  const token = await panel.get(SessionService).open('customer', id, { ip: '203.0.113.7', userAgent: 'x' });
  expect((await panel.admin('yhkg', { id: String(id), status: '0' })).success).toBe(true);
  expect(await panel.get(SessionService).resolve('customer', token)).toBeNull();
  expect(await panel.admin('yhkg', { id: String(id), status: '0' })).toMatchObject({ err: 'E_STATE' });
  expect(await panel.admin('yhdl', { id: String(id) })).toMatchObject({ success: false });
  expect((await signIn('locked_1')).code).toBe('账号已被禁用');
  await panel.admin('yhkg', { id: String(id), status: '1' });
  // Earlier sessions stay ended.
  expect(await panel.get(SessionService).resolve('customer', token)).toBeNull();
  expect((await signIn('locked_1')).code).toBe('ok');
});

it('sets a password, or creates a link that sets one, once', async () => {
  const id = await added('reset_1');
  await panel.admin('yhczmm', { id: String(id), pass: 'second-pass-1' });
  expect((await signIn('reset_1')).code).not.toBe('ok');
  expect((await signIn('reset_1', 'second-pass-1')).code).toBe('ok');
  const { url } = (await panel.admin('yhczmm', { id: String(id) })).data as { url: string };
  const { pathname, search, searchParams } = new URL(url);
  expect(pathname).toBe('/account/reset');
  expect(await (await panel.fetch(pathname + search)).text()).toContain('reset_1');
  const set = (password: string, t = searchParams.get('t')!): Promise<number> =>
    panel
      .fetch('/account/reset', { method: 'POST', body: new URLSearchParams({ t, password, password2: password }) })
      .then(({ status }) => status);
  expect(await set('12345')).toBe(422);
  const [first, ...others] = (await Promise.all([1, 2, 3, 4].map((nth) => set(`third-pass-${nth}`)))).sort();
  expect([first, others.every((status) => status === 410)]).toEqual([200, true]);
  expect((await signIn('reset_1', 'second-pass-1')).code).not.toBe('ok');
  expect(await set('fourth-pass-1')).toBe(410);
  expect(await set('fourth-pass-1', `${searchParams.get('t')!}x`)).toBe(410);
});

it('creates a link that signs in once; opening it does not use it up', async () => {
  const id = await added('enter_1');
  const { url } = (await panel.admin('yhdl', { id: String(id) })).data as { url: string };
  const { pathname, search, searchParams } = new URL(url);
  for (let looks = 0; looks < 3; looks += 1) expect(await (await panel.fetch(pathname + search)).text()).toContain('enter_1');
  const enter = (): Promise<Response> =>
    panel.fetch('/account/enter', { method: 'POST', body: new URLSearchParams({ t: searchParams.get('t')! }) });
  const statuses = await Promise.all(
    [1, 2, 3, 4, 5].map(() => enter().then(({ status, headers }) => [status, /account_token=/.test(headers.getSetCookie().join())])),
  );
  expect(statuses.filter(([status]) => status === 303)).toEqual([[303, true]]);
  expect(statuses.filter(([status]) => status === 410)).toHaveLength(4);
  expect((await line(id)).last).not.toBe('');
  // A sign-in link cannot set a password, and vice versa.
  const set = new URLSearchParams({ t: searchParams.get('t')!, password: PASSWORD, password2: PASSWORD });
  expect((await panel.fetch('/account/reset', { method: 'POST', body: set })).status).toBe(410);
});

it('shows hosts and orders of a customer, who cannot be deleted while there are any', async () => {
  const id = await added('owner_1');
  const other = await added('owner_2');
  const host = await hostOf('ownerhost1', id);
  await hostOf('ownerhost2', other);
  const make = (name: string, owner: { account: number } | { customer: number }) =>
    panel.get(Orders).create({ user: 'x', scene: 'test', name, amount: 100, owner });
  await make('of-host', { account: host });
  expect(rows(await panel.admin('yhzj', { id: String(id) })).map(({ user }) => user)).toEqual(['ownerhost1']);
  expect(rows(await panel.admin('yhdd', { id: String(id) })).map(({ name }) => name)).toEqual(['of-host']);
  expect(await line(id)).toMatchObject({ zjs: '1' });
  expect(await panel.admin('yhsc', { id: String(id) })).toMatchObject({ success: false, err: 'E_STATE' });
  await panel.get(HostOwnership).assign(host, null);
  // The orders of the host moved with it.
  expect(rows(await panel.admin('yhdd', { id: String(id) }))).toEqual([]);
  const own = await make('of-customer', { customer: id });
  expect(rows(await panel.admin('yhdd', { id: String(id) })).map(({ ddh }) => ddh)).toEqual([own.number]);
  expect(await panel.admin('yhsc', { id: String(id) })).toMatchObject({ success: false, err: 'E_STATE' });
  const free = await added('free_1');
  expect((await panel.admin('yhsc', { id: String(free) })).success).toBe(true);
  expect((await signIn('free_1')).code).toBe('用户不存在或密码错误');
});

it('never leaves a host with a customer who is deleted at that moment', async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await added(`race_${round}`);
    const { id: host } = await panel
      .get(HostingService)
      .provision({ node: 'local', user: `racehost${round}`, password: 'secret-1', expiresOn: null }, 'admin');
    const [assigned, removed] = await Promise.all([
      panel.admin('zjzp', { id: String(host), yh_id: String(id) }),
      panel.admin('yhsc', { id: String(id) }),
    ]);
    expect([assigned.success, removed.success].sort()).toEqual([false, true]);
    const { ownerId } = (await panel.get(HostingService).get(host))!;
    expect(ownerId).toBe(assigned.success ? id : null);
  }
});
