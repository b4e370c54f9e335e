import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { getMetadataStorage } from 'class-validator';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { CallingKeys, DriverNodes, HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { OperationRegistry } from '../../src/operations/index.js';
import { Orders } from '../../src/payment/index.js';
import type { Scope } from '../../src/sdk/index.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let host: string;
let user: PanelClient;
beforeAll(async () => {
  panel = await TestPanel.start();
  const answer = (await panel.admin('addzj', {
    btdh: 'local',
    user: 'alice01',
    pass: 'secret-1',
    datae: '',
    webkj: '100',
    sqlkj: '7',
    ll: '8',
    ymbds: '9',
    kg: 'true',
  })) as unknown as Record<string, unknown>;
  host = String(answer.id);
  user = await new PanelClient(panel.url).login('user', 'alice01', 'secret-1');
});
afterAll(() => panel.close());

const site = () => panel.get(Database).repository(SiteConfig).findOneByOrFail({ id: 1 });
const account = () => panel.get(Database).repository(HostingAccount).findOneByOrFail({ userKey: 'alice01' });
const node = () => panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });

/** Every wire field of ajax.md that our operations accept: the sent value, and where it can be read afterwards. */
const FIELDS: readonly (readonly [gn: string, field: string, value: string, read: () => Promise<unknown>, kept: unknown])[] = [
  ['setwz', 'gg', '<b>Hello</b>', async () => (await site()).notice, '<b>Hello</b>'],
  ['setwz', 'qq', '10001', async () => (await site()).contact, '10001'],
  ['setwz', 'yzm', 'false', async () => (await site()).adminCaptcha, false],
  ['setwz', 'zjyx', 'true', async () => (await site()).mailRequired, true],
  ['setkzmb', 'name', 'My panel', async () => (await site()).name, 'My panel'],
  ['setkzmb', 'ftp', 'amftp', async () => (await site()).fileManager, 'amftp'],
  ['setkzmb', 'yzm', 'false', async () => (await site()).userCaptcha, false],
  ['setkzmb', 'kg', 'true', async () => (await site()).userPanelOpen, true],
  [
    'setkzmb',
    'bq',
    '© Me <a href="/">x</a>',
    async () => /<footer[^>]*>.*?© Me x.*?<\/footer>/s.test(await (await panel.adminFetch('/admin/')).text()),
    true,
  ],
  ['setapi', 'linux', '/srv/www', async () => (await site()).linuxRoot, '/srv/www'],
  ['setapi', 'windows', 'E:/www', async () => (await site()).windowsRoot, 'E:/www'],
  ['setapi', 'apiqk', 'true', async () => (await site()).apiOpen, true],
  ['xgjl', 'ip', '192.0.2.9', async () => (await node()).address, '192.0.2.9'],
  ['xgjl', 'dk', '8888', async () => (await node()).port, 8888],
  ['xgjl', 'key', 'panel-key', async () => panel.get(DriverNodes).openKey((await node()).sealedPanelKey), 'panel-key'],
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
  ['zjxgjl', 'jk_max', '204', async () => (await account()).monitorQuota, 204],
  ['zjxgjl', 'bf_max', '55', async () => (await account()).backupQuota, 55],
];
const NAMED: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  xgjl: async () => ({ id: String((await node()).id) }),
  set_node_php: () => Promise.resolve({ btdh: 'local' }),
  zjxgjl: () => Promise.resolve({ id: host }),
};

