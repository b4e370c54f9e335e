import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database, SiteConfig } from '../../src/database/index.js';
import { HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { Orders } from '../../src/payment/index.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let host: string;
let user: PanelClient;
beforeAll(async () => {
  panel = await TestPanel.start();
  const answer = (await panel.admin('addzj', { btdh: 'local', user: 'alice01', pass: 'secret-1', datae: '', webkj: '100', sqlkj: '7', ll: '8', ymbds: '9', kg: 'true' })) as unknown as Record<string, unknown>;
  host = String(answer.id);
  user = await new PanelClient(panel.url).login('user', 'alice01', 'secret-1');
});
afterAll(() => panel.close());

const site = () => panel.get(Database).repository(SiteConfig).findOneByOrFail({ id: 1 });
const account = () => panel.get(Database).repository(HostingAccount).findOneByOrFail({ userKey: 'alice01' });
const node = () => panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });

/** Every wire field of ajax.md that an operation of ours takes: what is sent, and where it can be read afterwards. */
const FIELDS: readonly (readonly [gn: string, field: string, value: string, read: () => Promise<unknown>, kept: unknown])[] = [
  ['setwz', 'gg', '<b>Hello</b>', async () => (await site()).notice, '<b>Hello</b>'],
  ['setwz', 'qq', '10001', async () => (await site()).contact, '10001'],
  ['setwz', 'yzm', 'false', async () => (await site()).adminCaptcha, false],
  ['setwz', 'zjyx', 'true', async () => (await site()).mailRequired, true],
  ['setkzmb', 'name', 'My panel', async () => (await site()).name, 'My panel'],
  ['setkzmb', 'ftp', 'amftp', async () => (await site()).fileManager, 'amftp'],
  ['setkzmb', 'yzm', 'false', async () => (await site()).userCaptcha, false],
  ['setkzmb', 'kg', 'true', async () => (await site()).userPanelOpen, true],
  ['setkzmb', 'bq', '© Me <a href="/">x</a>', async () => /<footer[^>]*>.*?© Me x.*?<\/footer>/s.test(await (await panel.adminFetch('/admin/')).text()), true],
  ['setapi', 'linux', '/srv/www', async () => (await site()).linuxRoot, '/srv/www'],
  ['setapi', 'windows', 'E:/www', async () => (await site()).windowsRoot, 'E:/www'],
  ['setapi', 'apiqk', 'true', async () => (await site()).apiOpen, true],
  ['xgjl', 'ip', '192.0.2.9', async () => (await node()).address, '192.0.2.9'],
  ['xgjl', 'dk', '8888', async () => (await node()).port, 8888],
  ['xgjl', 'key', 'panel-key', async () => (await node()).panelKey, 'panel-key'],
  ['xgjl', 'btos', '2', async () => (await node()).system, 2],
  ['xgjl', 'urlla', 'dns.example', async () => (await node()).dnsTarget, 'dns.example'],
  ['xgjl', 'ftpdz', 'ftp.example', async () => (await node()).ftpAddress, 'ftp.example'],
  ['xgjl', 'xieyi', 'true', async () => (await node()).secure, true],
  ['xgjl', 'kg', 'true', async () => (await node()).enabled, true],
  ['set_node_php', 'version', '82', async () => (await node()).defaultPhp, '82'],
  ['zjxgjl', 'datar', '2040-01-02', async () => (await account()).expiresOn, '2040-01-02'],
  ['zjxgjl', 'webkj', '200', async () => (await account()).webQuotaMb, 200],
  ['zjxgjl', 'sqlkj', '201', async () => (await account()).databaseQuotaMb, 201],
  ['zjxgjl', 'llmax', '202', async () => (await account()).trafficQuotaGb, 202],
  ['zjxgjl', 'ymbds', '203', async () => (await account()).domainQuota, 203],
];
const NAMED: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  xgjl: async () => ({ id: String((await node()).id) }),
  set_node_php: () => Promise.resolve({ btdh: 'local' }),
  zjxgjl: () => Promise.resolve({ id: host }),
};

