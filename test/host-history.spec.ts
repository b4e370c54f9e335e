/** The history of a host and its page: for everyone who may see the host, and for its owner without administrators' names. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { HostHistoryEntry, HostingNode, HostingService } from '../src/hosting/index.js';
import { BackgroundQueue } from '../src/jobs/index.js';

import { TestPanel } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';

const PASSWORD = 'secret-pass-1';
interface Row {
  czuser: string;
  lr: string;
}

let panel: TestPanel;
let id: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  const { data } = await panel.admin('addzj', { user: 'history1', pass: PASSWORD, btdh: 'local', datae: '2031-01-01', webkj: '500' });
  id = String(data.id);
  await panel.admin('zjmode', { id, ll: '20' });
  const hosting = panel.get(HostingService);
  await hosting.renew(Number(id), '2032-01-01', 'api');
  await hosting.pause(Number(id), 'quota', 'cron');
  await hosting.unpause(Number(id), 'quota', 'cron');
  await panel.admin('zjpl', { cz: 'renew', idsz: id, cs: '{"datae":"2033-01-01"}' });
  await panel.get(BackgroundQueue).idle();
  await hosting.provision({ node: 'local', user: 'other001', password: PASSWORD, expiresOn: null }, 'admin');
});
afterAll(() => panel?.close());

it('lists states, renewals and limit changes, newest first, with who did it and the old and new values', async () => {
  const rows = (await panel.admin('listzjls', { id })).rows as unknown as Row[];
  expect(rows.map(({ czuser }) => czuser)).toEqual(expect.arrayContaining(['admin', '商店', '面板']));
  expect(rows.find(({ czuser }) => czuser === '商店')!.lr).toBe('到期时间由 2031-01-01 改为 2032-01-01');
  expect(rows.some(({ czuser, lr }) => czuser === '面板' && lr.startsWith('主机暂停，原因：'))).toBe(true);
  expect(rows.some(({ lr }) => /20/.test(lr) && lr.includes('\n'))).toBe(true);
  expect(rows.some(({ czuser, lr }) => czuser === 'admin' && /2032-01-01.*2033-01-01/s.test(lr))).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  expect(JSON.stringify(rows)).not.toContain('other001');
});

it('shows an owner the own host, without the administrator’s name', async () => {
  const owner = await new PanelClient(panel.url).login('user', 'history1', PASSWORD);
  const { rows } = (await owner.ajax('user', { gn: 'listzjls', id: '999' })).json as unknown as { rows: Row[] };
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.map(({ czuser }) => czuser)).not.toContain('admin');
  const other = await new PanelClient(panel.url).login('user', 'other001', PASSWORD);
  const theirs = (await other.ajax('user', { gn: 'listzjls', id })).json as unknown as { rows: Row[] };
  expect(JSON.stringify(theirs)).not.toContain('2032-01-01');
});

it('is on the host page with its limits; unknown or forbidden hosts are not found', async () => {
  const page = await (await panel.adminFetch(`/admin/host?id=${id}`, { headers: { 'Accept-Language': 'en' } })).text();
  for (const text of [
    'history1',
    '0 / 500 MB',
    'Limits and usage',
    'Expiry moved from 2031-01-01 to 2032-01-01',
    `/admin/host-domains?id=${id}`,
    `/admin/host-programs?id=${id}`,
    // Of backups of its site.
    '0 / 3',
  ])
    expect(page).toContain(text);
  for (const bad of ['', '0', '999999', "1'--", '1e3'])
    expect((await panel.adminFetch(`/admin/host?id=${encodeURIComponent(bad)}`)).status).toBe(404);
  const nodes = panel.get(Database).repository(HostingNode);
  const local = await nodes.findOneByOrFail({ code: 'local' });
  await nodes.insert({ ...local, id: undefined, code: 'elsewhere', codeKey: 'elsewhere' });
  const elsewhere = await nodes.findOneByOrFail({ code: 'elsewhere' });
  const { data } = await panel.admin('jsbc', { name: 'Elsewhere', qx: 'listzj,zjsj,listzjls', xz: 'true', nodes: String(elsewhere.id) });
  await panel.admin('addadmin', { user: 'elsewhere', pass: 'helper-pass-1', js_id: String(data.id) });
  const client = await new PanelClient(panel.url).login('admin', 'elsewhere', 'helper-pass-1');
  expect((await client.send(`/admin/host?id=${id}`, { headers: { Accept: 'text/html' } })).status).toBe(404);
  expect((await client.ajax('admin', { gn: 'listzjls', id })).json).toMatchObject({ total: 0 });
});

it('lists limits changed by a shop, and stays when the events are removed', async () => {
  await panel.get(HostingService).setQuota(Number(id), { webMb: 750, domains: 4 }, 'api');
  await panel.get(Database).repository(DurableEvent).createQueryBuilder().delete().execute();
  const rows = (await panel.admin('listzjls', { id })).rows as unknown as Row[];
  const limits = rows.find(({ czuser, lr }) => czuser === '商店' && lr.startsWith('配额变更'))!;
  expect(limits.lr.split('\n')).toEqual(['配额变更', expect.stringMatching(/500.*750/), expect.stringContaining('4')]);
  expect(rows.some(({ lr }) => lr === '到期时间由 2031-01-01 改为 2032-01-01')).toBe(true);
  expect(rows.filter(({ lr }) => lr.startsWith('配额变更'))).toHaveLength(1);
});

it('has its own page in the owner’s menu, and is deleted with the host', async () => {
  const owner = await new PanelClient(panel.url).login('user', 'history1', PASSWORD);
  const { text: page } = await owner.send('/user/history', { headers: { Accept: 'text/html', 'Accept-Language': 'en' } });
  expect(page).toContain('Expiry moved from 2031-01-01 to 2032-01-01');
  expect(page).toContain('href="/user/history"');
  expect(
    await panel
      .get(Database)
      .repository(HostHistoryEntry)
      .countBy({ hostId: Number(id) }),
  ).toBeGreaterThan(3);
  await panel.admin('zjsc', { id });
  expect(
    await panel
      .get(Database)
      .repository(HostHistoryEntry)
      .countBy({ hostId: Number(id) }),
  ).toBe(0);
});