/** Every field that panel.md and ajax.md list for an existing operation; files are covered by the picture tests. */
const LISTS = 'page limit sort sortOrder';
const DOCUMENTED: readonly (readonly [side: Scope, gn: string, fields: string])[] = [
  ['admin', 'login', 'user pass code logout'],
  ['admin', 'setwz', 'gg qq yzm zjyx'],
  ['admin', 'setapi', 'apikey apiqk linux windows'],
  ['admin', 'setkzmb', 'name ftp yzm kg bq'],
  ['admin', 'setpaymethods', 'methods'],
  ['admin', 'gl', 'yuser ypass xuser xpass'],
  ['admin', 'listlog', `${LISTS} where`],
  ['admin', 'logsc', 'id'],
  ['admin', 'logscxz', 'idsz'],
  ['admin', 'logclear', ''],
  ['admin', 'addbt', 'ip dk key bh btos urlla ftpdz xieyi kg'],
  ['admin', 'btsc', 'id'],
  ['admin', 'btsj', 'id'],
  ['admin', 'xgjl', 'id ip dk key kg btos urlla ftpdz xieyi'],
  ['admin', 'listbt', LISTS],
  ['admin', 'btztjc', 'btid'],
  ['admin', 'list_node_php', 'btdh'],
  ['admin', 'auto_detect_node_php', 'btdh'],
  ['admin', 'set_node_php', 'btdh version'],
  ['admin', 'addzj', 'btdh user pass datae webkj sqlkj ll ymbds kg'],
  ['admin', 'zjsc', 'id'],
  ['admin', 'zjscxz', 'idsz'],
  ['admin', 'zjxgjl', 'id user pass sqluser sqlpass ymbds datar webkj sqlkj llmax kg'],
  ['admin', 'listzj', `${LISTS} where`],
  ['admin', 'listdd', LISTS],
  ['admin', 'plugin_list', ''],
  ['admin', 'plugin_enable', 'slug enabled'],
  ['admin', 'plugin_install', 'slug'],
  ['admin', 'plugin_uninstall', 'slug'],
  ['admin', 'listnode', `${LISTS} keyword status`],
  ['admin', 'addnode', 'bt_id node_name node_id svc_url interval_seconds'],
  ['admin', 'delnode', 'id'],
  ['admin', 'setnodestatus', 'id enabled'],
  ['admin', 'nodeconfig', 'id svc_url interval_seconds'],
  ['admin', 'nodeping', 'id'],
  ['admin', 'nodeforbiddenscan', 'id root keywords site max_file_size_mb max_matches'],
  ['admin', 'listnodetask', `${LISTS} node_pk status action`],
  ['admin', 'nodetasksj', 'task_id'],
  ['admin', 'nodetaskcx', 'task_id'],
  ['admin', 'nodetaskqx', 'task_id'],
  ['admin', 'nodeloglist', 'node_id'],
  ['admin', 'nodelogcontent', 'node_id log_file offset limit keyword level'],
  ['admin', 'nodelogclear', 'node_id log_file'],
  ['admin', 'nodeloglevel', 'node_id level'],
  ['admin', 'nodelogstats', 'node_id'],
  ['admin', 'listforbiddenscan', `${LISTS} node_pk time_filter status_filter`],
  ['admin', 'listforbiddenmatch', `${LISTS} task_id`],
  ['admin', 'nodestats', ''],
  ['admin', 'get_global_keywords', ''],
  ['admin', 'clearoldscans', 'days'],
  ['admin', 'savescancfg', 'skg snr sgbfx sml stqml stqhz sdzmax sdhmax sqzcskg sqzcs'],
  ['user', 'login', 'user pass code logout'],
  ['user', 'indexconf', ''],
  ['user', 'xgpass', 'ftp sql'],
  ['user', 'sxsyxx', ''],
  ['user', 'site_stats', 'act range page page_size'],
];

/** Every field that external.md lists for a call of the provisioning API, besides the common ones. */
const PROVISIONING: readonly (readonly [gn: string, fields: Record<string, string>])[] = [
  ['cfif', {}],
  ['kt', { password: 'secret-1', sizemax: '3', dqtime: '2040-01-02', webdx: '4', sqldx: '5', ymbds: '6' }],
  ['ztcx', {}],
  ['zjmode', { websize: '7', sqlsize: '8', ll: '9' }],
  ['czmm', { password: 'secret-2' }],
  ['stop', {}],
  ['start', {}],
  ['zt', {}],
  ['jc', {}],
  ['xf', { setdate: '2041-01-02' }],
  ['tz', {}],
];

