import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every change of a stored row logs the old and new values. Source: docs/panel-api.md "Operation log". */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { SecondFactors } from '../src/auth/index.js';
import { Backup } from '../src/backup/entities/index.js';
import { Database } from '../src/database/index.js';
import { DriverRegistry, SiteBackup, SiteSetting } from '../src/hosting/index.js';
import { OperationLog, OperationRegistry } from '../src/operations/index.js';
import { Orders, Settlement } from '../src/payment/index.js';
import { PackageFolders } from '../src/plugin-registry/index.js';
import { StoreClient } from '../src/plugin-store/store-client.js';
import { ReceiptRepository } from '../src/receipts/index.js';
import type { Scope } from '../src/sdk/index.js';

import { AuthenticatorApp } from './support/authenticator-app.js';
import { FakeDriver } from './support/fake-driver.js';
import { PanelClient } from './support/panel-client.js';
import { addCustomer } from './support/customers.js';
import { TestPanel } from './support/panel.js';
import { functionPlugin, writePlugin } from './support/plugins.js';
import { STARTER_PLAN } from './support/shop.js';

/**
 * Operations whose log line has no old and new values, each with its reason. Changes to rows that someone configured do not belong here.
 */
const SILENT: Readonly<Record<string, readonly string[]>> = {
  'orders work, a test or a message: nothing anybody set is other afterwards': [
    ...[
      'admin:mailcs',
      'admin:zfcs',
      'admin:p_hosting_shop_seen',
      'admin:tdcs',
      'user:tdcs',
      'admin:tdcf',
      'admin:tzfs',
      'admin:jkcs',
      'user:monitor_test',
      'admin:jhrun',
      'user:mailbd',
    ],
    ...['admin:xzjc', 'admin:zjscfx', 'admin:nodeping', 'admin:nodeforbiddenscan', 'admin:bfadd', 'admin:plugin_retry'],
    ...['admin:nodetaskcx', 'admin:nodetaskqx'],
    ...['admin:szqr', 'admin:yejc'],
    ...['admin:bfjc', 'admin:bfhf', 'admin:bfhfqx'],
    ...['admin:rwqx', 'admin:rwcs', 'admin:djcs', 'admin:sjcs', 'admin:sjcsxz', 'admin:sjhl', 'admin:xtxf', 'admin:jcurl', 'user:jcurl'],
  ],
  'what becomes of the file is the agent’s to say; the line has its path and the list of quarantine its state': [
    ...['admin:wjgl', 'admin:wjglhf', 'admin:wjglsc'],
  ],
  'the background task does it; the line names plugin and version: test/plugins/store-journey.spec.ts': [
    ...['admin:plugin_store_install', 'admin:plugin_upload', 'admin:plugin_upgrade', 'admin:plugin_rollback', 'admin:plugin_store_check'],
  ],
  'it is done on the server, and the line names file or level': ['admin:nodelogclear', 'admin:nodeloglevel'],
  'the line has the key that is trusted': ['admin:plugin_store_trust'],
  'tells a secret, a link or a file, and changes nothing': ['admin:apimyck', 'admin:btmyck', 'admin:zjdl', 'admin:bfxz', 'admin:nodeaz'],
  'records at a DNS provider: the line names the record, and test/dns reads what became of it': [
    ...['admin:p_dns_record_delete', 'user:p_dns_record_add', 'user:p_dns_record_save', 'user:p_dns_record_delete'],
  ],
  'ends a session, or shows or renews a code: the line is all there is to say': [
    ...['admin:logout', 'user:logout', 'admin:hhsc', 'user:hhsc', 'admin:f2hf', 'user:f2hf', 'admin:f2zm', 'user:f2zm'],
  ],
  'the background task does it, and writes the line of each host: test/host-bulk.spec.ts reads them': ['admin:zjpl'],
  'the background task does it, and writes a line of what became of it: test/site-moves.spec.ts reads them': [
    ...['admin:zjqy', 'admin:zjqytz', 'admin:zjqyhf', 'admin:zjqyqc'],
    ...['admin:btqk', 'admin:btqktz', 'admin:btqkjx'],
  ],
  'tells a server what stands in the rows already: no row is other afterwards but an id of the server’s': [
    'admin:btzj',
    'admin:zjtb',
    'admin:bttb',
  ],
  'deletes what was told or measured, by age or from a box; the line says how many': [
    ...['admin:notice_sc', 'user:notice_sc', 'admin:tzsc', 'admin:clearoldscans'],
  ],
  'does the same as others whose lines are walked: wjbmdtj, wjbmdsc, zjztwj, apimygx': ['admin:wjccl', 'admin:wjcbmd', 'admin:apicz'],
  'ends what limits have counted, which nobody set; the line says whose': ['admin:sxcz'],
  'the settings name a picture by a random file: src/site/home-page.spec.ts shows it': [
    'admin:home_upload_icon',
    'admin:home_upload_image',
  ],
  'writes its own line with the deletion, in one transaction': ['admin:logsc', 'admin:logscxz', 'admin:logclear'],
  'keeps what a server with a certificate of its own shows: test/certificates-baota.spec.ts reads the line': ['admin:btztjc'],
  'is of this process or this installation as a whole, not of a row': ['admin:plugin_safe_mode', 'admin:bffx'],
  'the days of an unused host count anew, by the action of its owner; a pause that ends is told of as any other': ['user:xzbl'],
  'needs a server with PHP or the file of another program: what is written is the same as that of xgjl and jkbc': [
    ...['admin:set_node_php', 'admin:auto_detect_node_php', 'admin:jkdr', 'user:monitor_import'],
  ],
  'orders work on a backup of a site, or tells a link to one; the row of a backup is what the work makes of it': [
    ...['make', 'stop', 'restore', 'download'].flatMap((name) => [`admin:sitebackup_${name}`, `user:sitebackup_${name}`]),
    'admin:sitebackup_test',
  ],
  'installs a program on a site, stops that or takes it back, which the history of the site tells: test/programs.spec.ts': [
    ...['user:yjbs', 'admin:cxyl', 'admin:bsqx', 'user:bsqx', 'admin:bsht', 'user:bsht'],
  ],
  'is noted where programs are offered and sorted (src/hosting/deployments); an archive is a file: test/programs.spec.ts': [
    ...['admin:cxkg', 'admin:cxpx', 'admin:cxwj', 'admin:cxdc', 'admin:cxfiledru'],
  ],
  'changes files of a site and no row: the line has their path': [
    ...['setwj', 'xjwj', 'xjwjj', 'ftpsc', 'ftpscxz', 'setname', 'filecp', 'fileys', 'ftpjy', 'filejy', 'fileupload', 'wjxz'].flatMap(
      (gn) => [`admin:${gn}`, `user:${gn}`],
    ),
    ...['filetrash_restore', 'filetrash_del'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
  ],
  'leads to a gateway, or closes what nobody paid; the history of the order tells it: src/payment/order-operations/own-orders.spec.ts': [
    'user:ddzf',
    'user:ddqx',
  ],
  'a note or another try stands in the history of the order: src/payment/order-operations/order-actions.spec.ts': [
    'admin:ddbzx',
    'admin:ddcf',
  ],
  'asks gateways; what is found is settled as a notification is: src/payment/inquiries/inquiries.spec.ts': ['admin:dddz'],
  'gives a second payment back by its gateway, as zftk notes it: src/payment/second-payments/second-refunds.spec.ts': ['admin:zftkwg'],
  'makes a second payment credit, in one transaction with what it gives: test/credit.spec.ts': ['admin:zftkye'],
  'makes receipts of orders, whose own rows are new: test/receipts.spec.ts': ['admin:skdpl'],
  'asks about a refund again, or says what became of one: src/payment/refunds/refunds.spec.ts': ['admin:ddtkcx', 'admin:ddtkjg'],
  'makes an order as adddd does, whose line is walked: test/renewals.spec.ts': ['user:xdd', 'admin:zjxfdd'],
  'orders, assigns or plans a package, and takes a plan back: test/package-changes.spec.ts': [
    'admin:zjbgdd',
    'admin:zjfptc',
    'admin:bgqx',
    'user:bgqx',
  ],
  'moves credit, whose ledger tells it for good: src/ledger/redeeming.spec.ts': ['user:yedh'],
  'forgets what was counted of a site, and no row anybody set': ['admin:reset_sitestats'],
  'makes accounts of sites that lie on a server, which test/reseller-operations.spec.ts does': ['admin:zjdr'],
  'changes nothing: it tells what was given': ['user:zjmmck'],
  'makes a link that signs in': ['admin:yhdl'],
  'reads files again, or takes a folder away: src/site/themes/themes.spec.ts': ['admin:theme_reload', 'admin:theme_sc'],
  'exchanges the files of a theme, in the background: test/plugins/theme-packages.spec.ts': [
    ...['theme_upload', 'theme_store_install', 'theme_upgrade', 'theme_rollback'].map((gn) => `admin:${gn}`),
  ],
  'takes a picture that no setting has yet: src/site/themes/theme-settings.spec.ts': ['admin:theme_set_image'],
  'takes a log along and changes no row': ['admin:rzxz', 'user:rzxz'],
  'another name of cacheadd, cacheedit, cachedel, setgzip or databaseqk': [
    'user:Delalldatabase',
    ...['addcache', 'editcache', 'cacheupdate', 'setcache', 'cache', 'delcache', 'cachedelete', 'deletecache'].map((gn) => `user:${gn}`),
    ...['user:cache_add', 'user:cache_edit', 'user:cache_del', 'user:cache_delete', 'user:gzip'],
  ],
  'changes what runs on the server of a site, or makes a link to it, and no row but a password: test/site-programs.spec.ts': [
    ...['phpxg', 'ftpkg', 'sqldr', 'sqldc', 'sqlsso', 'databaseqk'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
    ...['save', 'kg', 'del', 'run'].flatMap((name) => [`admin:crontab_${name}`, `user:crontab_${name}`]),
    ...['mm', 'ck', 'aq1', 'add', 'del', 'download', 'restore'].flatMap((name) => [`admin:database${name}`, `user:database${name}`]),
  ],
  'is refused on every kind of server there is': ['setwjt', 'fzjh'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
  'is noted in src/hosting/certificates, and test/certificates.spec.ts reads such lines': [
    ...['sqssl', 'qxssl', 'setssl', 'clossl', 'dxssl', 'httpsqz', 'jcssl'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
    ...['admin:xqssl', 'admin:zstk'],
  ],
  'is noted where domains are bound (src/hosting/domains), and walked by the specs there': [
    ...['tjurl', 'scurl', 'zyurl'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
  ],
  'is noted where names are sold (src/hosting/names), and walked by the spec there': [
    ...['addym', 'xgym', 'ymkg', 'ymsc', 'ymscxz', 'ymjb', 'ymfc'].map((gn) => `admin:${gn}`),
    ...['user:ymbd', 'user:ymjb'],
  ],
  'is noted in src/dns, or asks a provider; test/dns/dns.spec.ts reads such lines': [
    'provider_save',
    'provider_delete',
    'provider_test',
    'record_retry',
    'sites_save',
  ].map((name) => `admin:p_dns_${name}`),
  'is noted in src/monitor, and test/status-pages.spec.ts reads such lines': [
    ...['admin:jkwh', 'admin:jkwhsc', 'admin:status_off', 'admin:status_on'],
    ...['status_save', 'status_show', 'incident_add', 'incident_change', 'incident_del'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
    ...['incident_update_add', 'incident_update_change', 'incident_update_del'].flatMap((gn) => [`admin:${gn}`, `user:${gn}`]),
  ],
};

const PASS = 'secret-pass-1';
/** Whatever a form calls them: none of these may appear in a line. */
const SECRETS = ['-hidden-1', '-hidden-2', PASS];

let panel: TestPanel;
let boss: PanelClient;
let user: PanelClient;
let hostId: string;
const walked = new Set<string>();

beforeAll(async () => {
  panel = await TestPanel.start();
  const fields = "[{ key: 'name', label: 'Name', type: 'text' }]";
  const silent = "svc.svc_register_ajax('admin', 'p_tabbed_note', (ctx) => ({ code: 'ok' }), 'admin');";
  writePlugin(
    panel.dataDir,
    'tabbed',
    functionPlugin(`${silent} svc.svc_register_settings_tab('admin', { id: 'tabbed', title: 'T', fields: ${fields} });`),
  );
  mkdirSync(join(panel.dataDir, 'themes/walked/user'), { recursive: true });
  const settings = [
    { key: 'name', type: 'text', label: 'Name' },
    { key: 'sign', type: 'image', label: 'Sign' },
  ];
  const scripts = [{ file: 'scripts/walk.js' }];
  writeFileSync(join(panel.dataDir, 'themes/walked/theme.json'), JSON.stringify({ settings, scripts }));
  mkdirSync(join(panel.dataDir, 'themes/walked/scripts'));
  writeFileSync(join(panel.dataDir, 'themes/walked/scripts/walk.js'), 'walked = 1');
  boss = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
  hostId = String((await panel.admin('addzj', { user: 'walked01', pass: PASS, btdh: 'local', ll: '10' })).data.id);
  user = await new PanelClient(panel.url).login('user', 'walked01', PASS);
});
afterAll(() => panel.close());

const rows = () => panel.get(Database).repository(OperationLog);
const newest = async () => (await rows().find({ order: { id: 'DESC' }, take: 1 }))[0];

/** Runs an operation and checks its log line and the logged changes. */
async function told(gn: string, fields: Record<string, string>, side: Scope, client: PanelClient) {
  const since = (await newest())?.id ?? 0;
  const { json: answer } = await client.ajax(side, { gn, ...fields });
  expect([gn, answer.success ?? answer.qk === 1, answer]).toEqual([gn, true, answer]);
  const line = (await newest())!;
  expect([gn, line.category, line.id > since]).toEqual([gn, gn, true]);
  const changes = (line.changes ?? []).filter((change) => change.fields.length > 0);
  expect([gn, line.changes, changes.length > 0]).toEqual([gn, line.changes, true]);
  const { bg } = (await panel.admin('logsj', { id: String(line.id) })).data as { bg: string };
  // Objects and their fields are shown with their names, not with keys.
  expect([gn, bg, /^[a-z_/]+:|^[a-z]\w*：/m.test(bg)]).toEqual([gn, bg, false]);
  walked.add(`${side}:${gn}`);
  return { answer, changes, of: changes.map(({ of }) => of) };
}

/**
 * Like {@link told}, for a change of one kind of object.
 *
 * @returns its id
 */
async function tells(gn: string, fields: Record<string, string>, of: string, side: Scope = 'admin', by = side === 'admin' ? boss : user) {
  const { changes } = await told(gn, fields, side, by);
  const change = changes.find((one) => one.of === of);
  expect([gn, changes, change !== undefined]).toEqual([gn, changes, true]);
  return change!.id;
}

/** The marker that files came from the store. */
const ofStore = () => ({ store: panel.get(StoreClient).name, version: '1.0.0', sha256: '', permissions: [], stepsBefore: [] });

it('settings log old and new values', async () => {
  await tells('setwz', { name: 'Walked' }, 'settings');
  await tells('setkzmb', { name: 'Walked on' }, 'settings');
  await tells('save_home_settings', { home_title: 'Walked' }, 'settings');
  await tells('settheme', { usertheme: 'walked', admintheme: 'default' }, 'settings');
  await tells('settheme', { usertheme: 'default', admintheme: 'default' }, 'settings');
  await tells('theme_set_save', { name: 'walked', cs: '{"name":"Walked"}' }, 'theme');
  await tells('theme_set_reset', { name: 'walked' }, 'theme');
  const script = { name: 'walked', file: 'scripts/walk.js' };
  const sha256 = createHash('sha256').update('walked = 1').digest('hex');
  await tells('theme_script_grant', { ...script, sha256 }, 'theme');
  await tells('theme_script_revoke', script, 'theme');
  await tells('theme_betas', { betas: 'true' }, 'settings');
  writeFileSync(join(panel.dataDir, 'themes/walked/.origin.json'), JSON.stringify(ofStore()));
  await tells('theme_betas', { name: 'walked', betas: 'false' }, 'theme');
  await tells('setapi', { linux: '/www/walked' }, 'settings');
  await tells('apimygx', { ypass: 'svc-panel-admin' }, 'settings');
  await tells('mailmode', { host: 'smtp.test', user: 'me', password: 'mail-hidden-1' }, 'settings');
  await tells('savescancfg', { sdzmax: '7' }, 'settings');
  await tells('setdd', { order_ttl: '7' }, 'settings');
  await tells('plugin_betas', { betas: 'true' }, 'settings');
  await tells('sethb', { hb: 'USD' }, 'settings');
  await tells('sethb', { hb: 'CNY' }, 'settings');
  await tells(
    'setpaymethods',
    { methods: JSON.stringify([{ plugin: 'sandbox', method: 'test', display_name: 'Walked', sort: 1 }]) },
    'settings',
  );
  await tells('logsz', { days: '400' }, 'settings');
  await tells('jksz', { jk_max: '7' }, 'settings');
  await tells('jkscsz', { ymtsyz: '77' }, 'settings');
  await tells('dqsz', { scts: '77' }, 'settings');
  await tells('hsqsz', { hsts: '77' }, 'settings');
  await tells('ydkg', { kg: 'false' }, 'settings');
  await tells('tjsz', { rzts: '77' }, 'settings');
  await tells('sitebackup_set', { bf_max: '7' }, 'settings');
  await tells('zssz', { yx: 'walked@example.com' }, 'settings');
});

it('servers and hosts do', async () => {
  panel.get(DriverRegistry).register(new FakeDriver());
  const server = { bh: 'walk1', ip: '127.0.0.9', dk: '8888', key: 'panel-hidden-1', btos: '1', driver: 'fake' };
  const id = await tells('addbt', server, 'server');
  await tells('xgjl', { id, dk: '8899' }, 'server');
  await tells('btmygx', { id, xs: '1' }, 'server');
  await tells('btmycz', { id, xs: '1' }, 'server');
  await tells('btmyjs', { id }, 'server');
  await tells('btkg', { id, kg: 'false' }, 'server');
  await tells('xgjl', { id, rl: '20', qz: '300' }, 'server');
  const group = await tells('btzbc', { bh: 'walked', mc: 'Walked', gz: 'least', nodes: id }, 'server_group');
  await tells('btzbc', { id: group, mc: 'Walked on', gz: 'fill', nodes: '' }, 'server_group');
  await tells('btzsc', { id: group }, 'server_group');
  await tells('btsc', { id }, 'server');
  const host = await tells('addzj', { user: 'walked02', pass: PASS, btdh: 'local', ll: '10' }, 'host');
  await tells('zjxgjl', { id: host, llmax: '20' }, 'host');
  await tells('zjzt', { id: host }, 'host');
  await tells('zjjc', { id: host }, 'host');
  await tells('zjztwj', { id: host }, 'host');
  await tells('zjjcwj', { id: host }, 'host');
  await tells('zjxf', { id: host, datae: '2031-01-01' }, 'host');
  await tells('zjczmm', { id: host, pass: 'host-hidden-1' }, 'host');
  await tells('zjmode', { id: host, ll: '30' }, 'host');
  await tells('zjbg', { id: host, ll: '31' }, 'host');
  await tells('zjtd', { id: host }, 'host');
  await tells('zjqd', { id: host }, 'host');
  await addCustomer(panel, 'walkedcustomer');
  await tells('zjzp', { id: host, yh: 'walkedcustomer' }, 'host');
  const customer = await tells('addyh', { username: 'walked_buyer', pass: 'buyer-hidden-1' }, 'customer');
  await tells('yhxg', { id: customer, qq: '12345' }, 'customer');
  await tells('yhczmm', { id: customer, pass: 'buyer-hidden-2' }, 'customer');
  const factors = panel.get(SecondFactors);
  const setup = { side: 'customer', accountId: Number(customer), token: 'of a session' } as const;
  const { secret } = (await factors.begin(setup, 'Walked', 'walked_buyer'))!;
  await factors.confirm(setup, new AuthenticatorApp(secret).at(new Date()));
  await tells('yhf2', { id: customer }, 'customer');
  await tells('yhkg', { id: customer, status: '0' }, 'customer');
  await tells('yhsc', { id: customer }, 'customer');
  await tells('zjgq', { id: host, date: '2030-01-01' }, 'host');
  await tells('xzbl', { id: host, kg: 'true' }, 'host');
  await tells('dqbl', { id: host, kg: 'true' }, 'host');
  await tells('zjsc', { id: host }, 'host');
  const other = await tells('addzj', { user: 'walked03', pass: PASS, btdh: 'local' }, 'host');
  await tells('zjscxz', { idsz: other }, 'host');
  const [first, second] = ((await panel.admin('lisths', { limit: '10' })) as unknown as { rows: { id: string }[] }).rows;
  await tells('zjqc', { id: second!.id }, 'kept-site');
  await tells('zjhf', { id: first!.id, pass: PASS }, 'host');
});

it('administrators, roles, keys and second factors do', async () => {
  const role = await tells('jsbc', { name: 'Support', qx: 'listzj' }, 'role');
  const admin = await tells('addadmin', { user: 'colleague', pass: 'admin-hidden-1', js_id: '0' }, 'administrator');
  const own = await new PanelClient(panel.url).login('admin', 'colleague', 'admin-hidden-1');
  /** @returns a recovery code */
  const confirmed = async (side: Scope, client: PanelClient) => {
    const { data } = (await client.ajax(side, { gn: 'f2kq' })).json as { data: { secret: string } };
    const { of, answer } = await told('f2qr', { totp: new AuthenticatorApp(data.secret).at(new Date()) }, side, client);
    expect(of).toContain(side === 'admin' ? 'administrator' : 'host');
    return (answer.data as { codes: string }).codes.split('\n')[0]!;
  };
  await tells('gl', { yuser: 'colleague', ypass: 'admin-hidden-1', xuser: 'colleague2', xpass: '' }, 'administrator', 'admin', own);
  await confirmed('admin', own);
  await tells('adminf2', { id: admin }, 'administrator');
  await tells('f2gb', { pass: 'admin-hidden-1', totp: await confirmed('admin', own) }, 'administrator', 'admin', own);
  await tells('adminxg', { id: admin, js_id: role }, 'administrator');
  await tells('adminsc', { id: admin }, 'administrator');
  await tells('jssc', { id: role }, 'role');
  const key = await tells('addmy', { name: 'shop', qx: 'listzj', ips: '', dq: '', kg: 'true' }, 'api_key');
  await tells('myxg', { id: key, name: 'shop', qx: 'listzj', ips: '192.0.2.1', dq: '', kg: 'true' }, 'api_key');
  await tells('mysc', { id: key }, 'api_key');
  await tells('f2gb', { pass: PASS, totp: await confirmed('user', user) }, 'host', 'user');
  await confirmed('user', user);
  await tells('zjf2', { id: hostId }, 'host');
});

it('notices, channels, templates and announcements do', async () => {
  const shown = { title: 'Walked', content: 'Text', level: 'info' };
  const announcement = await tells('ggtj', shown, 'announcement');
  await tells('ggxg', { ...shown, id: announcement, title: 'Other' }, 'announcement');
  await tells('ggsc', { id: announcement }, 'announcement');
  const [template] = (await panel.admin('listmb')).rows as unknown as { key: string; lang: string }[];
  const of = { key: template!.key, lang: template!.lang };
  await tells('mbbc', { ...of, title: 'Mine: {{ title }}', body: '{{ text }}' }, 'template');
  await tells('mbbc', { ...of, title: '', body: '' }, 'template');
  for (const side of ['admin', 'user'] as const) {
    await tells('tzsz', { traffic_mail: 'false' }, `preferences_${side}`, side);
    const id = await tells('tdbc', { lx: 'ntfy', name: 'Phone', 'cs[topic]': 'alarm', 'cs[token]': 'tk-hidden-1' }, 'channel', side);
    await tells('tdsc', { id }, 'channel', side);
  }
});

it('programs do', async () => {
  const id = await tells('cxtj', { cxname: 'Walked', cxrmb: '1' }, 'program');
  await tells('cxxgjl', { id, cxrmb: '2', bdf: '[{"cz":"input","ltaler":"Title","blx":"title"}]' }, 'program');
  await tells('cxsc', { id }, 'program');
  await tells('cxscxz', { idsz: await tells('cxtj', { cxname: 'Walked on' }, 'program') }, 'program');
});

it('agents and what scans may find do', async () => {
  const [server] = (await panel.admin('listbt')).rows as unknown as { id: string }[];
  const agent = await tells('addnode', { bt_id: String(server!.id), node_name: 'walked' }, 'agent');
  await tells('setnodestatus', { id: agent, enabled: 'false' }, 'agent');
  await tells('nodemycz', { id: agent }, 'agent');
  await tells('delnode', { id: agent }, 'agent');
  const word = await tells('wjbmdtj', { word: 'walked', user: '', path: '', note: 'why' }, 'allowed_word');
  await tells('wjbmdsc', { id: word }, 'allowed_word');
});

it('orders and money that came twice do', async () => {
  await panel.enable('sandbox').catch(() => undefined);
  const order = await tells('adddd', { user: 'walked01', scene: 'test', name: 'Thing', rmb: '9.90', ff: 'sandbox__test' }, 'order');
  const { number } = (await panel.get(Orders).get(Number(order)))!;
  for (const trade_no of ['W1', 'W2']) await panel.get(Settlement).settle(number, 'sandbox', { money: '9.90', trade_no });
  const { data } = await panel.admin('ddsj', { id: order });
  const [second] = (data as { second_payments: { id: number }[] }).second_payments;
  await tells('zftk', { id: String(second!.id) }, 'second_payment');
  const fresh = () => tells('adddd', { user: 'walked01', scene: 'test', name: 'Other', rmb: '9.90' }, 'order');
  await tells('ddbz', { id: await fresh(), yy: 'bank transfer' }, 'order');
  await tells('ddsc', { id: await fresh() }, 'order');
  await tells('ddscxz', { idsz: JSON.stringify([Number(await fresh())]) }, 'order');
  await tells('ddgb', { id: await fresh(), yy: 'by phone' }, 'order');
  await tells('skdsz', { name: 'Anna Shop' }, 'settings');
  const receipt = await panel.get(ReceiptRepository).make(Number(order), { name: 'Kim', taxNumber: '', address: '', mail: '' }, true);
  await tells('skdfp', { id: String(receipt.id), fph: 'INV-1' }, 'receipt');
  await tells('ddtk', { id: order, rmb: '1.00', qd: 'hand', yy: 'too slow' }, 'order');
  await tells(
    'balance_admin_adjust',
    { user_id: String(await addCustomer(panel, 'walked_c')), amount: '5', direction: 'add', remark: 'x' },
    'credit',
  );
  await tells('yetz', { user: 'walked01', rmb: '5', yy: 'a gift' }, 'credit');
  await tells('adddhm', { rmb: '5', sl: '2' }, 'code_batch');
  const batch = String(((await panel.admin('listdhpc')).rows as unknown as { id: number }[])[0]!.id);
  await tells('dhmzf', { id: batch }, 'code_batch');
  await tells('addyhq', { yhm: 'walked', lx: 'percent', bl: '10' }, 'coupon');
  const coupon = String(((await panel.admin('listyhq')).rows as unknown as { id: number }[])[0]!.id);
  await tells('xgyhq', { id: coupon, yhm: 'walked', lx: 'fixed', rmb: '5', zcs: '7' }, 'coupon');
  await tells('yhqkg', { id: coupon, kg: 'false' }, 'coupon');
  await tells('scyhq', { id: coupon }, 'coupon');
});

it('monitors do', async () => {
  const wanted = { name: 'Home', task_type: 'url', url: 'https://93.184.216.34/' };
  const id = await tells('jkbc', wanted, 'monitor');
  await tells('jkkg', { id, enabled: 'false' }, 'monitor');
  const push = await tells('jkbc', { name: 'Push', task_type: 'push' }, 'monitor');
  await tells('jkts', { id: push }, 'monitor');
  await tells('jksc', { id }, 'monitor');
  const own = await tells('monitor_save', wanted, 'monitor', 'user');
  await tells('monitor_toggle', { id: own, enabled: 'false' }, 'monitor', 'user');
  const ownPush = await tells('monitor_save', { name: 'Push', task_type: 'push' }, 'monitor', 'user');
  await tells('monitor_push', { id: ownPush }, 'monitor', 'user');
  await tells('monitor_del', { id: own }, 'monitor', 'user');
});

it('backups do', async () => {
  await tells('bfmy', { ypass: 'svc-panel-admin' }, 'backups');
  await tells('bfsz', { sj: '03:00', bl: '5' }, 'backups');
  const startedAt = new Date();
  const values = {
    name: 'svc-walked',
    place: 'folder',
    cause: 'schedule',
    state: 'failed',
    error: 'x',
    startedAt,
    leaseUntil: startedAt,
  } as const;
  const { identifiers } = await panel.get(Database).repository(Backup).insert(values);
  await tells('bfsc', { id: String(identifiers[0]!.id) }, 'backup');
});

it('backups of sites do', async () => {
  for (const side of ['admin', 'user'] as const) {
    const host = side === 'admin' ? { id: hostId } : undefined;
    await tells('sitebackup_plan', { ...host, zq: side === 'admin' ? 'daily' : 'off' }, 'host', side);
    const values = {
      hostId: Number(hostId),
      nodeCode: 'local',
      siteName: 'svc.walked',
      name: `svc.walked-${side}.tar.gz`,
      place: 'disk',
      kind: 'manual',
      state: 'failed',
      by: 'user',
      madeAt: new Date(),
      changedPaths: '',
    } as const;
    const { identifiers } = await panel.get(Database).repository(SiteBackup).insert(values);
    await tells('sitebackup_del', { ...host, bf: String(identifiers[0]!.id) }, 'site-backup', side);
  }
});

it('plugins do, and what they change', async () => {
  await tells('plugin_install', { slug: 'tabbed' }, 'plugin');
  await tells('plugin_enable', { slug: 'tabbed', enabled: 'true' }, 'plugin');
  await tells('szbc', { slug: 'tabbed', name: 'A' }, 'plugin');
  writeFileSync(join(panel.get(PackageFolders).folderOf('tabbed'), '.origin.json'), JSON.stringify(ofStore()));
  await tells('plugin_betas', { slug: 'tabbed', betas: 'false' }, 'plugin');
  await tells('plugin_enable', { slug: 'tabbed', enabled: 'false' }, 'plugin');
  await tells('plugin_uninstall', { slug: 'tabbed', data: 'drop' }, 'plugin');
  await panel.enable('hosting_shop');
  const id = await tells('p_hosting_shop_plan_save', { ...STARTER_PLAN }, 'hosting_shop/plan');
  await tells('p_hosting_shop_plan_save', { ...STARTER_PLAN, id, price: '19.90' }, 'hosting_shop/plan');
  const line = (await newest())!;
  expect(line.changes).toEqual([
    { of: 'hosting_shop/plan', id, deed: 'changed', fields: [{ name: 'price', before: '9.90', after: '19.90' }] },
  ]);
  const inEnglish = await boss.send(`/admin/log-line?id=${line.id}`, {
    headers: { 'Accept-Language': 'en', Cookie: `${panel.adminCookie}; lang=en` },
  });
  expect(inEnglish.text).toContain('Price per month (¥): 9.90 → 19.90');
  await tells('p_hosting_shop_extra_save', { plan_id: id, kind: 'web_mb', unit: '5', most: '2', price: '1' }, 'hosting_shop/extra');
});

it('one’s own password does', async () => {
  await tells('xgpass', { yp: PASS, pass: 'user-hidden-1' }, 'host', 'user');
});

it.each(['user', 'admin'] as const)('how a site is served does, by the %s', async (side) => {
  const host: Record<string, string> = side === 'admin' ? { id: hostId } : {};
  await panel
    .get(Database)
    .repository(SiteSetting)
    .delete({ accountId: Number(hostId) });
  for (const [gn, fields] of [
    ['xgmrwd', { ml: 'index.htm' }],
    ['setyxml', { wb: 'public' }],
    ['setgzip', { action: 'off' }],
    ['cacheadd', { suffix: 'png', time_out: '30d' }],
    ['cacheedit', { suffix: 'png', time_out: '12h' }],
    ['cachedel', { suffix: 'png' }],
    ['tjmmfw', { name: 'team', mbml: '/team', user: 'us', pass: 'folder-hidden-1' }],
    ['scmmfw', { mb: 'team' }],
    ['fdlkg', { fix: 'jpg', domains: 'www.example.com', status: 'true' }],
    ['cdxtj', { ly: '/old', mb: '/new' }],
    ['cwymsz', { p404: '/404.html' }],
  ] as [string, Record<string, string>][])
    await tells(gn, { ...host, ...fields }, 'host', side);
  const { rows: redirects } = (await (side === 'admin' ? boss : user).ajax(side, { gn: 'cdxlb', ...host })).json as unknown as {
    rows: { id: string }[];
  };
  const [redirect] = redirects;
  await tells('cdxsc', side === 'admin' ? { ...host, cdx: redirect!.id } : { id: redirect!.id }, 'host', side);
});

it('nothing else changes a row: every logged operation has old and new values, or a reason not to', () => {
  const audited = panel
    .get(OperationRegistry)
    .all()
    .filter(({ audit }) => audit !== null)
    .map(({ side, name }) => `${side}:${name}`);
  const silent = Object.values(SILENT).flat();
  expect(audited.filter((name) => !walked.has(name) && !silent.includes(name))).toEqual([]);
  expect(silent.filter((name) => walked.has(name) || !audited.includes(name))).toEqual([]);
  expect(new Set(silent).size).toBe(silent.length);
});

it('no line holds a secret', async () => {
  const kept = JSON.stringify(await rows().find());
  for (const secret of SECRETS) expect([secret, kept.includes(secret)]).toEqual([secret, false]);
});
