import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { Order } from '../src/payment/index.js';

import { TestPanel } from './support/panel.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
  for (const [name, rmb] of [
    ['Old', '1.00'],
    ['New', '2.00'],
    ['=HYPERLINK("x")', '3.00'],
  ])
    await panel.admin('adddd', { user: 'buyer', scene: name === 'Old' ? 'old' : 'manual', name: name!, rmb: rmb! });
  await panel
    .get(Database)
    .repository(Order)
    .update({ name: 'Old' }, { createdAt: new Date('2025-03-01T20:00:00Z') });
});
afterAll(() => panel.close());

const names = async (fields: Record<string, string>): Promise<string[]> => {
  const { rows } = (await panel.admin('listdd', { limit: '50', ...fields })) as unknown as { rows: { name: string }[] };
  return rows.map(({ name }) => name).sort();
};

it('lists orders of a date range in the panel’s time zone, both days included', async () => {
  expect(await names({ from: '2025-03-02', to: '2025-03-02' })).toEqual(['Old']);
  expect(await names({ to: '2025-03-01' })).toEqual([]);
  expect(await names({ from: '2025-03-03' })).toEqual(['=HYPERLINK("x")', 'New']);
  const wrong: Record<string, string>[] = [{ from: 'soon' }, { to: '2025-02-30' }];
  for (const fields of wrong)
    expect(await panel.admin('listdd', fields).catch((error: unknown) => String(error))).toMatchObject({
      err: 'E_ARGS',
    });
});

it('exports them as a table and as rows (dddc)', async () => {
  const link = async (fields: Record<string, string>): Promise<string> =>
    ((await panel.admin('dddc', fields)) as unknown as { url: string }).url;
  const table = await (await panel.adminFetch(await link({ from: '2025-03-02', to: '2025-03-02' }))).text();
  expect(table).toContain('Old');
  expect(table).not.toContain('New');
  const rows = (await (await panel.adminFetch(await link({ gs: 'json', scene: 'manual', qk: 'unpaid' }))).json()) as unknown;
  const text = JSON.stringify(rows);
  expect(text).toContain('New');
  expect(text).not.toContain('"Old"');
  // Spreadsheets must not run a buyer's input.
  expect(await (await panel.adminFetch(await link({ scene: 'manual' }))).text()).not.toMatch(/(^|[,\n"])=HYPERLINK/);
});
