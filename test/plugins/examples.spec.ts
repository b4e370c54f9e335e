import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let userCookie: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser();
  for (const slug of ['hello', 'home_demo']) await panel.enable(slug);
});
afterAll(() => panel?.close());

const text = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await panel.fetch(path, { headers: { 'Accept-Language': 'en', ...headers } })).text();
const admin = (path: string): Promise<string> => text(path, { Cookie: panel.adminCookie });
const save = async (slug: string, fields: Record<string, string>): Promise<void> =>
  expect(await panel.admin('szbc', { slug, ...fields })).toMatchObject({ success: true });
const home = async (): Promise<[number, string | null]> => {
  const { status, headers } = await panel.fetch('/');
  return [status, headers.get('location')];
};

describe('hello', () => {
  it('shows each of its registrations', async () => {
    expect(await admin('/admin/')).toMatch(/page=index[^]*Hello from a plugin/);
    expect(await admin('/admin/plugin.php?p=hello&page=index')).toContain('data-ajax="p_hello_ping"');
    expect(await text('/hello')).toContain('<h1>Hello from a plugin</h1>');
    expect(await admin('/admin/components')).toContain('id="hello-before"');
    expect((await panel.admin('p_hello_ping')).code).toMatch(/admin!$/);
    expect(await text('/user/', { Cookie: userCookie })).not.toContain('hello-note');
    await save('hello', { home: 'true', note: 'A <line>' });
    expect(await text('/user/', { Cookie: userCookie })).toContain('A &lt;line&gt;');
    expect(await home()).toEqual([302, '/hello']);
    await save('hello', { home: 'false' });
  });
});

describe('home_demo', () => {
  it('takes over the home page as it is told, and never leads it to itself', async () => {
    expect((await home())[0]).toBe(200);
    await save('home_demo', { mode: 'redirect', redirect_target: '/landing' });
    expect(await home()).toEqual([302, '/landing']);
    for (const redirect_target of ['', '/']) {
      await save('home_demo', { redirect_target });
      expect((await home())[0]).toBe(200);
    }
    await save('home_demo', { mode: 'render' });
    expect(await text('/')).toContain('<h1>Welcome</h1>');
    expect(await text('/promo/<b>')).not.toContain('<b>');
    expect(await text('/promo/spring')).toContain('Offer spring');
  });
});

it('both go without a trace', async () => {
  for (const slug of ['hello', 'home_demo']) {
    expect(await panel.disable(slug)).toMatchObject({ success: true });
    expect(await panel.admin('plugin_uninstall', { slug, keep_data: 'false' })).toMatchObject({ success: true });
    expect(panel.registrations(slug)).toEqual({});
  }
  expect((await home())[0]).toBe(200);
});
