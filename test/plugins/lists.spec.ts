/** Lists on pages of plugins: declared with the page, with rows from an operation of the plugin. Source: docs/plugin-api.md "Lists". */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Faults } from '../../src/common/index.js';
import { RequestContext } from '../../src/operations/index.js';
import type { CallContext } from '../../src/sdk/index.js';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const LIST = `{
  id: 'tickets', operation: 'p_desk_tickets', sort: '-id', empty: 'none', search: [['subject', 'subject']], given: ['box'],
  totals: { operation: 'p_desk_sums', figures: [{ field: 'waits', title: 'open' }, { field: 'worth', title: 'worth', kind: 'money' },
    { field: 'nothing', title: 'nothing' }] },
  columns: [{ field: 'id', title: 'number', sortable: true }, { field: 'subject', title: 'subject' }, { field: 'state',
    title: 'state', kind: 'badge', badges: { open: ['yellow', 'open'] } }],
  actions: [{ label: 'close', when: (row) => row.state === 'open', operation: 'p_desk_close', fields: (row) => ({ id: String(row.id) }) }],
}`;
const DESK = `
  svc.svc_register_ajax('admin', 'p_desk_tickets', (ctx) => {
    const { body } = globalThis.deskCall = ctx;
    globalThis.deskFields = { ...body };
    const all = Array.from({ length: 300 }, (_, at) => ({ id: 300 - at, subject: '<i>' + (body.box || 'no box') + (300 - at),
      state: at % 2 ? 'done' : 'open' }));
    return { total: 300, rows: all.slice((body.page - 1) * body.limit, body.page * body.limit) };
  }, 'admin');
  svc.svc_register_ajax('admin', 'p_desk_sums', ({ body }) => {
    globalThis.deskSums = { ...body };
    return { waits: 150, worth: '12.50' };
  }, 'admin');
  svc.svc_register_page('admin', 'index', 'pages/index.liquid', 'tickets', { lists: [${LIST}] });
  svc.svc_register_ajax('admin', 'p_desk_secret', () => ({ total: 1, rows: [{ id: 1, subject: 'the secret' }] }), () => false);
  svc.svc_register_page('admin', 'secret', 'pages/index.liquid', 'tickets', { lists: [{ ...${LIST}, operation: 'p_desk_secret' }] });
  svc.svc_register_page('admin', 'writes', 'pages/index.liquid', 'tickets', { lists: [{ ...${LIST}, operation: 'logclear' }] });
  svc.svc_register_page('admin', 'broken', 'pages/index.liquid', 'tickets', { lists: [{ ...${LIST}, actions: [{ label: 'x',
    when: () => { throw new Error('no'); } }] }] });
  for (const [name, kind] of [['words', 'named'], ['href', 'named'], ['icon', 'named'], ['source', 'actor'], ['rest', 'brief']])
    svc.svc_register_page('admin', 'odd-' + name, 'pages/index.liquid', 'tickets', { lists: [{ ...${LIST}, columns: [{ field: 'subject',
      title: 'subject', kind, [name]: () => { throw new Error('odd ' + name); } }] }] });
`;
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
  writePlugin(panel.dataDir, 'desk', {
    files: {
      'index.js': functionPlugin(DESK),
      'pages/index.liquid': "{% partial 'list', list: lists.tickets %}",
      'lang/en.json':
        '{"number":"Number","subject":"What it is about",' +
        '"state":"State","worth":"Worth","nothing":"Nothing","open":"Waiting","close":"Close it","tickets":"Tickets"}',
    },
  });
  await panel.enable('desk');
});
afterAll(() => panel.close());

const get = (path: string): Promise<Response> => panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } });

it('waits for servers no longer than any page does, but for a file as long as it takes', async () => {
  const left = (): number | null => RequestContext.leftToShow((globalThis as unknown as { deskCall: CallContext }).deskCall);
  await get('/admin/plugin.php?p=desk&page=index');
  expect(left()).toBeGreaterThan(0);
  expect(left()).toBeLessThanOrEqual(5_000);
  await get('/admin/plugin.php?p=desk&page=index&export=tickets');
  expect(left()).toBeNull();
});

