import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

async function enabled(slug: string, body: string, manifest: Record<string, unknown> = {}): Promise<void> {
  writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': functionPlugin(body) } });
  await panel.enable(slug);
}

async function call(gn: string, fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }) });
  return (await response.json()) as Record<string, unknown>;
}

/** Names of all functions of the contract. */
const FUNCTIONS = `svc_plugin_register svc_add_action svc_do_action svc_add_filter svc_apply_filters
  svc_register_ajax svc_register_page svc_register_menu svc_register_widget svc_register_settings_tab svc_register_home svc_register_route
  svc_register_page_override svc_register_partial_override svc_plugin_option_get svc_plugin_option_set
  svc_plugin_require_admin svc_plugin_require_user
  svc_http_get svc_http_post svc_register_payment svc_get_payment_plugins
  svc_get_enabled_payment_methods svc_save_payment_methods svc_pay_type
  svc_pay_parse_type svc_pay_dispatch_gateway svc_pay_settle_order svc_pay_log svc_plugin_auth_check svc_plugin_auth_fail`.split(/\s+/);

it('provides every function of the contract under its name, and the services', async () => {
  await enabled(
    'names',
    `
    const own = svc.svc_plugin_register('names', { name: 'Names' });
    const other = svc.svc_plugin_register('sandbox', { name: 'Names' });
    svc.svc_register_ajax('user', 'p_names', () => ({ own, other, frozen: Object.isFrozen(svc),
      missing: ${JSON.stringify(FUNCTIONS)}.filter((name) => typeof svc[name] !== 'function'), services: ['hosts', 'orders', 'db',
      'log', 'event'].map((name) => typeof svc[name]) }));`,
  );
  expect(await call('p_names')).toEqual({
    own: true,
    other: false,
    frozen: true,
    missing: [],
    services: ['object', 'object', 'object', 'object', 'function'],
  });
});

describe('options', () => {
  it('belong to the plugin: texts stay texts, lists and objects are restored, and missing ones have a default', async () => {
    await enabled(
      'options',
      `
      svc.svc_register_ajax('user', 'p_options', async () => {
        const values = { text: '文本', number: 5, yes: true, list: [1, 'a'], object: { deep: { x: 1 } }, empty: '', nothing: null };
        const set = [];
        for (const [key, value] of Object.entries(values)) set.push(await svc.svc_plugin_option_set('options', key, value));
        const got = {};
        for (const key of Object.keys(values)) got[key] = await svc.svc_plugin_option_get('options', key, 'default');
        return { set: set.every((one) => one === true), got, none: await svc.svc_plugin_option_get('options', 'none'),
          fallback: await svc.svc_plugin_option_get('options', 'none', { a: 1 }) };
      });`,
    );
    expect(await call('p_options')).toEqual({
      set: true,
      got: { text: '文本', number: '5', yes: 'true', list: [1, 'a'], object: { deep: { x: 1 } }, empty: '', nothing: '' },
      none: null,
      fallback: { a: 1 },
    });
  });

  it('are shared only with plugins named in plugin.json, and only while the owner is active', async () => {
    await enabled('owner_some', "await svc.svc_plugin_option_set('owner_some', 'k', 'v');", { share_options: ['friend'] });
    await enabled('owner_none', "await svc.svc_plugin_option_set('owner_none', 'k', 'v');");
    for (const slug of ['friend', 'stranger']) {
      await enabled(
        slug,
        `
        svc.svc_register_ajax('user', 'p_${slug}', async (ctx) => {
          const attempt = async (work) => { try { return await work(); } catch (error) { return 'refused: ' + error.message; } };
          return { read: await attempt(() => svc.svc_plugin_option_get(ctx.body.of, 'k')), wrote: await attempt(() =>
            svc.svc_plugin_option_set(ctx.body.of, 'k', 'by ${slug}')) };
        });`,
      );
    }
    expect(await call('p_friend', { of: 'owner_some' })).toEqual({ read: 'v', wrote: true });
    const no = expect.stringMatching(/^refused: .*share_options/) as string;
    expect(await call('p_stranger', { of: 'owner_some' })).toEqual({ read: no, wrote: no });
    expect(await call('p_friend', { of: 'owner_none' })).toEqual({ read: no, wrote: no });
    expect(await call('p_friend', { of: 'core' })).toEqual({ read: no, wrote: no });
    await panel.disable('owner_some');
    expect(await call('p_friend', { of: 'owner_some' })).toEqual({ read: no, wrote: no });
  });
});