describe('W11 fields of the wire', () => {
  it.each(FIELDS)('%s %s is accepted and kept', async (gn, field, value, read, kept) => {
    const answer = (await panel.admin(gn, { ...(await NAMED[gn]?.()), [field]: value })) as unknown as Record<string, unknown>;
    expect(Number(answer.qk)).toBe(1);
    expect(await read()).toEqual(kept);
  });

  it('none of a deployed form refuses the call, nor does one nobody knows', async () => {
    const forms: Record<string, Record<string, string>> = {
      setwz: { gg: '', qq: '', yzm: 'false', zjyx: 'false' },
      setkzmb: { name: 'x', ftp: 'svcftp', yzm: 'false', kg: 'true', bq: '', loa: '', lob: '', loc: '' },
      setapi: { apikey: '', apiqk: 'true', linux: '/www/wwwroot', windows: 'D:/wwwroot' },
      xgjl: { ip: '127.0.0.1', dk: '', key: '', kg: 'true', btos: '1', urlla: '', ftpdz: 'false', xieyi: 'false', unknown: 'x' },
      zjxgjl: { user: 'alice01', pass: '', sqluser: '', sqlpass: '', ymbds: '5', datar: '0000-00-00', webkj: '1', sqlkj: '1', llmax: '1', kg: 'true' },
    };
    for (const [gn, fields] of Object.entries(forms)) {
      const answer = (await panel.admin(gn, { ...(await NAMED[gn]?.()), ...fields })) as unknown as Record<string, unknown>;
      expect([gn, answer.qk, answer.code]).toEqual([gn, 1, expect.any(String)]);
    }
  });

  it('are marked where a server keeps them without effect: in lists, and on pages', async () => {
    const list = async (gn: string) => (await panel.admin(gn)).rows as unknown as Record<string, string>[];
    expect((await list('listbt'))[0]).toMatchObject({ btdh: 'local', bzx: 'sqlkj,ll,ymbds', bzxjd: 'ip,dk,xieyi,btos,urlla' });
    expect((await list('listzj'))[0]).toMatchObject({ user: 'alice01', bzx: 'sqlkj,ll,ymbds' });
    const page = async (path: string) => (await panel.adminFetch(path)).text();
    const hosts = await page('/admin/hosts');
    for (const field of ['sqlkj', 'll', 'ymbds']) expect(hosts.split(`data-unenforced="${field}"`)).toHaveLength(3);
    const servers = await page('/admin/servers');
    for (const field of ['ip', 'dk', 'xieyi', 'btos', 'urlla']) expect(servers).toContain(`data-unenforced="${field}"`);
    await panel.enable('hosting_shop');
    expect(await page('/admin/plugin.php?p=hosting_shop&page=plans')).toMatch(/local 上仅保存|Kept without effect on local/);
  });
});

