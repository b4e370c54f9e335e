/** Pages of plugins: how one says that there is nothing at its address. Source: docs/plugin-api.md "Capabilities". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let userCookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser('pages01');
});
afterAll(() => panel.close());

/** Installs `body` as the plugin of that name, and what files it has besides. */
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

  it.each(['admin', 'user'])('that returns null is the page of the %s side for what is not there, inside its frame', async (side) => {
    const { status, html } = await shown(`/${side}/plugin.php?p=shelf&page=gone`);
    expect([status, html.includes('Page not found'), html.includes('<aside class="navbar')]).toEqual([404, true, true]);
    expect((await panel.row('shelf'))?.error).toBe('');
  });

  it.each(['nothing', 'empty', 'no'])('that returns something else that is no HTML (%s) is an empty page, as ever', async (page) => {
    const { status, html } = await shown(`/user/plugin.php?p=shelf&page=${page}`);
    expect([status, html.includes('Shelf')]).toEqual([200, true]);
  });

  it('says so in a settings tab, too', async () => {
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

  it.each(['p=hosting_shop&page=plan', 'p=resource_pool&page=add'])('have the form of something new at %s', async (query) => {
    const { status, html } = await shown(`/admin/plugin.php?${query}`);
    expect([status, html.includes('<form')]).toEqual([200, true]);
  });
});
