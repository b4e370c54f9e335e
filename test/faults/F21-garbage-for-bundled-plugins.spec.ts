import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

const GARBAGE = [
  '',
  '<script>',
  '"><img src=x onerror=alert(1)>',
  '[1,2]',
  '{"a":1}',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '1e9',
  '1.5',
  '\u0000',
  '\uFFFD',
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  '中文'.repeat(80),
  '999999999999',
  "' OR 1=1 --",
];

describe('F21 garbage for the bundled plugins', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();
    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
    const saved = await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, name: '长'.repeat(120) });
    expect(saved.success).toBe(true);
  });
  afterAll(() => panel.close());

  const good = { plan_id: '1', period: 'month', username: 'fuzz-name', password: 'a-password-of-my-own', type: 'sandbox__test' };
  const create = (fields: Record<string, string>): Promise<Response> =>
    panel.fetch('/shop/api/create_order', { method: 'POST', body: new URLSearchParams(fields) });

  it.each([
    ['type', '<script>'],
    ['type', 'nobody__card'],
    ['type', '__proto__'],
    ['period', 'constructor'],
    ['period', '__proto__'],
    ['plan_id', 'NaN'],
    ['username', '<script>'],
    ['password', 'short'],
    ['password', 'with\u0000control-characters'],
  ])('%s = %j is rejected in JSON that names it', async (field, value) => {
    const response = await create({ ...good, [field]: value });
    expect(response.headers.get('content-type')).toContain('application/json');
    const answer = (await response.json()) as { code: string; fields: Record<string, string>; order_no?: string };
    expect(Object.keys(answer.fields)).toEqual([field]);
    expect(answer.code).toBe(answer.fields[field]);
    expect(answer.order_no).toBeUndefined();
  });

  it('a plan with the longest name can be ordered', async () => {
    expect(await (await create(good)).json()).toMatchObject({ code: 'ok' });
  });

  it('no input in any field leads to an internal error', async () => {
    const value = fc.oneof(fc.constantFrom(...GARBAGE), fc.string({ maxLength: 200, unit: 'binary' }));
    const body = (names: string[]): fc.Arbitrary<Record<string, string>> =>
      fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
    const order = ['plan_id', 'period', 'username', 'password', 'type', 'plan_id[]'];
    const pay = ['out_trade_no', 'money', 'name', 'notify_url', 'return_url', 'sign', 'trade_no', 'trade_status', 'decision'];
    const requests = fc.oneof(
      fc.tuple(
        fc.constant('/shop/api/create_order'),
        fc.oneof(
          body(order),
          body(order).map((fields) => ({ ...good, ...fields })),
        ),
      ),
      fc.tuple(fc.constantFrom('/shop/order/1', '/shop/order/%00', '/shop/status/x', `/shop/status/${'0'.repeat(32)}`), body(order)),
      fc.tuple(fc.constantFrom('/pay/sandbox/checkout', '/pay/sandbox/notify', '/pay/sandbox/return'), body(pay)),
    );
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async ([path, fields], get) => {
        const query = new URLSearchParams(fields);
        const response = get
          ? await panel.fetch(`${path}?${query}`.slice(0, 6_000))
          : await panel.fetch(path, { method: 'POST', body: query });
        expect(response.status, `${path} ${query}`).toBeLessThan(500);
        await response.arrayBuffer();
      }),
      { numRuns: 120 },
    );
    const plan = ['id', 'name', 'description', 'node', 'price', 'web_mb', 'database_mb', 'traffic_gb', 'domains', 'active'];
    await fc.assert(
      fc.asyncProperty(body(plan), async (fields) => {
        const response = await panel.adminFetch('/admin/ajax.php', {
          method: 'POST',
          body: new URLSearchParams({ gn: 'p_hosting_shop_plan_save', ...fields }),
        });
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ code: expect.any(String) as string });
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
