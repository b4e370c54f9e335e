/** U2: of two tabs that change the same monitor the second is told, and nothing is overwritten without that. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database, SiteConfig } from '../../src/database/index.js';
import { MonitorTask } from '../../src/monitor/entities/index.js';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let owner: string;

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,store' });
  owner = await panel.signInUser('owner01');
});
afterAll(() => panel.close());

type Reply = Record<string, unknown> & { id: number; fields?: Record<string, string>; row_version: string };
/** An operation as the second tab sends it, in English. */
async function send(side: 'admin' | 'user', gn: string, fields: Record<string, string>): Promise<Reply> {
  const init = { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { 'Accept-Language': 'en' } };
  const response = await (side === 'admin'
    ? panel.adminFetch('/admin/ajax.php', init)
    : panel.fetch('/user/ajax.php', { ...init, headers: { ...init.headers, Cookie: owner } }));
  return (await response.json()) as Reply;
}
/** The page that holds a form. */
const pageOf = async (path: string): Promise<string> =>
  (await (path.startsWith('/admin/') ? panel.adminFetch(path) : panel.fetch(path, { headers: { Cookie: owner } }))).text();
/** The version a form of a page carries. */
const versionIn = async (path: string): Promise<string> => /name="row_version" value="([^"]+)"/.exec(await pageOf(path))![1]!;
const taskOf = (id: number) => panel.get(Database).repository(MonitorTask).findOneByOrFail({ id });

describe('a form that was opened before somebody else saved', () => {
  describe.each([
    ['admin', 'jkbc'],
    ['user', 'monitor_save'],
  ] as const)('of a monitor, on the side %s', (side, gn) => {
    const url = 'https://example.com/';
    const added = async () => (await send(side, gn, { name: 'shop', url, headers: 'X-Key: planted-header-1' })).id;

    it('is refused at the fields that are other now, and saved when it is sent again', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const form = { id: String(id), name: 'shop', url, tags: '', upside_down: 'false', row_version };
      const first = await send(side, gn, { ...form, name: 'First tab', upside_down: 'true' });
      expect(first).toMatchObject({ success: true, id, row_version: await versionIn(`/${side}/monitor-form?id=${id}`) });
      const late = await send(side, gn, { ...form, name: 'Second tab' });
      const fields = { name: 'Changed meanwhile. It is now: First tab', upside_down: expect.any(String) as string };
      expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', fields });
      expect(Object.keys(late.fields!)).toEqual(['name', 'upside_down']);
      expect(await taskOf(id)).toMatchObject({ name: 'First tab', upsideDown: true });
      expect(await send(side, gn, { ...form, name: 'Second tab', row_version: late.row_version })).toMatchObject({ success: true });
      expect(await taskOf(id)).toMatchObject({ name: 'Second tab', upsideDown: false });
    });

    it('is told that headers are others, and not which, before they go to an address of the other tab', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const form = { id: String(id), name: 'shop', row_version };
      expect(await send(side, gn, { ...form, url: 'https://example.org/', headers: 'X-Key: planted-header-2' })).toMatchObject({
        success: true,
      });
      const late = await send(side, gn, { ...form, url });
      expect(late).toMatchObject({
        err: 'E_CONFLICT',
        fields: { url: expect.stringContaining('https://example.org/') as string, headers: 'Changed meanwhile' },
      });
      expect(JSON.stringify(late)).not.toContain('planted-header');
    });

    it('of two that save at the same moment one is told', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) => send(side, gn, { id: String(id), name: `tab ${n}`, url, row_version })),
      );
      expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
      expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    });

    it('compares neither what checks find and the switch, nor anything for who sends no version', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      await send(side, side === 'admin' ? 'jkkg' : 'monitor_toggle', { id: String(id), enabled: 'false' });
      await panel.get(Database).repository(MonitorTask).update({ id }, { lastMs: 7, failCount: 2, state: 'down' });
      expect(await send(side, gn, { id: String(id), name: 'again', row_version })).toMatchObject({ success: true });
      const plain = await send(side, gn, { id: String(id), name: 'without' });
      expect(plain).toMatchObject({ success: true, id });
      expect(plain).not.toHaveProperty('row_version');
      expect(await send(side, gn, { id: String(id), name: 'without', row_version: 'latest' })).toMatchObject({ err: 'E_ARGS' });
      expect(await pageOf(`/${side}/monitor-form?kind=url`)).not.toContain('name="row_version"');
    });
  });

  it('of a monitor has the version its rows have', async () => {
    const { rows } = (await send('admin', 'listjk', {})) as unknown as { rows: { id: number; row_version: string }[] };
    const { id, row_version } = rows[0]!;
    expect(row_version).toBe(await versionIn(`/admin/monitor-form?id=${id}`));
  });

  it('of the settings of monitors', async () => {
    const row_version = /(?:&quot;|&#34;)row_version(?:&quot;|&#34;):(?:&quot;|&#34;)([^&]+)/.exec(await pageOf('/admin/monitors'))![1]!;
    const limit = async () => (await panel.get(Database).repository(SiteConfig).findOneByOrFail({ id: 1 })).monitorLimit;
    const first = await send('admin', 'jksz', { jk_max: '7', neutral: '', row_version });
    expect(first).toMatchObject({ success: true });
    const late = await send('admin', 'jksz', { jk_max: '8', neutral: '', row_version });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { jk_max: 'Changed meanwhile. It is now: 7' },
      row_version: first.row_version,
    });
    expect(await limit()).toBe(7);
    expect(await send('admin', 'jksz', { jk_max: '8', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('admin', 'jksz', { jk_max: '9' })).toMatchObject({ success: true });
    expect(await limit()).toBe(9);
  });
});
