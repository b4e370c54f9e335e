/** Changes that plugins report to the operation log. Source: docs/plugin-api.md "What was changed". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** Runs the code in the request body, which reports changes. */
const NOTING = `
  const note = async ({ body }) => {
    try {
      await new Function('svc', 'return (async () => {' + body.code + '})()')(svc);
      return { success: true, code: 'ok' };
    } catch (error) {
      return { success: true, code: error.message };
    }
  };
  svc.svc_register_ajax('admin', 'p_noting_note', note, 'admin', { audit: 'Noted' });
  svc.svc_register_ajax('admin', 'p_noting_quiet', note, 'admin');
  svc.svc_register_ajax('admin', 'p_noting_told', note, 'admin', { audit: 'audit.noted' });
  svc.svc_register_route('POST', '/noting/told', (_params, ctx) => note(ctx), 10, 'admin', { audit: 'audit.noted' });
  svc.svc_register_route('POST', '/noting', (_params, ctx) => note(ctx), 10, 'admin', { audit: 'Noted by a route' });
  svc.db.noteChange({ of: 'start' }, null, { told: 'to nobody' });
`;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
  const files = {
    'index.js': functionPlugin(NOTING),
    'lang/en.json': JSON.stringify({
      'subject.coupon': 'Coupon {id}',
      'changed.coupon.price': 'Price (CNY)',
      'audit.noted': 'Took a note',
    }),
    'lang/zh-CN.json': JSON.stringify({ 'subject.coupon': '优惠券 {id}', 'changed.coupon.price': '价格（元）', 'audit.noted': '记了一笔' }),
  };
  writePlugin(panel.dataDir, 'noting', { files });
  await panel.enable('noting');
});
afterAll(() => panel.close());

const newest = async (): Promise<OperationLog> =>
  (
    await panel
      .get(Database)
      .repository(OperationLog)
      .find({ order: { id: 'DESC' }, take: 1 })
  )[0]!;
/** @returns the log line of a request that ran `code`, and its answer */
async function noted(code: string): Promise<{ line: OperationLog; code: string }> {
  const answer = await panel.admin('p_noting_note', { code });
  const line = await newest();
  expect(line).toMatchObject({ category: 'p_noting_note', summary: '[noting] Noted' });
  return { line, code: answer.code };
}
const told = async (id: number, lang: string, field = 'bg'): Promise<string> => {
  const answer = await panel.fetch('/admin/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'logsj', id: String(id) }),
    headers: { Cookie: `${panel.adminCookie}; lang=${lang}` },
  });
  return ((await answer.json()) as AjaxAnswer).data[field] as string;
};
const found = async (name: string, value: string): Promise<number[]> => {
  const { rows } = await panel.admin('listlog', { limit: '200', where: JSON.stringify({ name, type: '2', value }) });
  return (rows as unknown as { id: number }[]).map(({ id }) => id);
};

describe('the log entry of a plugin’s action', () => {
  it.each([
    ['an operation', (code: string) => panel.admin('p_noting_told', { code })],
    ['a route', (code: string) => panel.adminFetch('/noting/told', { method: 'POST', body: new URLSearchParams({ code }) })],
  ])('of %s is in the reader’s language if its text is one of the plugin’s, otherwise in Chinese', async (_of, act) => {
    await act('return 1');
    const line = await newest();
    expect(line.summary).toBe('[noting] 记了一笔');
    const words = async (): Promise<string[]> => Promise.all(['en', 'zh-CN'].map((lang) => told(line.id, lang, 'lr')));
    expect(await words()).toEqual(['[noting] Took a note', '[noting] 记了一笔']);
    expect(await found('lr', '记了一笔')).toContain(line.id);
    await panel.disable('noting');
    expect(await words()).toEqual(['[noting] 记了一笔', '[noting] 记了一笔']);
    await panel.tryEnable('noting');
  });
});

