import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestPanel } from '../../src/cli/test-kit/in-process-panel.js';
import { PACKAGE_ROOT } from '../../src/common/index.js';
import type { TestPanel } from '../../src/sdk/testing.js';
import { testServer } from '../support/database.js';
import { codeBlocks } from '../support/typescript-plugin.js';

const place = mkdtempSync(join(tmpdir(), 'svc-fakes-'));

/** Writes a plugin in plain CommonJS. */
function plugin(slug: string, body: string, lang: object = {}): string {
  const folder = join(place, slug);
  mkdirSync(join(folder, 'lang'), { recursive: true });
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version: '1.0.0' }));
  writeFileSync(join(folder, 'lang/en.json'), JSON.stringify(lang));
  writeFileSync(join(folder, 'lang/zh-CN.json'), JSON.stringify(lang));
  writeFileSync(join(folder, 'index.js'), `module.exports = async (svc) => {\n${body}\n};\n`);
  return folder;
}

let panel: TestPanel;
beforeAll(async () => (panel = await startTestPanel(testServer ? { database: testServer } : {})));
afterAll(async () => {
  await panel?.close();
  rmSync(place, { recursive: true, force: true });
});

describe('outbound HTTP', () => {
  const slug = 'kit_http';
  beforeAll(async () => {
    await panel.installPlugin(
      plugin(
        slug,
        `svc.svc_register_route('GET', '/${slug}', async (_params, ctx) =>
           svc.svc_http_post(ctx.query.url, { order: 7 }, { 'X-Key': 'k1' }));`,
      ),
    );
  });
  const call = async (url: string): Promise<{ ok: boolean; code: number; body: string; error: string }> =>
    (await (await panel.as('nobody')).get(`/${slug}?url=${encodeURIComponent(url)}`)).json() as never;

  it('is answered by the test, which sees the requests', async () => {
    panel.http.answer('https://api.example.com/', { status: 404 });
    panel.http.answer('https://api.example.com/v1/', ({ body }) => ({ status: 201, body: { got: JSON.parse(body) as object } }));
    expect(await call('https://api.example.com/v1/rates?x=1')).toMatchObject({ ok: true, code: 201, body: '{"got":{"order":7}}' });
    expect(panel.http.calls.at(-1)).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/v1/rates?x=1',
      headers: { host: 'api.example.com', 'x-key': 'k1', 'content-type': expect.stringContaining('json') as string },
      answered: true,
    });
    expect(Object.keys(panel.http.calls.at(-1)!.headers)).not.toContain('x-test-kit-url');
    expect(await call('https://api.example.com/v2')).toMatchObject({ ok: false, code: 404, error: 'HTTP 404' });
  });

  it('follows the rules of a real call: redirects are followed, internal addresses refused, nothing reaches the network', async () => {
    panel.http.answer('http://old.example.com/', { status: 307, headers: { location: 'https://new.example.com/here' } });
    panel.http.answer('https://new.example.com/', { body: 'moved' });
    expect(await call('http://old.example.com/')).toMatchObject({ ok: true, body: 'moved' });
    panel.http.answer('http://192.168.1.1/', { body: 'secret' });
    expect(await call('http://192.168.1.1/')).toMatchObject({ ok: false, body: '', error: '禁止访问内网地址' });
    expect(await call('https://unknown.example.com/')).toMatchObject({ ok: false, code: 0, error: '请求失败' });
    expect(panel.http.calls.at(-1)).toMatchObject({ url: 'https://unknown.example.com/', answered: false });
  });

  it('can be cut or hang until the call times out, and the panel keeps serving', { timeout: 60_000 }, async () => {
    panel.http.answer('https://cut.example.com/', 'cut');
    expect(await call('https://cut.example.com/')).toMatchObject({ ok: false, code: 0, error: '请求失败' });
    panel.http.answer('https://hang.example.com/', 'hang');
    const hanging = call('https://hang.example.com/');
    expect((await (await panel.as('nobody')).get('/healthz')).status).toBe(200);
    expect(await hanging).toMatchObject({ ok: false, code: 0, error: '请求失败' });
  });
});

describe('mail', () => {
  const slug = 'kit_mail';
  beforeAll(async () => {
    await panel.installPlugin(
      plugin(
        slug,
        `svc.svc_register_route('GET', '/${slug}', async (_params, ctx) => ({ told: await svc.notices.tell(
           { to: { account: Number(ctx.query.account) }, key: ctx.query.key, title: 'gone', text: 'gone_text', level: 'warning' }) }));`,
        { gone: 'Your coupon has ended', gone_text: 'It was worth ten.' },
      ),
    );
  });
  beforeEach(() => void (panel.mail.behaviour = 'take'));
  const tell = async (account: number, key: string): Promise<unknown> =>
    (await (await panel.as('nobody')).get(`/${slug}?account=${account}&key=${key}`)).json();
  const told = () => panel.mail.sent.filter(({ subject }) => subject.includes('Your coupon has ended'));

  it('reaches the test, unless the server rejects it, is busy, or does not respond', { timeout: 60_000 }, async () => {
    const host = await panel.host({ mailuser: 'owner@example.com' });
    expect(await tell(host.id, 'first')).toEqual({ told: 1 });
    await expect
      .poll(told, { timeout: 20_000 })
      .toMatchObject([{ to: 'owner@example.com', text: expect.stringContaining('It was worth ten.') as string }]);
    for (const behaviour of ['refuse', 'later', 'hang'] as const) {
      panel.mail.behaviour = behaviour;
      expect(await tell(host.id, behaviour)).toEqual({ told: 1 });
    }
    // While the host does not answer: a request still in progress would be received as soon as it answers again.
    expect((await (await panel.as('nobody')).get('/healthz')).status).toBe(200);
    expect(told()).toHaveLength(1);
  });
});