describe('W11 pictures of the panel', () => {
  const png = (width: number) => sharp({ create: { width, height: 20, channels: 3, background: '#3366cc' } }).png().toBuffer();
  const save = async (files: Record<string, Buffer>, fields: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ gn: 'setkzmb', ...fields })) body.append(name, value);
    for (const [name, data] of Object.entries(files)) body.append(name, new Blob([new Uint8Array(data)]), 'logo.png');
    return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as AjaxAnswer;
  };
  const shownOn = async (path: string, who: 'admin' | 'stranger' = 'stranger') => {
    const page = await (await (who === 'admin' ? panel.adminFetch(path) : panel.fetch(path))).text();
    return /class="brand-logo" src="([^"]+)"/.exec(page)?.[1];
  };

  it('are made anew, shown where they belong, and stay until they are replaced or taken away', async () => {
    expect(await save({ loa: await png(2_000), lob: await png(30), loc: await png(40) })).toMatchObject({ qk: 1 });
    const places = [await shownOn('/user/login'), await shownOn('/'), await shownOn('/admin/', 'admin'), (await user.send('/user/')).text.match(/class="brand-logo" src="([^"]+)"/)?.[1]];
    expect(new Set(places).size).toBe(3);
    expect(places[2]).toBe(places[3]);
    const served = await panel.fetch(places[0]!);
    expect([served.status, served.headers.get('content-type'), served.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'nosniff']);
    expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ width: 512 });

    // What an older form sends where nobody chose a file.
    expect(await save({ loa: Buffer.alloc(0) }, { name: 'My panel', lob: '' })).toMatchObject({ qk: 1 });
    expect([await shownOn('/user/login'), await shownOn('/')]).toEqual([places[0], places[1]]);

    expect(await save({ lob: await png(31) }, { loasc: 'true' })).toMatchObject({ qk: 1 });
    expect(await shownOn('/user/login')).toBeUndefined();
    expect(await shownOn('/')).not.toBe(places[1]);
  });

  it('are nothing but pictures, and nobody but the administrator sets them', async () => {
    const before = await shownOn('/');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [file, why] of [[svg, /jpg/], [Buffer.alloc(6 * 1024 * 1024, 1), /5\s?MB/], [(await png(50)).subarray(0, 60), /损坏|damaged/]] as const) {
      const answer = await save({ lob: file }, { name: 'Other' });
      expect([answer.qk, answer.fields?.lob]).toEqual([4, expect.stringMatching(why)]);
    }
    expect((await site()).name).toBe('My panel');
    const body = new FormData();
    body.append('gn', 'setkzmb');
    body.append('lob', new Blob([new Uint8Array(await png(60))]), 'logo.png');
    expect(await (await panel.fetch('/admin/ajax.php', { method: 'POST', body })).json()).toEqual({ code: '请登陆后台' });
    expect(await shownOn('/')).toBe(before);
    for (const name of ['../panel.db', '%2e%2e%2fpanel.db', 'x.png']) expect((await panel.fetch(`/uploads/logos/${name}`)).status).toBe(404);
  });

  it('go from the disk once nothing shows them', async () => {
    const files = () => readdirSync(join(panel.dataDir, 'logos'));
    for (const name of files()) utimesSync(join(panel.dataDir, 'logos', name), 1_000, 1_000);
    expect(await save({}, { lobsc: 'true', locsc: 'true' })).toMatchObject({ qk: 1 });
    expect(files()).toEqual([]);
  });
});

describe('W11 answers', () => {
  it('listdd names what was bought', async () => {
    for (const [scene, name] of [['yjbs', 'WordPress'], ['ymgm', 'a.example'], ['hosting', 'Starter']] as const) await panel.get(Orders).create({ user: 'x', scene, name, amount: 100, type: '' });
    const rows = (await panel.admin('listdd')).rows as unknown as Record<string, string>[];
    expect(rows.map(({ spname }) => spname)).toEqual(['Starter', '域名购置', '一键部署-WordPress']);
  });

  it('zjxx answers the envelope at the top and the row under data', async () => {
    const { json } = await user.ajax('user', { gn: 'zjxx' });
    expect(json).toMatchObject({ success: true, qk: 1, data: { user: 'alice01', qk: 'true', data: expect.stringMatching(/^\d{4}-\d\d-\d\d /) } });
  });

  it('addnode promises nothing the agent cannot do', async () => {
    expect((await panel.admin('addnode', { bt_id: '1' })).data.config).toMatchObject({ capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'] });
  });

  it('a settings tab of the user side is taken, and goes with its plugin', async () => {
    writePlugin(panel.dataDir, 'user_tab', { files: { 'index.js': functionPlugin("svc.svc_register_settings_tab('user', { title: 'Mine', url: '/mine' });") } });
    await panel.enable('user_tab');
    expect(panel.registrations('user_tab')).toMatchObject({ tabs: 1 });
    expect(await (await panel.adminFetch('/admin/settings')).text()).not.toContain('>Mine<');
    await panel.disable('user_tab');
    expect(panel.registrations('user_tab')).toEqual({});
  });
});