it('shows rows of the operation, in the plugin’s words, with the parameters of the URL', async () => {
  const html = await (
    await get('/admin/plugin.php?p=desk&page=index&box=in%26out&tickets.sort=id&tickets.q=late&tickets.in=subject&tickets.size=50')
  ).text();
  expect(html).toContain('What it is about');
  expect(html).toContain('&lt;i&gt;in&amp;out300');
  expect(html.split('Waiting').length - 1).toBe(26);
  expect(html).toMatch(/Waiting<\/dt>\s+<dd[^>]*>150<.*Worth<\/dt>\s+<dd[^>]*>¥12\.50<\/dd>\s*<\/div>\s*<\/dl>/s);
  const sums = (globalThis as { deskSums?: Record<string, string> }).deskSums!;
  expect(sums).toMatchObject({ box: 'in&out', where: '{"name":"subject","type":"2","value":"late"}' });
  expect(Object.keys(sums)).not.toContain('page');
  expect(html.split('Close it').length - 1).toBe(25);
  expect(html).toContain(
    'href="/admin/plugin.php?p=desk&amp;page=index&amp;box=in%26out' +
      '&amp;tickets.sort=id&amp;tickets.q=late&amp;tickets.in=subject&amp;tickets.size=50&amp;tickets.page=2"',
  );
  expect((globalThis as { deskFields?: object }).deskFields).toEqual({
    box: 'in&out',
    page: '1',
    limit: '50',
    sort: 'id',
    sortOrder: 'asc',
    where: '{"name":"subject","type":"2","value":"late"}',
  });
});

it('exports all rows as a file', async () => {
  const response = await get('/admin/plugin.php?p=desk&page=index&export=tickets');
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect(lines[0]).toBe('Number,What it is about,State');
  expect(lines).toHaveLength(301);
  expect(lines[1]).toBe('300,<i>no box300,Waiting');
});

it('shows only what the operation would return to the user, and runs no operation that changes something', async () => {
  for (const path of ['secret', 'secret&export=tickets', 'writes']) {
    const response = await get(`/admin/plugin.php?p=desk&page=${path}`);
    expect([path, (await response.text()).includes('the secret')]).toEqual([path, false]);
  }
  expect((await get('/admin/plugin.php?p=desk&page=writes')).status).toBe(500);
  expect((await panel.admin('listlog')).rows.length).toBeGreaterThan(1);
});

it.each(['words', 'href', 'icon', 'source', 'rest'])('counts it as a fault of the plugin if %s of a column throws', async (name) => {
  const faults = panel.get(Faults);
  const before = faults.last('desk')?.count ?? 0;
  expect((await get(`/admin/plugin.php?p=desk&page=odd-${name}`)).status).toBe(500);
  expect(faults.last('desk')).toMatchObject({ place: `page odd-${name}`, message: `odd ${name}` });
  expect(faults.last('desk')!.count).toBeGreaterThan(before);
});

it('fails like a page if the plugin throws, and the panel continues', async () => {
  expect((await get('/admin/plugin.php?p=desk&page=broken')).status).toBe(500);
  expect((await get('/admin/plugin.php?p=desk&page=index')).status).toBe(200);
});

it.each([
  ["{ ...LIST, id: 'No Id' }", /id of a list/],
  ["{ ...LIST, operation: '' }", /needs the operation/],
  ['{ ...LIST, columns: [] }', /needs 1 to 30 columns/],
  ["{ ...LIST, columns: [{ field: 'a', title: 'b', kind: 'html' }] }", /has an unknown kind/],
  ["{ ...LIST, totals: { operation: 'p_desk_sums' } }", /totals need/],
  ['LIST, LIST', /must be unique/],
])('refuses %s by name', async (lists, message) => {
  const slug = `bad${Math.random().toString(36).slice(2, 8)}`;
  const code = `const LIST = ${LIST}; svc.svc_register_page('admin', 'index', 'index.liquid', 't', { lists: [${lists}] });`;
  writePlugin(panel.dataDir, slug, { files: { 'index.js': functionPlugin(code), 'index.liquid': 'x' } });
  await panel.admin('plugin_install', { slug });
  expect((await panel.tryEnable(slug)).code).toMatch(message);
});
