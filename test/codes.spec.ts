/** Redeem codes: created by the reseller, redeemed by hosting accounts and by customers on the page of the plugin `balance`. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { HostingService } from '../src/hosting/index.js';
import { LedgerCheck } from '../src/ledger/index.js';

import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';

const PASSWORD = 'secret-pass-1';
let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.enable('balance');
});
afterAll(() => panel.close());

type Answer = Record<string, unknown> & { data: { id: number; codes: string; csv: string } };
const admin = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
const host = async (user: string): Promise<PanelClient> => {
  await panel.get(HostingService).provision({ node: 'local', user, password: PASSWORD, expiresOn: null }, 'admin');
  return new PanelClient(panel.url).login('user', user, PASSWORD);
};
const credit = async (client: PanelClient) => (await client.ajax('user', { gn: 'wdye' })).json.rmb;

it('are created within limits, by authorized people, and shown in one response', async () => {
  for (const [fields, field] of [
    [{ rmb: '0', sl: '1' }, 'rmb'],
    [{ rmb: '-5', sl: '1' }, 'rmb'],
    [{ rmb: '0.001', sl: '1' }, 'rmb'],
    [{ rmb: '5', sl: '0' }, 'sl'],
    [{ rmb: '5', sl: '1001' }, 'sl'],
    [{ rmb: '5', sl: '1', dateb: '2027-02-30' }, 'dateb'],
  ] as const)
    expect(Object.keys(((await admin('adddhm', fields as Record<string, string>)).fields as object) ?? {}), JSON.stringify(fields)).toEqual(
      [field],
    );
  const { data } = await admin('adddhm', { rmb: '5', sl: '2', name: 'Fair <1>' });
  expect(data.codes.split('\n')).toHaveLength(2);
  expect(data.csv).toBe(
    `\uFEFF兑换码,面额,截止日期\r\n${data.codes
      .split('\n')
      .map((code) => `${code},5.00,\r\n`)
      .join('')}`,
  );
  const shown = JSON.stringify([await admin('listdhpc'), await admin('listdhm', { id: String(data.id) }), await admin('listlog')]);
  for (const code of data.codes.split('\n')) expect(shown).not.toContain(code.slice(0, 14));
  const page = await (await panel.adminFetch(`/admin/code-batch?id=${data.id}`)).text();
  expect(page).toContain('Fair &lt;1&gt;');
  expect((await panel.adminFetch('/admin/code-batch?id=777')).status).toBe(404);
  for (const gn of ['listdhpc', 'adddhm', 'listdhm', 'dhmzf'])
    expect((await new PanelClient(panel.url).ajax('admin', { gn })).json, gn).not.toHaveProperty('success', true);
  expect((await new PanelClient(panel.url).ajax('user', { gn: 'yedh', dhm: data.codes.split('\n')[0]! })).json).not.toHaveProperty(
    'success',
    true,
  );
});

it('add credit once: through the operation and the plugin’s page', async () => {
  const [one, other] = [await host('redeemer1'), await host('redeemer2')];
  const { data } = await admin('adddhm', { rmb: '5', sl: '2' });
  const [first, second] = data.codes.split('\n') as [string, string];
  const clicks = await Promise.all(Array.from({ length: 5 }, () => one.ajax('user', { gn: 'yedh', dhm: first })));
  expect(clicks.filter(({ json }) => json.success === true)).toHaveLength(1);
  expect((await other.ajax('user', { gn: 'yedh', dhm: first })).json).toMatchObject({
    err: 'E_STATE',
    fields: { dhm: expect.any(String) },
  });
  const redeem = (client: PanelClient, code: string) =>
    client.send('/balance/redeem', { method: 'POST', body: new URLSearchParams({ code }), headers: { 'Accept-Language': 'en' } });
  expect((await redeem(new PanelClient(panel.url), second)).text).toContain('/account/login');
  expect(await redeem(other, '<b>')).toMatchObject({ status: 422, text: expect.stringContaining('This code does not exist') as string });
  expect(await redeem(other, second)).toMatchObject({ status: 303 });
  expect(await redeem(other, second)).toMatchObject({ status: 422, text: expect.stringContaining('already') as string });
  expect([await credit(one), await credit(other)]).toEqual(['5.00', '5.00']);
  const log = (await one.ajax('user', { gn: 'yelog' })).json.rows as Record<string, string>[];
  expect(log).toMatchObject([{ lx: 'code', rmb: '+5.00' }]);
  expect(await panel.get(LedgerCheck).run()).toBe(0);
  expect(await admin('dhmzf', { id: String(data.id) })).toMatchObject({ err: 'E_STATE' });
});
