/** The operation of the sample form on the components page: in memory, for administrators, and robust. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
});
afterAll(() => panel.close());

interface Answer {
  readonly success: boolean;
  readonly err?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly row_version: string;
}

const send = async (fields: Record<string, string>): Promise<Answer> => {
  const init = { method: 'POST', headers: { 'Accept-Language': 'en' }, body: new URLSearchParams({ gn: 'components', ...fields }) };
  return (await (await panel.adminFetch('/admin/ajax.php', init)).json()) as Answer;
};
const shown = async (): Promise<{ title: string; row_version: string }> => {
  const html = await (await panel.adminFetch('/admin/components')).text();
  const value = (name: string): string => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)![1]!;
  return { title: value('title'), row_version: value('row_version') };
};

it('rejects invalid choices, and keeps the stored values', async () => {
  const before = await shown();
  for (const [fields, wrong] of [
    [{ title: 'x', refuse: 'title' }, { title: 'Refused, as you chose' }],
    [{ title: 'x', refuse: 'NOTE' }, { note: 'Refused, as you chose' }],
    [{ title: 'x', refuse: '__proto__' }, { refuse: 'Not one of the choices' }],
    [{ title: ' ' }, { title: 'Must not be empty' }],
    [{}, { title: 'Must not be empty' }],
    [{ title: 'x'.repeat(41) }, { title: expect.any(String) as string }],
    [{ title: 'x', note: 'x'.repeat(201) }, { note: 'At most 200 characters' }],
    [{ title: 'x', row_version: 'no version' }, { row_version: expect.any(String) as string }],
  ] as [Record<string, string>, Record<string, string>][]) {
    expect(await send(fields)).toMatchObject({ success: false, err: 'E_ARGS', fields: wrong });
  }
  expect(await shown()).toEqual(before);
});

it('warns the second of two tabs, and saves what it sends again', async () => {
  const { row_version } = await shown();
  const first = await send({ title: 'First', row_version });
  expect(first).toMatchObject({ success: true });
  const late = await send({ title: 'Second', row_version });
  expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', fields: { title: 'Changed in the meantime. Current value: First' } });
  expect((await shown()).title).toBe('First');
  expect(await send({ title: '<b>Second', row_version: late.row_version })).toMatchObject({ success: true });
  expect((await shown()).title).toBe('&lt;b&gt;Second');
});

it('is for administrators, is not logged, and is reset when the panel restarts', async () => {
  const body = new URLSearchParams({ gn: 'components', title: 'x' });
  expect(await (await panel.fetch('/admin/ajax.php', { method: 'POST', body })).text()).toBe('{"code":"请登陆后台"}');
  const user = await panel.signInUser();
  const ofUser = await panel.fetch('/user/ajax.php', { method: 'POST', headers: { Cookie: user }, body });
  expect(await ofUser.json()).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  const lines = async (): Promise<unknown> => ((await panel.admin('listlog', {})) as unknown as { total: number }).total;
  const before = await lines();
  expect(await send({ title: 'Kept in memory' })).toMatchObject({ success: true });
  expect([typeof before, await lines()]).toEqual(['number', before]);
  await panel.restart();
  expect((await shown()).title).toBe('Sample');
});
