import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { PANEL_HOOKS } from '../../src/sdk/index.js';
import { TestPanel, type PluginRow } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

type Row = PluginRow & {
  warnings: string[];
  name: string;
  description: string;
  installable: boolean;
  removable: boolean;
  type: string;
  permissions: string;
  meta: { info: Record<string, string> };
};

describe('P14 problems that used to be accepted silently', () => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await TestPanel.start();
  });
  afterAll(() => panel.close());

  const row = async (slug: string): Promise<Row> => (await panel.row(slug)) as Row;
  const refused = async (body: string): Promise<string> => {
    writePlugin(panel.dataDir, 'careless', functionPlugin(body));
    const { success, code } = await panel.tryEnable('careless');
    expect([success, panel.registrations('careless')]).toEqual([false, {}]);
    return code;
  };
  const warned = async (body: string): Promise<string[]> => {
    writePlugin(panel.dataDir, 'careless', functionPlugin(body));
    await panel.enable('careless');
    const { warnings, status } = await row('careless');
    expect(status).toBe('active');
    await panel.disable('careless');
    expect((await row('careless')).warnings).toEqual([]);
    return warnings;
  };

  describe('hooks', () => {
    it.each([
      ['order.payed', /order\.payed.*"order\.paid"/],
      ['host.create', /"host\.created"/],
      ['Order.Paid', /"order\.paid"/],
      ['Boot', /"boot"/],
      ['menu.top', /"menu\.admin" or "menu\.user"/],
      ['docker.user.created', /containers/],
      ['render.user.index', /svc_register_page_override/],
      ['include.user.head', /svc_register_partial_override/],
    ])('%s is refused, with the valid names', async (hook, reason) => {
      expect(await refused(`svc.svc_add_action('${hook}', () => {});`)).toMatch(reason);
      expect(await refused(`svc.svc_add_filter('${hook}', (value) => value);`)).toMatch(reason);
    });

    it("of plugins belong to them; a name similar to a panel's is noted", async () => {
      expect(await warned("svc.svc_add_action('coupons.used', () => {}); svc.svc_add_filter('coupons.price', (price) => price);")).toEqual(
        [],
      );
      expect(await warned("svc.svc_add_action('orders.paid', () => {});")).toEqual([expect.stringMatching(/orders\.paid.*order\.paid/)]);
    });

    it('are the ones docs/plugin-api.md lists', () => {
      const docs = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-api.md'), 'utf8');
      const table = docs.slice(docs.indexOf('| hook | parameters |')).split('\n\n')[0]!;
      const listed = table
        .split('\n')
        .slice(2)
        .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
      expect(listed.sort()).toEqual([...PANEL_HOOKS].sort());
    });

    it('init.admin and init.user run when someone signed in opens a page, home.blocks when the home page is built', async () => {
      const userCookie = await panel.signInUser();
      writePlugin(
        panel.dataDir,
        'early',
        functionPlugin(`
        const seen = []; svc.svc_register_ajax('admin', 'p_early', () => ({ seen }), 'admin');
        svc.svc_add_action('init.admin', async () => { seen.push(['admin', await svc.svc_plugin_auth_check('admin')]); });
        svc.svc_add_action('init.user', async () => { seen.push(['user', await svc.svc_plugin_auth_check('user')]); });
        svc.svc_add_action('home.blocks', (blocks) => { blocks.push({ id: 'late', title: 'Late <b>', html: '<p>late block</p>',
          order: 90 }, { html: '<p>first block</p>' }, { title: 'no html' }, null); });`),
      );
      await panel.enable('early');
      await panel.adminFetch('/admin/plugins');
      await panel.fetch('/admin/plugins');
      await panel.fetch('/user/', { headers: { Cookie: userCookie } });
      expect(await panel.admin('p_early')).toEqual({
        seen: [
          ['admin', true],
          ['user', true],
        ],
      });
      const home = await (await panel.fetch('/')).text();
      expect(home).toMatch(/first block.*id="block-late".*Late &lt;b&gt;.*late block/s);
      expect(home).not.toContain('no html');
      await panel.disable('early');
    });
  });

  describe('registrations', () => {
    it('of an unknown method, of menu entries and tabs without their page, and of settings that cannot work are refused', async () => {
      expect(await refused("svc.svc_register_route('GTE', '/x', () => 'x');")).toMatch(/GTE.*GET/);
      expect(
        await refused(
          "svc.svc_register_menu('admin', { title: 'All coupons', page: 'lst' }); svc.svc_register_page('admin', " +
            "'list', () => '', 'List');",
        ),
      ).toMatch(/All coupons.*lst/);
      expect(
        await refused(
          "svc.svc_register_page('user', 'list', () => '', 'List'); svc.svc_register_menu('admin', { title: 'T', " +
            "children: [{ title: 'Inner', page: 'list' }] });",
        ),
      ).toMatch(/Inner.*admin.*list/);
      expect(await refused("svc.svc_register_settings_tab('admin', { title: 'Tab', page: 'none' });")).toMatch(/Tab.*none/);
      const field = (rest: string): Promise<string> =>
        refused(`svc.svc_register_settings_tab('admin', { title: 'Tab', fields: [{ key: 'a', label: 'A', ${rest} }] });`);
      expect(await field("type: 'select', options: ['a']")).toMatch(/value and a label/);
      expect(await field("type: 'select', options: [{ value: 'a', label: 'A' }], default: 'b'")).toMatch(/not one of its options/);
      expect(await field("type: 'text', default: {}")).toMatch(/default/);
      expect(await field("type: 'text', hint: 7")).toMatch(/hint/);
    });

    it('pages may be registered after the menu that leads to them', async () => {
      expect(
        await warned(
          "svc.svc_register_menu('admin', { title: 'T', page: 'list' }); svc.svc_register_page('admin', 'list', () => '', 'List');",
        ),
      ).toEqual([]);
    });

    it('of unknown icons, views, areas and fields run and are noted', async () => {
      expect(await warned("svc.svc_register_menu('admin', { title: 'T', url: '/admin/', icon: 'mdi-tikcet' });")).toEqual([
        expect.stringMatching(/mdi-tikcet.*mdi-ticket/),
      ]);
      expect(await warned("svc.svc_register_menu('admin', { title: 'T', url: '/admin/', icno: 'mdi-home' });")).toEqual([
        expect.stringMatching(/icno.*icon/),
      ]);
      expect(
        await warned(
          "svc.svc_register_page_override('user', 'idnex', () => null); svc.svc_register_partial_override('user', " +
            "'admin/stats', () => null);",
        ),
      ).toEqual([expect.stringMatching(/user\/idnex.*index/), expect.stringMatching(/admin\/stats.*stat/)]);
      expect(
        await warned(
          "svc.svc_register_page_override('user', 'index', () => null); svc.svc_register_partial_override('user', 'head', () => null);",
        ),
      ).toEqual([]);
      expect(await warned("svc.svc_register_widget('admin', 'mian', () => '<p></p>');")).toEqual([
        expect.stringMatching(/mian.*top, main/),
      ]);
      expect(
        await warned(
          "svc.svc_register_settings_tab('admin', { title: 'T', fields: [{ key: 'a', label: 'A', type: 'text', placehodler: 'x' }] });",
        ),
      ).toEqual([expect.stringMatching(/placehodler.*placeholder/)]);
    });

    it('of a page that renders a frame inside the frame run and are noted, by its file', async () => {
      writePlugin(panel.dataDir, 'framed', {
        files: {
          'index.js': functionPlugin("for (const page of ['a', 'b']) svc.svc_register_page('admin', page, page + '.liquid', page);"),
          'a.liquid': "{%- layout 'panel' %}{% block content %}a{% endblock %}",
          'b.liquid': '<p>layout</p>',
        },
      });
      await panel.enable('framed');
      expect((await row('framed')).warnings).toEqual([expect.stringMatching(/^a\.liquid.*layout/)]);
    });

    it('an area determines where a card is placed', async () => {
      writePlugin(
        panel.dataDir,
        'cards',
        functionPlugin(
          "svc.svc_register_widget('admin', 'main', () => '<p>below</p>'); svc.svc_register_widget('admin', 'top', () => '<p>above</p>');",
        ),
      );
      await panel.enable('cards');
      const page = await (await panel.adminFetch('/admin/')).text();
      const [above, stats, below] = ['<p>above</p>', 'bg-blue-lt', '<p>below</p>'].map((text) => page.indexOf(text)) as [
        number,
        number,
        number,
      ];
      expect([above > 0, above < stats, stats < below]).toEqual([true, true, true]);
      await panel.disable('cards');
    });

    it('svc_plugin_register is shown in the list while the plugin runs', async () => {
      const warnings = await warned(
        "svc.svc_plugin_register('careless', { name: 'Careful', description: 'Not so careless', icon: 'mdi-home', " +
          "colour: 'red' }); svc.svc_plugin_register('other', {});",
      );
      expect(warnings).toEqual([expect.stringContaining('colour'), expect.stringContaining('other')]);
      await panel.enable('careless');
      expect(await row('careless')).toMatchObject({
        name: 'Careful',
        description: 'Not so careless',
        meta: { info: { icon: 'mdi-home' } },
      });
      await panel.disable('careless');
      expect(await row('careless')).toMatchObject({ name: 'careless', description: '' });
    });

    it('both plugins are informed which one overrides whose route', async () => {
      writePlugin(
        panel.dataDir,
        'route_one',
        functionPlugin(
          "svc.svc_register_route('GET', '/place/{a}', () => 'one'); svc.svc_register_route('POST', '/place/x', () => " +
            "'one'); svc.svc_register_route('GET', '/own/one', () => 'one'); " +
            "svc.svc_register_route('GET', '/early/x/list', () => 'one'); svc.svc_register_route('GET', '/{any}/y/sum', () => 'one');",
        ),
      );
      writePlugin(
        panel.dataDir,
        'route_two',
        functionPlugin(
          "svc.svc_register_route('GET', '/place/{b}', () => 'two', 5); svc.svc_register_route('GET', '/own/two', () => 'two'); " +
            "svc.svc_register_route('GET', '/{one}/x/list', () => 'two'); svc.svc_register_route('GET', '/late/y/sum', () => 'two');",
        ),
      );
      await panel.enable('route_one');
      expect((await row('route_one')).warnings).toEqual([]);
      await panel.enable('route_two');
      expect((await row('route_one')).warnings).toEqual([
        expect.stringMatching(/GET \/place\/\{a\}.*route_two.*GET \/place\/\{b\}/),
        expect.stringMatching(/GET \/early\/x\/list.*route_two.*GET \/\{one\}\/x\/list/),
        expect.stringMatching(/GET \/\{any\}\/y\/sum.*route_two.*GET \/late\/y\/sum/),
      ]);
      expect((await row('route_two')).warnings).toEqual([
        expect.stringMatching(/GET \/place\/\{b\}.*route_one.*GET \/place\/\{a\}/),
        expect.stringMatching(/GET \/\{one\}\/x\/list.*route_one.*GET \/early\/x\/list/),
        expect.stringMatching(/GET \/late\/y\/sum.*route_one.*GET \/\{any\}\/y\/sum/),
      ]);
      await panel.disable('route_two');
      expect((await row('route_one')).warnings).toEqual([]);
    });
  });

  describe('manifests', () => {
    const install = async (slug: string, manifest: Record<string, unknown> | string): Promise<string> => {
      writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': functionPlugin('') } });
      return (await panel.admin('plugin_install', { slug })).code;
    };

    it('with an id other than the folder, or an invalid version, cannot be installed, and are not offered', async () => {
      expect(await install('renamed', { id: 'original' })).toMatch(/original.*renamed/);
      expect(await install('renamed', { version: 'banana' })).toMatch(/banana/);
      expect(await install('renamed', { version: '1.2.3.4' })).toMatch(/1\.2\.3\.4/);
      expect(await row('renamed')).toMatchObject({
        status: 'broken',
        installable: false,
        installed: false,
        error: expect.stringContaining('1.2.3.4') as string,
      });
      expect(await install('renamed', '{ "id": ')).toMatch(/plugin\.json/);
      expect(await row('renamed')).toMatchObject({ status: 'broken', installable: false });
      for (const version of ['1', '1.2', 'v1.2.0', '1.2.0-beta.1+5']) expect(await install('renamed', { version })).toMatch(/成功/);
      expect(await row('renamed')).toMatchObject({ status: 'installed', installable: true });
    });

    it('are noted for unused fields, and their kinds and permissions are shown', async () => {
      await install('noted', {
        requres: '^1.84.0',
        license: 'MIT',
        author: 7,
        type: ['payment'],
        permissions: ['orders', 'http'],
        requires_plugins: ['no slug!'],
      });
      const { warnings, type, permissions } = await row('noted');
      expect(warnings).toEqual([
        expect.stringMatching(/requres.*requires/),
        expect.stringContaining('author'),
        expect.stringContaining('http'),
        expect.stringContaining('no slug!'),
      ]);
      expect([type, permissions]).toEqual(['payment', '查看、创建和关闭订单；http']);
      await install('noted', { type: 'payment' });
      expect((await row('noted')).warnings).toEqual([expect.stringContaining('type')]);
    });

    it.each(['con', 'NUL', 'com1', 'constructor', 'toString', 'Core', 'my plugin'])(
      'of a folder called %s are listed with the problem, and cannot be installed',
      async (name) => {
        const folder = join(panel.dataDir, 'plugins', name);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: name, version: '1.0.0' }));
        writeFileSync(join(folder, 'index.js'), functionPlugin(''));
        expect(await row(name)).toMatchObject({ status: 'broken', installable: false });
        expect((await panel.admin('plugin_install', { slug: name })).success).toBe(false);
        rmSync(folder, { recursive: true });
      },
    );
  });

  it('a plugin whose folder is gone is listed and can be uninstalled', async () => {
    const folder = writePlugin(panel.dataDir, 'lost', functionPlugin(''));
    await panel.enable('lost');
    renameSync(folder, join(panel.dataDir, 'lost-elsewhere'));
    expect(await row('lost')).toMatchObject({
      status: 'gone',
      installed: true,
      installable: false,
      removable: true,
      version: '1.0.0',
      error: expect.stringMatching(/./) as string,
    });
    expect(await panel.admin('plugin_uninstall', { slug: 'lost' })).toMatchObject({ success: true });
    expect(await panel.row('lost')).toBeUndefined();
  });

  it('assets have addresses that change with their content, and are cached under them; missing ones are refused', async () => {
    const code = `svc.svc_register_route('GET', '/versioned', (_params, { query }) => {
      try { return svc.asset(query.of); } catch (error) { return error.message; }
    });`;
    const files = { 'index.js': functionPlugin(code), 'assets/app.css': 'a {}', 'assets/a b/ü.js': '1', 'assets/.hidden': 'x' };
    const folder = writePlugin(panel.dataDir, 'versioned', { files });
    await panel.enable('versioned');
    const addressOf = async (path: string) => (await panel.fetch(`/versioned?of=${encodeURIComponent(path)}`)).text();
    const kept = async (address: string) => (await panel.fetch(address)).headers.get('cache-control');
    for (const path of ['app.css', 'a b/ü.js']) {
      const address = await addressOf(path);
      expect(address).toMatch(/^\/app_plugins\/versioned\/[\w%./-]+\?v=[0-9a-f]{12}$/);
      expect([path, await kept(address)]).toEqual([path, 'public, max-age=31536000, immutable']);
    }
    const before = await addressOf('app.css');
    writeFileSync(join(folder, 'assets/app.css'), 'b {}');
    // A request for the old content gets the new one, and does not cache it.
    expect([await kept(before), await (await panel.fetch(before)).text()]).toEqual(['no-cache', 'b {}']);
    const after = await addressOf('app.css');
    expect([after === before, await kept(after)]).toEqual([false, 'public, max-age=31536000, immutable']);
    expect(await kept(`${after}0`)).toBe('no-cache');
    for (const path of ['none.css', '', '..', '../index.js', 'a b', '.hidden', '/etc/passwd', 'app.css/', 'a\0b', 'x'.repeat(300)])
      expect([path, await addressOf(path)]).toEqual([path, `versioned: the file assets/${path.slice(0, 200)} does not exist.`]);
  });

  it('assets are revalidated each time, so that none is stale after an upgrade', async () => {
    const folder = writePlugin(panel.dataDir, 'styled', { files: { 'index.js': functionPlugin(''), 'assets/app.css': 'a {}' } });
    await panel.enable('styled');
    const first = await panel.fetch('/app_plugins/styled/app.css');
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const again = (): Promise<Response> =>
      panel.fetch('/app_plugins/styled/app.css', {
        headers: { 'If-None-Match': first.headers.get('etag')!, 'Cache-Control': 'max-age=0' },
      });
    expect((await again()).status).toBe(304);
    // Compressed or not, it is the one that is there now.
    for (const coding of ['gzip', 'identity']) {
      writeFileSync(join(folder, 'assets/app.css'), `b { color: ${coding} }`);
      const changed = await panel.fetch('/app_plugins/styled/app.css', { headers: { 'accept-encoding': coding } });
      expect(await changed.text()).toBe(`b { color: ${coding} }`);
      expect(changed.headers.get('content-encoding')).toBe(coding === 'gzip' ? 'gzip' : null);
    }
    expect(await (await again()).text()).toBe('b { color: identity }');
  });
});