describe('W11 fields of the wire', () => {
  it.each(FIELDS)('%s %s is accepted and stored', async (gn, field, value, read, kept) => {
    const answer = (await panel.admin(gn, { ...(await NAMED[gn]?.()), [field]: value })) as unknown as Record<string, unknown>;
    expect(Number(answer.qk)).toBe(1);
    expect(await read()).toEqual(kept);
  });

  it.each(DOCUMENTED)('%s %s accepts each of: %s', (side, gn, fields) => {
    const { input } = panel.get(OperationRegistry).find(side, gn)!;
    const taken = new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(input!, '', false, false)
        .map(({ propertyName }) => propertyName),
    );
    expect(fields.split(' ').filter((field) => field && !taken.has(field))).toEqual([]);
  });

  it('each of the provisioning API is accepted, limits are stored, and unknown ones are ignored', async () => {
    const { api } = await site();
    const common = {
      svc_bh: 'local',
      svc_key: api,
      svc_keye: panel.get(CallingKeys).of(await node()),
      svc_vs: '18',
      username: 'bought01',
      unknown: 'x',
    };
    const kept: Record<string, unknown> = {};
    for (const [gn, fields] of PROVISIONING) {
      const answer = (await (
        await panel.fetch(`/api/api.php?gn=${gn}`, { method: 'POST', body: new URLSearchParams({ ...common, ...fields }) })
      ).json()) as { code: number; msg: string };
      expect([gn, answer.code, answer.msg]).toEqual([gn, 200, expect.any(String)]);
      const row = await panel.get(Database).repository(HostingAccount).findOneBy({ userKey: 'bought01' });
      if (row) kept[gn] = [row.expiresOn, row.webQuotaMb, row.databaseQuotaMb, row.trafficQuotaGb, row.domainQuota];
    }
    expect(kept).toMatchObject({ kt: ['2040-01-02', 4, 5, 3, 6], zjmode: ['2040-01-02', 7, 8, 9, 6], xf: ['2041-01-02', 7, 8, 9, 6] });
  });

  it('the database password of an older form changes the rest, and the response says what was not changed', async () => {
    await panel.admin('addzj', { btdh: 'local', user: 'databases01', pass: 'secret-1' });
    const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ userKey: 'databases01' });
    expect(await panel.admin('zjxgjl', { id: String(id), webkj: '77', sqluser: 'db01', sqlpass: 'secret-9' })).toMatchObject({
      qk: 1,
      code: expect.stringMatching(/^修改成功.*数据库/),
    });
    const owner = await new PanelClient(panel.url).login('user', 'databases01', 'secret-1');
    expect((await owner.ajax('user', { gn: 'xgpass', yp: 'secret-1', ftp: 'secret-2', sql: 'secret-3' })).json).toMatchObject({
      qk: 1,
      code: expect.stringMatching(/^修改成功.*数据库/),
    });
    expect((await owner.ajax('user', { gn: 'xgpass', yp: 'secret-2', ftp: '', sql: 'secret-4' })).json).toMatchObject({
      qk: 4,
      fields: { sql: expect.any(String) },
    });
  });

  it('none of a deployed form makes the call fail, and neither does an unknown one', async () => {
    const forms: Record<string, Record<string, string>> = {
      setwz: { gg: '', qq: '', yzm: 'false', zjyx: 'false' },
      setkzmb: { name: 'x', ftp: 'svcftp', yzm: 'false', kg: 'true', bq: '', loa: '', lob: '', loc: '' },
      setapi: { apikey: '', apiqk: 'true', linux: '/www/wwwroot', windows: 'D:/wwwroot' },
      xgjl: { ip: '127.0.0.1', dk: '', key: '', kg: 'true', btos: '1', urlla: '', ftpdz: 'false', xieyi: 'false', unknown: 'x' },
      zjxgjl: {
        user: 'alice01',
        pass: '',
        sqluser: '',
        sqlpass: '',
        ymbds: '5',
        datar: '0000-00-00',
        webkj: '1',
        sqlkj: '1',
        llmax: '1',
        kg: 'true',
      },
    };
    for (const [gn, fields] of Object.entries(forms)) {
      const answer = (await panel.admin(gn, { ...(await NAMED[gn]?.()), ...fields })) as unknown as Record<string, unknown>;
      expect([gn, answer.qk, answer.code]).toEqual([gn, 1, expect.any(String)]);
    }
  });

  it('are marked when a server stores them without effect: in lists, and on pages', async () => {
    const list = async (gn: string) => (await panel.admin(gn)).rows as unknown as Record<string, string>[];
    expect((await list('listbt'))[0]).toMatchObject({ btdh: 'local', bzx: 'sqlkj', bzxjd: 'ip,dk,xieyi,btos,key,ftpdz' });
    expect((await list('listzj')).at(-1)).toMatchObject({ user: 'alice01', bzx: 'sqlkj' });
    const page = async (path: string) => (await panel.adminFetch(path)).text();
    const hosts = await page('/admin/hosts');
    for (const field of ['sqlkj', 'll', 'ymbds']) expect(hosts.split(`data-unenforced="${field}"`)).toHaveLength(3);
    const servers = await page('/admin/servers');
    for (const field of ['ip', 'dk', 'xieyi', 'btos']) expect(servers).toContain(`data-unenforced="${field}"`);
    await panel.enable('hosting_shop');
    expect(await page('/admin/plugin.php?p=hosting_shop&page=plan')).toMatch(/local 上仅保存|Kept without effect on local/);
  });
});