describe('a gateway', () => {
  it('accepts repeated payments and abandoned checkouts, and a forged notification is not accepted', async () => {
    const slug = 'kit_paid';
    await panel.installPlugin(
      plugin(
        slug,
        `const paid = []; svc.svc_add_action('order.paid', (order) => void paid.push(order.ddh), 10, { id: 'paid' });
         svc.svc_register_route('GET', '/${slug}', () => paid);`,
      ),
    );
    const paid = async (): Promise<unknown> => (await (await panel.as('nobody')).get(`/${slug}`)).json();
    const gateway = await panel.gateway();
    const [order, left] = [await panel.order(), await panel.order()];
    await gateway.leave(left);
    expect(await gateway.forge(left)).toBe('fail');
    await gateway.pay(order);
    await expect.poll(paid).toEqual([order.ddh]);
    await expect(gateway.pay(order)).rejects.toThrow('already paid');
    expect(await paid()).toEqual([order.ddh]);
  });
});

describe('a plugin that never responds', () => {
  it('causes an error for its own callers only', { timeout: 90_000 }, async () => {
    await panel.installPlugin(
      plugin(
        'kit_never',
        `svc.svc_register_route('GET', '/kit_never', () => new Promise(() => {}));
         svc.svc_register_route('GET', '/kit_never/ok', () => 'ok');`,
      ),
    );
    const nobody = await panel.as('nobody');
    const waiting = nobody.get('/kit_never');
    expect(await (await nobody.get('/kit_never/ok')).text()).toBe('ok');
    expect((await waiting).status).toBeGreaterThanOrEqual(500);
  });
});

describe('a theme', () => {
  /** Writes a theme to its own folder. */
  function theme(name: string, files: Readonly<Record<string, string>>): string {
    const all = { 'theme.json': JSON.stringify({ name, title: name, version: '1.0.0', scope: ['user'] }), ...files };
    for (const [path, content] of Object.entries(all)) {
      mkdirSync(join(place, name, path, '..'), { recursive: true });
      writeFileSync(join(place, name, path), content);
    }
    return join(place, name);
  }

  it('is activated, and every view of its sides is checked', { timeout: 60_000 }, async () => {
    const name = await panel.installTheme(theme('kit_calm', { 'user/login.liquid': '<!doctype html><h1>Calm {{ username }}</h1>' }));
    expect(await (await (await panel.as('nobody')).get('/user/login')).text()).toContain('<h1>Calm');
    expect(await panel.expectSoundTheme(name)).toBeGreaterThan(10);
  });

  it('that fails or does not escape input is reported with the view and the reason', { timeout: 60_000 }, async () => {
    const name = await panel.installTheme(
      theme('kit_rough', {
        'user/login.liquid': '<!doctype html><h1>{{ username | unknown_filter }}</h1>',
        'user/index.liquid': '<!doctype html>{% for n in (1..100000000) %}{{ n }}{% endfor %}',
        'user/orders.liquid': '<!doctype html><p>{{ account }}</p>',
      }),
    );
    const said = await panel.expectSoundTheme(name).then(String, String);
    expect(said).toMatch(/user\/login: .*unknown_filter/);
    expect(said).toMatch(/user\/index: /);
    expect(said).toMatch(/user\/orders: prints a value that is not a text/);
    await expect(panel.expectSoundTheme('nowhere')).rejects.toThrow('There is no theme "nowhere"');
    await expect(panel.installTheme(plugin('kit_no_theme', ''))).rejects.toThrow('is a plugin, not a theme');
  });
});

it('docs/plugin-authors.md contains a test that runs unchanged', { timeout: 240_000 }, async () => {
  const run = async (folder: string, ...args: string[]): Promise<string> => {
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'sdk/bin/svc-plugin.mjs'), ...args], {
      cwd: folder,
      env: { ...process.env, SVC_PANEL: '' },
    });
    const ended = once(child, 'close') as Promise<[number]>;
    const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    expect((await ended)[0], said).toBe(0);
    return said;
  };
  await run(place, 'create', 'coupons', '--kind', 'function');
  const folder = join(place, 'coupons');
  for (const code of codeBlocks('plugin-authors.md', '### The outside in your hands')) {
    const [, path] = /^\/\/ (\S+)/.exec(code)!;
    writeFileSync(join(folder, path!), code);
  }
  rmSync(join(folder, 'test/coupons.test.ts'));
  const page = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-authors.md'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as object;
  const told = JSON.parse(`{ ${/^A plugin that counts.*`("permissions": \[.*\])`/m.exec(page)![1]!} }`) as object;
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ ...manifest, ...told }));
  expect(await run(folder, 'test', ...(testServer ? ['--database', testServer] : []))).toContain('pass 5');
});
