/**
 * Pages of plugins: how a page reports that there is nothing at its address, and the plugin data available to its template. Source:
 * docs/plugin-api.md "Capabilities".
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines } from '../../src/common/index.js';
import type { CallContext } from '../../src/sdk/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let userCookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser('pages01');
});
afterAll(() => panel.close());

/** Installs a plugin with this `body` and additional files. */
async function enabled(slug: string, body: string, files: Record<string, string> = {}): Promise<void> {
  writePlugin(panel.dataDir, slug, { files: { 'index.js': functionPlugin(body), ...files } });
  await panel.enable(slug);
}

async function shown(address: string): Promise<{ status: number; html: string }> {
  const headers = { 'Accept-Language': 'en', ...(address.startsWith('/user/') ? { Cookie: userCookie } : {}) };
  const answer = address.startsWith('/user/') ? await panel.fetch(address, { headers }) : await panel.adminFetch(address, { headers });
  return { status: answer.status, html: await answer.text() };
}

describe('a page function', () => {
  beforeAll(() =>
    enabled(
      'shelf',
      `for (const scope of ['admin', 'user'])
        for (const [name, answer] of Object.entries({ there: '<p>It is here</p>', gone: null, nothing: undefined, empty: '', no: false }))
          svc.svc_register_page(scope, name, async () => answer, 'Shelf');
      svc.svc_register_settings_tab('admin', { id: 'shelf-there', title: 'Shelf there', page: 'there' });
      svc.svc_register_settings_tab('admin', { id: 'shelf-gone', title: 'Shelf gone', page: 'gone' });`,
    ),
  );

  it.each(['admin', 'user'])('that returns null shows the 404 page of the %s side, inside its frame', async (side) => {
    const { status, html } = await shown(`/${side}/plugin.php?p=shelf&page=gone`);
    expect([status, html.includes('Page not found'), html.includes('<aside class="navbar')]).toEqual([404, true, true]);
    expect((await panel.row('shelf'))?.error).toBe('');
  });

  it.each(['nothing', 'empty', 'no'])('that returns another non-HTML value (%s) gives an empty page', async (page) => {
    const { status, html } = await shown(`/user/plugin.php?p=shelf&page=${page}`);
    expect([status, html.includes('Shelf')]).toEqual([200, true]);
  });

  it('reports not found in a settings tab as well', async () => {
    expect(await shown('/admin/settings?tab=shelf-there')).toMatchObject({
      status: 200,
      html: expect.stringContaining('It is here') as string,
    });
    expect(await shown('/admin/settings?tab=shelf-gone')).toMatchObject({
      status: 404,
      html: expect.stringContaining('Page not found') as string,
    });
  });
});

