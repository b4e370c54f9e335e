import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** All kinds of registrations, as declared in the facade of the SDK. */
const REGISTRATIONS = [...readFileSync('src/sdk/facade.ts', 'utf8').matchAll(/^ {2}(svc_(?:(?:plugin_)?register|add)\w*)[<(]/gm)].map(
  ([, name]) => name!,
);

describe('hello', () => {
  it('uses every kind of registration', () => {
    const folder = 'plugins/hello/src';
    const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(REGISTRATIONS.length).toBeGreaterThan(14);
    expect(REGISTRATIONS.filter((name) => !code.some((text) => text.includes(`svc.${name}(`)))).toEqual([]);
    expect(panel.registrations('hello')).toMatchObject({ gateways: 1, channels: 1, dns: 1 });
  });

  it('provides a kind of server on which a host can be created', async () => {
    const server = { bh: 'list', driver: 'hello:list', ip: '192.0.2.7', 'cs[token]': 'anything' };
    expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
    expect(await panel.admin('addzj', { user: 'listed01', pass: 'secret-pass-1', btdh: 'list' })).toMatchObject({ success: true });
  });

  it('shows each of its registrations', async () => {
    expect(await admin('/admin/')).toMatch(/page=index[^]*Hello from a plugin/);
    expect(await admin('/admin/plugin.php?p=hello&page=index')).toContain('data-ajax="p_hello_ping"');
    expect(await text('/hello')).toContain('<h1>Hello from a plugin</h1>');
    expect(await admin('/admin/components')).toContain('id="hello-before"');
    expect((await panel.admin('p_hello_ping')).code).toMatch(/admin!$/);
    expect(await admin('/admin/plugin.php?p=hello&page=index')).toMatch(/name="name"\s+maxlength="40"\s+required/);
    expect(await panel.admin('p_hello_greet', { name: 'Ann', loud: 'true' })).toMatchObject({ success: true, code: '您好，ANN' });
    expect(await panel.admin('p_hello_greet', { name: ' ' })).toMatchObject({
      success: false,
      fields: { name: expect.any(String) as string },
    });
    expect(await text('/user/', { Cookie: userCookie })).not.toContain('hello-note');
    await save('hello', { home: 'true', note: 'A <line>' });
    expect(await text('/user/', { Cookie: userCookie })).toContain('A &lt;line&gt;');
    expect(await home()).toEqual([302, '/hello']);
    await save('hello', { home: 'false' });
  });
});

describe('home_demo', () => {
  it('replaces the home page as configured, and never redirects it to itself', async () => {
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
    expect(await text('/promo/spring')).toContain('<title>Offer spring · SVC Panel</title>');
  });
});

it('both leave nothing behind', async () => {
  for (const slug of ['hello', 'home_demo']) {
    expect(await panel.disable(slug)).toMatchObject({ success: true });
    expect(await panel.admin('plugin_uninstall', { slug, data: 'drop' })).toMatchObject({ success: true });
    expect(panel.registrations(slug)).toEqual({});
  }
  expect((await home())[0]).toBe(200);
});