describe('outbound requests', () => {
  let server: Server;
  let port: number;
  let hits = 0;
  beforeAll(async () => {
    server = createServer((_req, res) => {
      hits += 1;
      res.end('internal');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  it('refuse internal targets without connecting, and say so in the response', async () => {
    await enabled(
      'http',
      `
      svc.svc_register_ajax('user', 'p_http', async (ctx) => ({ get: await svc.svc_http_get(ctx.body.url, { 'X-A': '1' }),
        post: await svc.svc_http_post(ctx.body.url, { a: 1 }, ['X-B: 2']) }));`,
    );
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1']) {
      const { get, post } = await call('p_http', { url: `http://${host}:${port}/` });
      for (const answer of [get, post])
        expect(answer, host).toMatchObject({ ok: false, code: 0, body: '', error: expect.stringMatching(/./) as string });
    }
    for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'nonsense'])
      expect((await call('p_http', { url })).get).toMatchObject({ ok: false, code: 0 });
    expect(hits).toBe(0);
  });
});

describe('hooks', () => {
  it('run actions and filters of plugins in order, each with what it may change', async () => {
    await enabled(
      'hooks_b',
      `
      const say = (word) => (list) => { list.push(word); };
      svc.svc_add_action('own.said', say('b10'));
      svc.svc_add_action('own.said', async (list) => { await new Promise((done) => setImmediate(done)); list.push('b-5'); }, -5);
      svc.svc_add_filter('own.price', (price, factor) => price * factor, 20);
      const undo = svc.svc_add_action('own.said', say('never'), 0);
      undo();`,
    );
    await enabled(
      'hooks_a',
      `
      svc.svc_add_action('own.said', (list) => { list.push('a10'); });
      svc.svc_add_action('own.said', (list) => { list.push('a11'); throw new Error('listener broke'); }, 11);
      svc.svc_add_action('own.said', (list) => { list.push('a12'); }, 12);
      svc.svc_add_filter('own.price', (price) => price + 1);
      svc.svc_add_filter('own.price', async (price) => { await null; throw new Error('filter broke'); }, 15);
      svc.svc_register_ajax('user', 'p_hooks', async () => {
        const list = [];
        await svc.svc_do_action('own.said', list);
        return { list, price: await svc.svc_apply_filters('own.price', 4, 10), untouched: await svc.svc_apply_filters('own.nobody',
          'same') };
      });
      svc.svc_register_ajax('user', 'p_hooks_fire', async () => { await svc.svc_do_action('order.paid', {}); return {}; });`,
    );
    expect(await call('p_hooks')).toEqual({ list: ['b-5', 'b10', 'a10', 'a11', 'a12'], price: 50, untouched: 'same' });
    expect((await panel.row('hooks_a'))?.error).toContain('filter broke');
    expect((await panel.row('hooks_b'))?.error).toBe('');
    await panel.disable('hooks_b');
    expect(await call('p_hooks')).toMatchObject({ list: ['a10', 'a11', 'a12'], price: 5 });
    expect(await call('p_hooks_fire')).toMatchObject({ success: false });
  });

  it('report a host’s life with exactly the documented parameters and the event', async () => {
    await enabled(
      'hosts',
      `
      const seen = [];
      for (const name of ['created', 'paused', 'unpaused', 'renewed', 'deleted']) svc.svc_add_action('host.' + name, (...args) => {
        const { hook, source, attempt, idempotencyKey, row } = svc.event();
        seen.push([name, args, { hook, source, attempt, key: typeof idempotencyKey, secret: 'pass' in row || 'password' in row }]); });
      svc.svc_register_ajax('user', 'p_hosts_run', async () => {
        const host = await svc.hosts.provision({ node: 'local', user: 'plugged01', password: 'secret-pass-1', expiresOn: '2030-01-31' });
        await svc.hosts.pause(host.id, 'mine'); await svc.hosts.unpause(host.id, 'mine'); await svc.hosts.renew(host.id, null);
          await svc.hosts.terminate(host.id);
        return { id: host.id, gone: await svc.hosts.get(host.id), outside: svc.event() };
      });
      svc.svc_register_ajax('user', 'p_hosts_seen', () => seen);`,
    );
    const { id, gone, outside } = await call('p_hosts_run');
    expect([gone, outside]).toEqual([null, null]);
    await expect.poll(async () => ((await call('p_hosts_seen')) as unknown as unknown[]).length, { timeout: 10_000 }).toBe(5);
    const event = (hook: string): object => ({ hook, source: 'hosts', attempt: 1, key: 'string', secret: false });
    expect(await call('p_hosts_seen')).toEqual([
      ['created', ['plugged01', id, 'local'], event('host.created')],
      ['paused', ['plugged01', id], event('host.paused')],
      ['unpaused', ['plugged01', id], event('host.unpaused')],
      ['renewed', ['plugged01', id, '0000-00-00'], event('host.renewed')],
      ['deleted', ['plugged01', id], event('host.deleted')],
    ]);
  });
});

describe('payments', () => {
  const GATEWAY = `
    svc.svc_register_payment('gate', {
      name: 'Gate', methods: { card: 'Card', code: { label: 'Code', icon: 'mdi-home' } },
      build: (order, method, options) => method === 'code' ? { qrcode: 'pay:' + order.out_trade_no }
        : 'https://gate.example/pay?no=' + order.out_trade_no + '&money=' + order.money + '&amount=' + order.amount + '&type=' + order.type,
      notify: async (ctx) => { const fields = { ...ctx.query, ...ctx.body }; if (fields.sign !== 'right') return 'fail';
        const result = await svc.svc_pay_settle_order(fields.no, 'gate', { trade_no: 'T' + fields.no, money: fields.money });
        return result.ok ? 'success' : 'fail'; },
      return: (ctx) => ctx.query.to || null });
    const paid = [];
    svc.svc_add_action('order.paid', (order) => { paid.push([order, svc.event() && svc.event().hook]); });
    svc.svc_register_ajax('user', 'p_gate_paid', () => paid);
    svc.svc_register_ajax('admin', 'p_gate', async (ctx) => {
      const order = await svc.orders.create({ user: 'buyer', scene: 'test', name: 'A thing', amount: 1250 });
      return { number: order.out_trade_no, id: order.id, plugins: svc.svc_get_payment_plugins(),
        saved: await svc.svc_save_payment_methods([{ plugin: 'gate', method: 'card', display_name: 'Pay by card', sort: 3 }]),
        enabled: await svc.svc_get_enabled_payment_methods(),
        type: svc.svc_pay_type('gate', 'card'), parsed: svc.svc_pay_parse_type('gate__card'), unparsed: svc.svc_pay_parse_type('gate'),
        sent: await svc.svc_pay_dispatch_gateway(order, 'gate__card'),
          byNumber: await svc.svc_pay_dispatch_gateway(order.out_trade_no, 'gate__code'),
          nobody: await svc.svc_pay_dispatch_gateway('none', 'gate__card'), again: await svc.svc_pay_dispatch_gateway(order.id,
          'gate__card'),
        log: await svc.svc_pay_log('noted here') ?? null };
    });`;

  it('are built, notified with the exact text, settled once, and redirected back', async () => {
    await enabled('gate', GATEWAY);
    const answer = (await panel.admin('p_gate')) as unknown as Record<string, unknown> & { number: string; id: number };
    const { number } = answer;
    const url = `https://gate.example/pay?no=${number}&money=12.50&amount=1250&type=gate__card`;
    expect(answer).toMatchObject({
      plugins: { gate: { name: 'Gate', methods: { card: 'Card', code: 'Code' } } },
      enabled: [{ plugin: 'gate', method: 'card', display_name: 'Pay by card', sort: 3 }],
      type: 'gate__card',
      parsed: { slug: 'gate', method: 'card' },
      unparsed: false,
      sent: url,
      byNumber: { qrcode: `pay:${number}` },
      nobody: false,
      again: url,
    });
    const notify = async (fields: Record<string, string>, method = 'POST'): Promise<[number, string | null, string]> => {
      const query = new URLSearchParams(fields);
      const response =
        method === 'GET'
          ? await panel.fetch(`/pay/gate/notify?${query}`)
          : await panel.fetch('/pay/gate/notify', { method, headers: { Origin: 'https://gate.example' }, body: query });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    const said = (text: string): unknown => [200, 'text/plain; charset=utf-8', text];
    expect(await notify({ no: number, money: '12.50', sign: 'wrong' })).toEqual(said('fail'));
    expect(await notify({ no: number, money: '12.49', sign: 'right' })).toEqual(said('fail'));
    expect(
      await Promise.all(['POST', 'GET', 'POST'].map((method) => notify({ no: number, money: '12.50', sign: 'right' }, method))),
    ).toEqual([said('success'), said('success'), said('success')]);
    expect((await panel.fetch('/pay/gate/notify', { method: 'PUT' })).status).toBe(404);
    await expect.poll(async () => ((await call('p_gate_paid')) as unknown as unknown[]).length, { timeout: 10_000 }).toBe(1);
    const [[order, hook]] = (await call('p_gate_paid')) as unknown as [[Record<string, unknown>, string]];
    expect(hook).toBe('order.paid');
    expect(order).toMatchObject({
      id: answer.id,
      out_trade_no: number,
      ddh: number,
      name: 'A thing',
      money: '12.50',
      amount: 1250,
      type: 'gate__card',
      scene: 'test',
      user: 'buyer',
      siteurl: panel.url,
      notify_url: `${panel.url}/pay/gate/notify`,
      return_url: `${panel.url}/pay/gate/return`,
    });
    const back = await panel.fetch('/pay/gate/return?to=/thanks');
    expect([back.status, back.headers.get('location')]).toEqual([302, '/thanks']);
    expect((await panel.fetch('/pay/gate/return')).headers.get('location')).toBe('/');
    const rows = await panel.get(Database).query('SELECT * FROM `SVC_log`');
    expect(JSON.stringify(rows)).toContain('noted here');
  });

  it('refuse a gateway with another slug or an invalid one, and leave nothing behind', async () => {
    for (const call of [
      "'other', { name: 'X', methods: { a: 'A' }, build: () => false }",
      "'bad_gate', { name: 'X', methods: { a__b: 'A' }, build: () => false }",
      "'bad_gate', { name: 'X', methods: { a: 'A' } }",
      "'bad_gate', { methods: { a: 'A' }, build: () => false }",
      "'bad_gate', { name: 'X', methods: { a: 'A' }, build: () => false, notify: 'text' }",
      "'bad_gate', null",
    ]) {
      writePlugin(
        panel.dataDir,
        'bad_gate',
        functionPlugin(`svc.svc_register_route('GET', '/bad-gate', () => 1); svc.svc_register_payment(${call});`),
      );
      expect(await panel.tryEnable('bad_gate'), call).toMatchObject({
        success: false,
        code: expect.stringMatching(/gate|other/) as string,
      });
      expect(panel.registrations('bad_gate')).toEqual({});
    }
  });

  it('end with the plugin: its callbacks and methods are removed', async () => {
    await panel.disable('gate');
    expect((await panel.fetch('/pay/gate/notify', { method: 'POST' })).status).toBe(404);
    expect(panel.registrations('gate')).toEqual({});
    await panel.enable('gate');
    expect((await panel.fetch('/pay/gate/notify', { method: 'POST' })).status).toBe(200);
  });
});
