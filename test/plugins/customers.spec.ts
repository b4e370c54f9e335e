import { afterAll, beforeAll, expect, it } from 'vitest';

import { SessionService } from '../../src/auth/index.js';
import { Customer } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { addCustomer } from '../support/customers.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const CALLS = `
  const { customers } = svc;
  const calls = { current: (ctx) => customers.current(ctx), get: (_ctx, id) => customers.get(Number(id)), ownerOf: (_ctx, id) =>
    customers.ownerOf(Number(id)),
    hostsOf: (_ctx, id) => customers.hostsOf(Number(id)), assignHost: (_ctx, id, to) => customers.assignHost(Number(id), to === ''
      ? null : Number(to)) };
  svc.svc_register_ajax('user', 'p_' + svc.slug, async (ctx) => {
    try { return { answer: await calls[ctx.body.call](ctx, ctx.body.a, ctx.body.b) };
      } catch (error) { return { code: error.code, message: error.message }; }
  });`;

let panel: TestPanel;
let customer: number;

beforeAll(async () => {
  panel = await TestPanel.start();
  for (const [slug, permissions] of [
    ['buyers', ['customers']],
    ['curious', []],
  ] as const) {
    writePlugin(panel.dataDir, slug, { manifest: { permissions: [...permissions] }, files: { 'index.js': functionPlugin(CALLS) } });
    await panel.enable(slug);
  }
  customer = await addCustomer(panel, 'Alice');
});
afterAll(() => panel.close());

async function ask(call: string, a: unknown = '', b: unknown = '', slug = 'buyers', cookie = ''): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ gn: `p_${slug}`, call, a: String(a), b: String(b) });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: cookie } });
  return (await response.json()) as Record<string, unknown>;
}

const host = (user: string): Promise<{ id: number }> =>
  panel.get(HostingService).provision({ node: 'local', user, password: 'secret-1', expiresOn: null }, 'admin');

it('returns the signed-in customer until they are locked out or the session ends', async () => {
  const token = await panel.get(SessionService).open('customer', customer, { ip: '203.0.113.7', userAgent: 'test' });
  const signedIn = async (): Promise<unknown> => (await ask('current', '', '', 'buyers', `account_token=${token}`)).answer;
  expect(await signedIn()).toMatchObject({ id: customer, username: 'Alice', email: '', emailVerified: false, qq: '', status: 'active' });
  expect(JSON.stringify(await signedIn())).not.toMatch(/hash|password/i);
  const rows = panel.get(Database).repository(Customer);
  await rows.update({ id: customer }, { status: 0 });
  expect(await signedIn()).toBeNull();
  expect((await ask('get', customer)).answer).toMatchObject({ status: 'locked' });
  await rows.update({ id: customer }, { status: 1 });
  await panel.get(SessionService).end(token);
  expect(await signedIn()).toBeNull();
  for (const cookie of ['', 'account_token=x', `account_token=${'a'.repeat(43)}`, `user_token=${token}`])
    expect((await ask('current', '', '', 'buyers', cookie)).answer).toBeNull();
});

it('does not accept a session of another side as a customer’s', async () => {
  const { id } = await host('sides001');
  const token = await panel.get(SessionService).open('user', id, { ip: '203.0.113.7', userAgent: 'test' });
  expect((await ask('current', '', '', 'buyers', `account_token=${token}`)).answer).toBeNull();
});

it('returns, changes and clears the owner of a host', async () => {
  const first = await host('owned001');
  const second = await host('owned002');
  expect((await ask('ownerOf', first.id)).answer).toBeNull();
  for (const { id } of [first, second]) expect((await ask('assignHost', id, customer)).answer).toMatchObject({ id, ownerId: customer });
  expect((await ask('ownerOf', first.id)).answer).toMatchObject({ id: customer, username: 'Alice' });
  expect((await ask('hostsOf', customer)).answer).toMatchObject([{ user: 'owned001' }, { user: 'owned002' }]);
  const other = await addCustomer(panel, 'bob');
  await ask('assignHost', first.id, other);
  expect((await ask('hostsOf', customer)).answer).toMatchObject([{ user: 'owned002' }]);
  expect((await ask('hostsOf', other)).answer).toMatchObject([{ user: 'owned001' }]);
  await panel.get(HostingService).terminate(first.id, 'admin', { destroy: true });
  expect((await ask('hostsOf', other)).answer).toEqual([]);
  expect((await ask('ownerOf', first.id)).answer).toBeNull();
  await ask('assignHost', second.id, '');
  expect((await ask('hostsOf', customer)).answer).toEqual([]);
});

it('refuses unknown customers and hosts, and writes nothing', async () => {
  const { id } = await host('refused1');
  expect(await ask('assignHost', id, 999_999)).toMatchObject({ code: 'CUSTOMER_MISSING' });
  expect(await ask('assignHost', 999_999, customer)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  expect((await ask('ownerOf', id)).answer).toBeNull();
  for (const odd of ['x', '1.5', '-1', '1e99']) expect((await ask('get', odd)).answer).toBeNull();
});

it('is unavailable without the permission', async () => {
  for (const call of ['current', 'get', 'ownerOf', 'hostsOf', 'assignHost'])
    expect(await ask(call, 1, 1, 'curious')).toEqual({
      code: 'PERMISSION_MISSING',
      message: expect.stringContaining('customers') as string,
    });
});
