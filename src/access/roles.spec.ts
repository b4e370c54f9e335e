import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FakeDriver } from '../../test/support/fake-driver.js';
import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel } from '../../test/support/panel.js';
import { DriverRegistry, HostingNode, HostingService, NodesService } from '../hosting/index.js';
import { OperationRegistry } from '../operations/index.js';
import { MenuRegistry } from '../theme/index.js';
import { PageAccess } from '../web/index.js';
import { Access } from '../auth/index.js';
import { LOCALES } from '../common/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import { Database } from '../database/index.js';

import { OperationWords } from './operation-words.js';
import { PermissionWords } from './permission-words.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const PASSWORD = 'secret-of-helper';
let count = 0;

/** Somebody with a role of these permissions, signed in. */
async function helper(
  qx: string,
  more: Record<string, string> = {},
): Promise<{ client: PanelClient; id: string; role: string; name: string }> {
  const name = `helper${(count += 1)}`;
  const role = String((await panel.admin('jsbc', { name: `Role ${name}`, qx, ...more })).data.id);
  const id = String((await panel.admin('addadmin', { user: name, pass: PASSWORD, js_id: role })).data.id);
  return { client: await new PanelClient(panel.url).login('admin', name, PASSWORD), id, role, name };
}
const run = async (client: PanelClient, gn: string, fields: Record<string, string> = {}) =>
  (await client.ajax('admin', { gn, ...fields })).json;
const open = (client: PanelClient, path: string) => client.send(path, { headers: { Accept: 'text/html', 'Accept-Language': 'en' } });