describe('the data of a page', () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    never: 'new Promise(() => {})',
    throws: "(() => { throw new Error('data broke'); })()",
    rejects: "Promise.reject(new Error('data broke'))",
    text: "'<b>a text</b>'",
    list: '[{ name: 1 }]',
    nothing: 'undefined',
    number: '7',
    function: '() => ({ name: 1 })',
    getter: "({ get name() { throw new Error('data broke'); } })",
    proxy: "new Proxy({}, { ownKeys() { throw new Error('data broke'); } })",
    endless: '(() => { const all = {}; for (let at = 0; at < 9; at += 1) all[at] = all; return { all }; })()',
    huge: "({ rows: Array.from({ length: 200000 }, () => 'row') })",
  };

  beforeAll(async () => {
    panel.get(CallDeadlines).page = 300;
    await enabled(
      'desk',
      `globalThis.deskData = () => ({});
      for (const scope of ['admin', 'user'])
        svc.svc_register_page(scope, 'index', 'pages/index.liquid', 'Desk', { data: (ctx) => globalThis.deskData(ctx) });
      svc.svc_register_settings_tab('admin', { id: 'desk', title: 'Desk tab', page: 'index' });`,
      {
        'pages/index.liquid':
          "<p>[{{ plugin }} {{ page }} {{ account.username }} {{ query.q }} {{ name }}]</p>{% partial 'stat', label: 'Answers', " +
          "value: answers %}{% field 'subject', label: 'Subject', value: subject %}{% if lists.own %}own lists{% endif %}",
      },
    );
    await enabled(
      'hostile',
      Object.entries(HOSTILE)
        .map(([name, made]) => `svc.svc_register_page('admin', '${name}', 'page.liquid', 'Hostile', { data: () => ${made} });`)
        .join('\n') +
        `const own = { name: 'its own', made: new Date(0), call() {} }; own.self = own;
        svc.svc_register_page('admin', 'circular', 'page.liquid', 'Hostile', { data: () => own });
        svc.svc_register_settings_tab('admin', { id: 'hostile', title: 'Hostile tab', page: 'throws' });`,
      { 'page.liquid': '<p>[{{ name }} {{ made }} {{ self.self.name }}{{ call }}]</p>' },
    );
  });

  /** Sets the data that the plugin `desk` returns. */
  const answer = (data: (ctx: CallContext) => unknown): void => {
    (globalThis as { deskData?: typeof data }).deskData = data;
  };

  it('are variables of its file, for partials and fields, on both sides and in a settings tab', async () => {
    answer(async ({ query, user }) => ({ name: user ? 'user' : 'admin', answers: 42, subject: `"${query.q ?? ''}"` }));
    for (const [address, name] of [
      ['/admin/plugin.php?p=desk&q=<i>', 'admin'],
      ['/user/plugin.php?p=desk&q=<i>', 'user'],
      ['/admin/settings?tab=desk&q=<i>', 'admin'],
    ] as const) {
      const { status, html } = await shown(address);
      expect([address, status]).toEqual([address, 200]);
      expect(html).toContain(`&lt;i&gt; ${name}]</p>`);
      expect(html).toMatch(/Answers[^]*?>\s*42\s*</);
      expect(html).toMatch(/name="subject"\s+value="&#34;&lt;i&gt;&#34;"|name="subject"\s+value="&quot;&lt;i&gt;&quot;"/);
    }
  });

  it('never override the panel’s own variables', async () => {
    answer(() => ({
      plugin: 'other',
      page: 'other',
      query: { q: 'other' },
      account: { username: 'root' },
      lists: { own: [] },
      name: 'mine',
    }));
    const { html } = await shown('/user/plugin.php?p=desk&q=asked');
    expect(html).toContain('<p>[desk index pages01 asked mine]</p>');
    expect(html).not.toContain('own lists');
  });

  it('are null if nothing exists at the URL, which is not a fault', async () => {
    answer(() => null);
    for (const address of ['/admin/plugin.php?p=desk', '/user/plugin.php?p=desk', '/admin/settings?tab=desk']) {
      const { status, html } = await shown(address);
      expect([address, status, html.includes('Page not found')]).toEqual([address, 404, true]);
    }
    expect((await panel.row('desk'))?.error).toBe('');
  });

  it.each(Object.keys(HOSTILE))('that are hostile (%s) are a fault of the plugin, and the page says so', async (page) => {
    await panel.disable('hostile');
    await panel.enable('hostile');
    const { status, html } = await shown(`/admin/plugin.php?p=hostile&page=${page}`);
    expect([status, html.includes('data broke'), html.includes('<p>[')]).toEqual([page === 'never' ? 504 : 500, false, false]);
    expect((await panel.row('hostile'))?.error).toContain(`页面 ${page}: `);
    expect((await panel.adminFetch('/admin/plugins')).status).toBe(200);
  });

  it('that refer to themselves are cut off and shown', async () => {
    const { status, html } = await shown('/admin/plugin.php?p=hostile&page=circular');
    expect([status, html.includes('<p>[its own 1970-01-01T00:00:00.000Z its own]</p>')]).toEqual([200, true]);
  });

  it('that fail in a settings tab show a notice instead', async () => {
    const { status, html } = await shown('/admin/settings?tab=hostile');
    expect([status, html.includes('Hostile tab'), html.includes('data broke')]).toEqual([200, true, false]);
    expect((await panel.row('hostile'))?.error).toContain('页面 throws: data broke');
  });

  it.each([
    ["() => ''", '() => ({})', 'data needs a .liquid file'],
    ["'page.html'", '() => ({})', 'data needs a .liquid file'],
    ["'page.liquid'", '{ name: 1 }', 'must be a function'],
  ])('of %s as %s are refused at the start', async (file, data, reason) => {
    const code = `svc.svc_register_page('admin', 'index', ${file}, 'X', { data: ${data} });`;
    writePlugin(panel.dataDir, 'refused', { files: { 'index.js': functionPlugin(code), 'page.html': '', 'page.liquid': '' } });
    expect(await panel.tryEnable('refused')).toMatchObject({ success: false, code: expect.stringContaining(reason) as string });
  });
});

describe('bundled plugins', () => {
  beforeAll(async () => {
    for (const slug of ['hosting_shop', 'resource_pool', 'manual']) await panel.enable(slug);
  });

  it.each([
    'p=hosting_shop&page=plan&id=999',
    'p=hosting_shop&page=plan&id=%3Cb%3E',
    'p=resource_pool&page=add&id=999',
    'p=resource_pool&page=open',
    'p=resource_pool&page=open&pool=999',
    'p=manual&page=proof',
    'p=manual&page=proof&id=999',
  ])('have nothing at %s', async (query) => {
    const { status, html } = await shown(`/admin/plugin.php?${query}`);
    expect([status, html.includes('Page not found')]).toEqual([404, true]);
  });

  it.each(['p=hosting_shop&page=plan', 'p=resource_pool&page=add'])('have the form of a new record at %s', async (query) => {
    const { status, html } = await shown(`/admin/plugin.php?${query}`);
    expect([status, html.includes('<form')]).toEqual([200, true]);
  });
});