describe('a change noted by a plugin', () => {
  it('is shown in the plugin’s words, and can be searched by them', async () => {
    const { line } = await noted(
      "svc.db.noteChange({ of: 'coupon', id: 12 }, { price: '9.90', name: 'A' }, { price: '8.80', name: 'A' });",
    );
    expect(line.changes).toEqual([
      { of: 'noting/coupon', id: '12', deed: 'changed', fields: [{ name: 'price', before: '9.90', after: '8.80' }] },
    ]);
    expect(await told(line.id, 'en')).toBe('Coupon 12\nPrice (CNY): 9.90 → 8.80');
    expect(await told(line.id, 'zh-CN')).toBe('优惠券 12\n价格（元）：9.90 → 8.80');
    for (const text of ['noting/coupon:12', 'Coupon 12', '优惠券 12', '优惠券12', 'coupon:12', '12'])
      expect([text, await found('zt', text)]).toEqual([text, [line.id]]);
    for (const text of ['noting/coupon', 'other/coupon:12', 'noting/coupon:%']) expect([text, await found('zt', text)]).toEqual([text, []]);
    for (const text of ['price', '价格', 'price (cny)']) expect([text, await found('zd', text)]).toEqual([text, [line.id]]);
    await panel.disable('noting');
    expect(await told(line.id, 'en')).toBe('noting/coupon:12\nprice: 9.90 → 8.80');
    expect(await found('zt', 'noting/coupon:12')).toEqual([line.id]);
    await panel.tryEnable('noting');
  });

  it('never looks like a change of the panel', async () => {
    const { line } = await noted("svc.db.noteChange({ of: 'host', id: 1 }, null, { email: 'a@example.com' });");
    expect(line.subject).toBe('noting/host:1');
    expect(await found('zt', 'host:1')).not.toContain(line.id);
  });

  it('contains no secrets, by field name or because the plugin declares them', async () => {
    const { line } = await noted(
      "svc.db.noteChange({ of: 'coupon', id: 1, secret: ['code'] }, { code: 'hid-1', api_key: 'hid-2', size: 1 }, { " +
        "code: 'hid-3', api_key: 'hid-4', size: 2 });",
    );
    expect(line.changes![0]!.fields).toEqual([
      { name: 'code', secret: true },
      { name: 'api_key', secret: true },
      { name: 'size', before: 1, after: 2 },
    ]);
    expect(JSON.stringify(line)).not.toContain('hid-');
  });

  it('keeps the values at the time of the call, and is dropped if its transaction is rolled back', async () => {
    const { line } = await noted(`
      const plan = { price: 2 };
      await svc.db.transaction(async () => {
        svc.db.noteChange({ of: 'coupon', id: 1 }, { price: 1 }, plan);
        plan.price = 3;
      });
      await svc.db.transaction(async () => {
        svc.db.noteChange({ of: 'coupon', id: 2 }, null, { price: 1 });
        throw new Error('undone');
      }).catch(() => {});
    `);
    expect(line.changes).toEqual([expect.objectContaining({ id: '1', fields: [{ name: 'price', before: 1, after: 2 }] })]);
  });

  it('accepts any values, within a size limit', async () => {
    const { line, code } = await noted(`
      const odd = { big: 10n, at: new Date(0), list: [1, { a: 2 }], text: 'x'.repeat(1_000_000), call: () => 1, sign: Symbol('s'),
        nan: NaN };
      odd.self = odd;
      Object.defineProperty(odd, 'angry', { enumerable: true, get() { throw new Error('never'); } });
      svc.db.noteChange({ of: 'odd' }, null, odd);
      for (let n = 0; n < 500; n += 1) svc.db.noteChange({ of: 'coupon', id: n }, null, { ['f'.repeat(500) + n]: 'y'.repeat(500) });
    `);
    expect(code).toBe('ok');
    expect(line.changes!.length).toBe(20);
    expect(Buffer.byteLength(JSON.stringify(line.changes))).toBeLessThanOrEqual(8_192);
    const fields = new Map(line.changes![0]!.fields.map(({ name, after }) => [name, after]));
    expect(Object.fromEntries(fields)).toMatchObject({
      big: '10',
      at: '1970-01-01T00:00:00.000Z',
      list: '[1,{"a":2}]',
      self: '?',
      angry: '?',
    });
    expect(fields.get('text')).toEqual({ cut: 'x'.repeat(200), length: 1_000_000 });
  });

  it.each([
    ['undefined', /kind/],
    ["{ of: '' }", /kind/],
    ["{ of: 'a/b' }", /kind/],
    ["{ of: 'Coupon' }", /kind/],
    ["{ of: 'x'.repeat(33) }", /kind/],
    ["{ of: 'coupon', id: {} }", /id/],
    ["{ of: 'coupon', id: 'x'.repeat(61) }", /id/],
    ["{ of: 'coupon', secret: 'code' }", /secrets/],
  ])('of %s is refused', async (subject, reason) => {
    const { code, line } = await noted(`svc.db.noteChange(${subject}, null, { a: 1 });`);
    expect([code, line.changes]).toEqual([expect.stringMatching(reason), null]);
  });

  it('belongs to the entry of a route, and is dropped if there is no entry', async () => {
    const post = (path: string, fields: Record<string, string>) =>
      panel.adminFetch(path, { method: 'POST', body: new URLSearchParams(fields) });
    const code = "svc.db.noteChange({ of: 'coupon', id: 3 }, { price: 1 }, { price: 2 });";
    expect((await post('/noting', { code })).status).toBe(200);
    expect(await newest()).toMatchObject({ category: 'route', subject: 'noting/coupon:3', fields: ',price,' });
    const { id } = await newest();
    await panel.admin('p_noting_quiet', { code });
    expect((await newest()).id).toBe(id);
    expect((await noted('')).line.changes).toBeNull();
  });
});