describe('W11 pictures of the panel', () => {
  const png = (width: number) =>
    sharp({ create: { width, height: 20, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer();
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

  it('are re-encoded, shown in their places, and stay until they are replaced or deleted', async () => {
    expect(await save({ loa: await png(2_000), lob: await png(30), loc: await png(40) })).toMatchObject({ qk: 1 });
    const places = [
      await shownOn('/user/login'),
      await shownOn('/'),
      await shownOn('/admin/', 'admin'),
      (await user.send('/user/')).text.match(/class="brand-logo" src="([^"]+)"/)?.[1],
    ];
    expect(new Set(places).size).toBe(3);
    expect(places[2]).toBe(places[3]);
    const served = await panel.fetch(places[0]!);
    expect([served.status, served.headers.get('content-type'), served.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ width: 512 });

    // Sent by an older form when no file was chosen.
    expect(await save({ loa: Buffer.alloc(0) }, { name: 'My panel', lob: '' })).toMatchObject({ qk: 1 });
    expect([await shownOn('/user/login'), await shownOn('/')]).toEqual([places[0], places[1]]);

    expect(await save({ lob: await png(31) }, { loasc: 'true' })).toMatchObject({ qk: 1 });
    expect(await shownOn('/user/login')).toBeUndefined();
    expect(await shownOn('/')).not.toBe(places[1]);
  });

  it('must be pictures, and only the administrator can set them', async () => {
    const before = await shownOn('/');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [file, why] of [
      [svg, /jpg/],
      [Buffer.alloc(6 * 1024 * 1024, 1), /5\s?MB/],
      [(await png(50)).subarray(0, 60), /损坏|damaged/],
    ] as const) {
      const answer = await save({ lob: file }, { name: 'Other' });
      expect([answer.qk, answer.fields?.lob]).toEqual([4, expect.stringMatching(why)]);
    }
    expect((await site()).name).toBe('My panel');
    const body = new FormData();
    body.append('gn', 'setkzmb');
    body.append('lob', new Blob([new Uint8Array(await png(60))]), 'logo.png');
    expect(await (await panel.fetch('/admin/ajax.php', { method: 'POST', body })).json()).toEqual({ code: '请登陆后台' });
    expect(await shownOn('/')).toBe(before);
    for (const name of ['../panel.db', '%2e%2e%2fpanel.db', 'x.png'])
      expect((await panel.fetch(`/uploads/logos/${name}`)).status).toBe(404);
  });

  it('are deleted from disk once nothing shows them', async () => {
    const files = () => readdirSync(join(panel.dataDir, 'logos'));
    for (const name of files()) utimesSync(join(panel.dataDir, 'logos', name), 1_000, 1_000);
    expect(await save({}, { lobsc: 'true', locsc: 'true' })).toMatchObject({ qk: 1 });
    expect(files()).toEqual([]);
  });
});

describe('W11 answers', () => {
  it('listdd names the purchase', async () => {
    for (const [scene, name] of [
      ['yjbs', 'WordPress'],
      ['ymgm', 'a.example'],
      ['hosting', 'Starter'],
    ] as const)
      await panel.get(Orders).create({ user: 'x', scene, name, amount: 100, type: '' });
    const rows = (await panel.admin('listdd')).rows as unknown as Record<string, string>[];
    expect(rows.map(({ spname }) => spname)).toEqual(['Starter', '域名购置', '一键部署-WordPress']);
  });

  it('zjxx returns the envelope at the top and the row under data', async () => {
    const { json } = await user.ajax('user', { gn: 'zjxx' });
    expect(json).toMatchObject({
      success: true,
      qk: 1,
      data: { user: 'alice01', qk: 'true', data: expect.stringMatching(/^\d{4}-\d\d-\d\d /) },
    });
  });

  it('addnode promises nothing the agent cannot do', async () => {
    expect((await panel.admin('addnode', { bt_id: '1' })).data.config).toMatchObject({
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
    });
  });

  it('a settings tab of the user side is an entry of its menu, and is removed with its plugin', async () => {
    writePlugin(panel.dataDir, 'user_tab', {
      files: { 'index.js': functionPlugin("svc.svc_register_settings_tab('user', { title: 'Mine', url: '/mine' });") },
    });
    await panel.enable('user_tab');
    const menu = async () => (await user.send('/user/')).text.match(/<a\s[^>]*href="\/mine"[^>]*>[^]*?<\/a>/)?.[0] ?? '';
    expect(await menu()).toContain('Mine');
    expect(await (await panel.adminFetch('/admin/settings')).text()).not.toContain('>Mine<');
    await panel.disable('user_tab');
    expect(await menu()).toBe('');
    expect(panel.registrations('user_tab')).toEqual({});
  });

  it.each([
    ["{ title: 'Mine', fields: [{ key: 'a', label: 'A', type: 'text' }] }", 'needs a page or a url'],
    ["{ title: 'Mine', page: 'nowhere' }", 'nowhere'],
    ["{ title: 'Mine' }", 'needs a page'],
    ["{ title: 'Mine', page: 'a', url: '/a' }", 'not both'],
    ['null', 'user_tab_wrong'],
  ])('a settings tab of the user side without content is refused: %s', async (tab, reason) => {
    writePlugin(panel.dataDir, 'user_tab_wrong', functionPlugin(`svc.svc_register_settings_tab('user', ${tab});`));
    expect(await panel.tryEnable('user_tab_wrong')).toMatchObject({ success: false, code: expect.stringContaining(reason) });
  });
});