describe('a role', () => {
  it('without permissions is denied every operation, page, route and download except for the own account', async () => {
    await panel.enable('hosting_shop');
    const { client } = await helper('');
    const operations = panel.get(OperationRegistry).all();
    const own: string[] = [];
    for (const { side, name, auth, own: isOwn, owner } of operations) {
      if (side !== 'admin' || auth === 'none' || auth === null || auth === '') continue;
      if (isOwn) own.push(name);
      else
        expect([owner, name, await run(client, name)]).toEqual([
          owner,
          name,
          expect.objectContaining({ success: false, err: 'E_FORBIDDEN' }),
        ]);
    }
    expect(operations.some(({ owner, side }) => owner === 'hosting_shop' && side === 'admin')).toBe(true);
    for (const name of ['gl', 'hhsc', 'listhh', 'logout']) expect(own).toContain(name);
    expect(await run(client, 'no_such_operation')).toMatchObject({ err: 'E_FORBIDDEN' });

    const urls = (await panel.get(MenuRegistry).buildMenu('admin', { locale: 'en' }))
      .flatMap(({ url, children }) => [url, ...children.map((child) => child.url)])
      .filter((url) => url.startsWith('/admin/'));
    expect(urls.length).toBeGreaterThan(15);
    const open200: string[] = [];
    for (const url of [...urls, '/admin/role', '/admin/openapi.json', '/admin/hosts?export=hosts', '/admin/log?export=log']) {
      const { status } = await open(client, url);
      expect([url, [200, 403]]).toEqual([url, expect.arrayContaining([status])]);
      if (status === 200) open200.push(url);
    }
    for (const url of open200)
      expect([
        '/admin/',
        '/admin/my-access',
        '/admin/sessions',
        '/admin/notices',
        '/admin/notice-settings',
        '/admin/settings?tab=account',
        '/admin/security',
      ]).toContain(url);
    expect((await open(client, '/admin/my-access')).text).toContain('Only your own account');
    const home = await open(client, '/admin/');
    expect(home.text).not.toMatch(/href="\/admin\/(hosts|orders|log|plugins|administrators|plugin\.php)/);
    expect(home.text).not.toContain('¥');
  });

  it('has a label for every permission of the panel: no operation appears by its name', () => {
    expect(
      panel
        .get(PermissionWords)
        .choices(Access.FULL, [], 'en')
        .map(({ title }) => title),
    ).not.toContain('Other operations');
  });

  it('has a label for everything else, too', () => {
    const words = panel.get(OperationWords);
    for (const { side, name } of panel.get(OperationRegistry).all())
      for (const locale of LOCALES) expect(words.of(side, name, locale), name).not.toMatch(/^[a-z0-9_]+$|^\w+(\.\w+)+$/);
    expect(words.of('admin', 'zjzt', 'en')).toBe('Pause account');
    expect(words.of('admin', 'listzj', 'en')).toBe('View hosting accounts');
    expect(words.of('user', 'yelog', 'en')).toBe('My credit');
    expect(words.of('user', 'login', 'en')).toBe('Sign-in');
  });

  it('shows and allows exactly its permissions, with changes from the next request on', async () => {
    const { client, role, id } = await helper('listzj,zjsj');
    const mine = (await open(client, '/admin/my-access')).text;
    expect(mine).toContain('View hosting accounts (listzj, zjsj)');
    expect(mine).not.toContain('Delete hosting accounts');
    const page = await open(client, '/admin/hosts');
    expect(page.status).toBe(200);
    expect(page.text).toContain('href="/admin/hosts"');
    expect(page.text).not.toContain('data-ajax="zjsc"');
    expect(page.text).not.toContain('data-bulk="zjpl"');
    expect(await run(client, 'addzj', { user: 'customer01', pass: 'secret-1', btdh: 'local' })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await panel.admin('jsbc', { id: role, name: 'Support', qxmb: 'zj* listzj\naddzj' })).toMatchObject({ success: true });
    const { data } = (await run(client, 'addzj', { user: 'customer01', pass: 'secret-1', btdh: 'local' })) as { data: { id: number } };
    expect(await run(client, 'zjzt', { id: String(data.id) })).toMatchObject({ success: true });
    expect((await open(client, '/admin/hosts')).text).toContain('zjsc');
    expect(await panel.admin('jssc', { id: role })).toMatchObject({ err: 'E_INUSE' });
    expect(await panel.admin('adminxg', { id, js_id: '0' })).toMatchObject({ success: true });
    expect(await run(client, 'listlog')).toHaveProperty('rows');
    expect(await panel.admin('jssc', { id: role })).toMatchObject({ success: true });
    await panel.admin('adminsc', { id });
  });

  it('grants the pages, routes and operations of the plugins it names, and of no other', async () => {
    const { client } = await helper('plugin.hosting_shop');
    const mine = panel
      .get(OperationRegistry)
      .all()
      .filter(({ owner, side }) => owner === 'hosting_shop' && side === 'admin');
    for (const { name } of mine) expect(await run(client, name)).not.toMatchObject({ err: 'E_FORBIDDEN' });
    const { client: other } = await helper('plugin.other,listzj');
    for (const { name } of mine) expect(await run(other, name)).toMatchObject({ err: 'E_FORBIDDEN' });
    expect((await open(other, '/admin/plugin.php?p=hosting_shop&page=plans')).status).toBe(403);
  });

  it('that is limited to servers excludes all others', async () => {
    const nodes = panel.get(Database).repository(HostingNode);
    panel.get(DriverRegistry).register(new FakeDriver());
    const second = String((await panel.admin('addbt', { bh: 'second', driver: 'fake' })).data.id);
    const local = String((await nodes.findOneByOrFail({ code: 'local' })).id);
    const hosts = panel.get(HostingService);
    const here = await hosts.provision({ node: 'second', user: 'onsecond01', password: 'secret-1', expiresOn: null }, 'admin');
    const there = await hosts.provision({ node: 'local', user: 'onlocal01', password: 'secret-1', expiresOn: null }, 'admin');
    const { client } = await helper('*', { nodes: second });
    const users = async (fields = {}) => ((await run(client, 'listzj', fields)).rows as { user: string }[]).map(({ user }) => user);
    expect(await users()).toEqual(['onsecond01']);
    expect(await users({ btdh: 'local' })).toEqual([]);
    expect(((await run(client, 'listbt')).rows as { btdh: string }[]).map(({ btdh }) => btdh)).toEqual(['second']);
    expect(((await run(client, 'listbt', { ss: 'local' })).rows as unknown[]).length).toBe(0);
    for (const [gn, fields] of [
      ['zjsj', {}],
      ['zjxgjl', { webkj: '5' }],
      ['zjzt', {}],
      ['zjjc', {}],
      ['zjxf', { datae: '2031-01-01' }],
      ['zjczmm', { pass: 'other-secret' }],
      ['zjmode', { webkj: '5' }],
      ['zjdl', {}],
      ['zjsc', {}],
    ] as const) {
      const [foreign, missing] = [
        await run(client, gn, { id: String(there.id), ...fields }),
        await run(client, gn, { id: '999999', ...fields }),
      ];
      expect([gn, foreign.success]).toEqual([gn, false]);
      expect({ ...foreign, rid: '' }).toEqual({ ...missing, rid: '' });
    }
    for (const gn of ['btsj', 'xgjl', 'btsc', 'btmyck', 'btmygx', 'btmyjs'])
      expect([gn, (await run(client, gn, { id: local })).success]).toEqual([gn, false]);
    expect(await run(client, 'zjscxz', { idsz: JSON.stringify([there.id, here.id]) })).toMatchObject({ code: 1 });
    expect(await run(client, 'addzj', { user: 'another01', pass: 'secret-1', btdh: 'local' })).toMatchObject({ success: false });
    expect(await run(client, 'addzj', { user: 'another01', pass: 'secret-1' })).toMatchObject({ success: false });
    expect(await run(client, 'addzj', { user: 'another01', pass: 'secret-1', btdh: 'second' })).toMatchObject({ success: true });
    for (const gn of ['listdd', 'setwz', 'plugin_list', 'listlog', 'addbt', 'listadmin', 'listforbiddenscan', 'nodestats'])
      expect([gn, await run(client, gn)]).toEqual([gn, expect.objectContaining({ err: 'E_FORBIDDEN' })]);
    expect((await panel.admin('zjsj', { id: String(there.id) })).success).toBe(true);
    expect((await open(client, '/admin/')).text).not.toContain('¥');
    expect((await open(client, '/admin/orders')).status).toBe(403);
    expect(await panel.get(NodesService).find('local')).not.toBeNull();
  });

  it('shows no button or link without permission on any page', async () => {
    const push = { name: 'shown', task_type: 'push', interval_seconds: '60' };
    for (const [gn, fields] of [
      ['addzj', { user: 'shown01', pass: 'secret-1', btdh: 'local' }],
      ['jkbc', push],
      ['ggtj', { title: 'shown', content: 'shown', level: 'info' }],
      ['bfmy', { ypass: DEFAULT_ADMIN_PASSWORD }],
    ] as [string, Record<string, string>][])
      expect([gn, await panel.admin(gn, fields)]).toEqual([gn, expect.objectContaining({ success: true })]);
    const records = panel.get(OperationRegistry).all();
    const seeing = records.filter(({ side, audit, rate, owner }) => side === 'admin' && owner === 'core' && !audit && rate === 'read');
    const { client, role } = await helper(seeing.map(({ name }) => name).join(','));
    const [line] = ((await panel.admin('listjs')).rows as unknown as { id: string; qx: string[] }[]).filter(({ id }) => id === role);
    const access = new Access(line!.qx, null);
    const mayUse = (what: string): boolean => panel.get(PageAccess).mayUse(access, what);
    const found: string[] = [];
    const visited = new Set<string>(['/admin/']);
    for (const url of visited) {
      const { status, text } = await open(client, url);
      if (status !== 200) found.push(`${url}: ${status}`);
      const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, value]) => value!.replaceAll('&amp;', '&'));
      for (const operation of all(/data-(?:ajax|bulk)="([^"]+)"/g)) if (!mayUse(operation)) found.push(`${url}: ${operation}`);
      for (const id of all(/data-bs-target="#([^"]+)"/g)) if (!text.includes(`id="${id}"`)) found.push(`${url}: #${id}`);
      for (const link of all(/href="(\/admin\/[^"#]*)/g)) {
        if (!mayUse(link)) found.push(`${url}: ${link}`);
        else if (!/export=|lang=|\.json/.test(link)) visited.add(link);
      }
      if (visited.size > 200) break;
    }
    expect(found).toEqual([]);
    expect(visited.size).toBeGreaterThan(20);
  });

  it('cannot be used for privilege escalation', async () => {
    const { client, id, role } = await helper('listzj,zj*,listadmin,addadmin,adminxg,adminsc,listjs,jsbc,jssc');
    const more = { success: false, err: 'E_FORBIDDEN' };
    for (const qx of ['*', 'listdd', 'zjsj,listlog', 'l*', 'plugin.shop', 'list*'])
      expect([qx, await run(client, 'jsbc', { name: `more ${qx}`, qx })]).toEqual([qx, expect.objectContaining(more)]);
    expect(await run(client, 'jsbc', { id: role, name: 'mine', qx: 'listdd' })).toMatchObject(more);
    expect(await run(client, 'addadmin', { user: 'puppet', pass: PASSWORD, js_id: '0' })).toMatchObject(more);
    expect(await run(client, 'addadmin', { user: 'puppet', pass: PASSWORD })).toMatchObject({ success: false, err: 'E_ARGS' });
    const boss = String(
      (await panel.admin('listadmin')).rows.map((row) => row as unknown as Record<string, string>).find(({ user }) => user === 'admin')!.id,
    );
    expect(await run(client, 'adminxg', { id: boss, pass: 'taken-over' })).toMatchObject(more);
    expect(await run(client, 'adminxg', { id: boss, kg: 'false' })).toMatchObject(more);
    expect(await run(client, 'adminsc', { id: boss })).toMatchObject(more);
    expect(await run(client, 'adminxg', { id, js_id: '0' })).toMatchObject({ success: false });
    const less = String(((await run(client, 'jsbc', { name: 'less', qx: 'listzj' })) as { data: { id: number } }).data.id);
    expect(await run(client, 'addadmin', { user: 'junior', pass: PASSWORD, js_id: less })).toMatchObject({ success: true });
    const strong = await helper('listdd');
    expect(await run(client, 'adminxg', { id: strong.id, pass: 'taken-over' })).toMatchObject(more);
    expect(await run(client, 'jsbc', { id: strong.role, name: 'weaker', qx: 'listzj' })).toMatchObject(more);
    expect(await run(client, 'jssc', { id: strong.role })).toMatchObject(more);
  });

  it('cannot remove the last administrator with full access', async () => {
    const { client, role } = await helper('*');
    const boss = String(
      (await panel.admin('listadmin')).rows.map((row) => row as unknown as Record<string, string>).find(({ me }) => me === 'true')!.id,
    );
    expect(await run(client, 'adminxg', { id: boss, js_id: role })).toMatchObject({ success: false });
  });

  it('reports errors by field', async () => {
    expect((await panel.admin('jsbc', { name: '', qx: 'listzj' })).fields).toHaveProperty('name');
    expect((await panel.admin('jsbc', { name: 'x', qx: 'list zj;<b>' })).fields).toHaveProperty('qx');
    expect((await panel.admin('jsbc', { name: 'x', qx: 'listzj', xz: 'true' })).fields).toHaveProperty('nodes');
    expect((await panel.admin('jsbc', { name: 'x', qx: 'listzj', nodes: '4711' })).fields).toHaveProperty('nodes');
    await panel.admin('jsbc', { name: 'Same', qx: 'listzj' });
    expect(await panel.admin('jsbc', { name: 'SAME', qx: 'listzj' })).toMatchObject({ err: 'E_EXISTS' });
    expect(await panel.admin('jsbc', { id: '4711', name: 'gone', qx: 'listzj' })).toMatchObject({ err: 'E_NOTEXIST' });
  });
});
