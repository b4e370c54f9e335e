import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { RejectedNotification } from '../../src/payment/entities/rejected-notification.entity.js';
import { PaymentTransaction } from '../../src/payment/index.js';
import { PluginTables } from '../../src/plugin-registry/tables/plugin-tables.js';

import { zipOf as programZip } from './program-zip.js';
import type { TestPanel } from './panel.js';
import { STARTER_PLAN } from './shop.js';
import { StoreClient, type StoreAnswer } from './store.js';
import { formOf, pictureForm, pluginZip, submit, submitVersion, zipOf } from './store-packages.js';

/** Bundled plugins with pages. */
const PLUGINS = [
  'sandbox',
  'epay',
  'alipay',
  'wechatpay',
  'stripe',
  'manual',
  'accounts',
  'balance',
  'hosting_shop',
  'filing',
  'hello',
  'webhook_notify',
  'resource_pool',
];

/** Writes a theme with a script into the data folder. */
function themeWithScript({ dataDir }: TestPanel): string {
  const folder = join(dataDir, 'themes/scripted');
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  const scripts = [{ file: 'scripts/sea.js', sides: ['home'], purpose: 'Waves' }];
  writeFileSync(join(folder, 'theme.json'), JSON.stringify({ title: 'Scripted', scripts }));
  writeFileSync(join(folder, 'scripts/sea.js'), 'document.body.dataset.sea = 1;');
  return 'name=scripted';
}

/** Query of each page that shows a single thing, by its path: `id=3` for `admin/host`. */
export type PageFields = Readonly<Record<string, string>>;

/**
 * Fills a panel with one of each thing its pages show: through operations, and through rows for what only other parties cause.
 *
 * @param owner cookie of `owner01`, whose host exists already
 * @throws Error if an operation fails
 */
export async function furnish(panel: TestPanel, owner: string): Promise<PageFields> {
  for (const slug of PLUGINS) await panel.enable(slug);
  const host = await hostId(panel, 'owner01');
  const added = async (gn: string, fields: Record<string, string>): Promise<string> => `id=${await run(panel, gn, fields)}`;

  for (const user of ['anna01', 'berta01', 'carla01']) await run(panel, 'addzj', { user, pass: 'secret-pass-1', btdh: 'local' });
  await run(panel, 'zjzt', { id: await hostId(panel, 'anna01'), yy: 'Unpaid' });
  await run(panel, 'zjsc', { id: await hostId(panel, 'carla01'), qr: 'carla01' });
  const rejected = await furnishPayments(panel);

  await run(panel, 'yetz', { user: 'owner01', rmb: '25', yy: 'A gift' });
  await run(panel, 'addym', { url: 'our-names.com', bt: 'local' });
  await run(panel, 'addnode', { bt_id: '1', node_name: 'agent-one', node_id: 'agent-one' });
  const agent = await newest(panel, 'listnode');
  await run(panel, 'nodeping', { id: agent });
  await run(panel, 'tzfs', { to: 'user', user: 'owner01', level: 'info', title: 'Maintenance tonight', content: 'From 2 to 3.' });
  await run(panel, 'ggtj', { title: 'New servers', content: 'They are **faster**.' });
  await run(panel, 'bfmy', { ypass: 'svc-panel-admin' });
  await run(panel, 'status_save', { title: 'Acme status', slug: 'acme', is_public: 'true' });
  const dns = { slug: 'cloudflare', name: 'Our zones', cs: JSON.stringify({ token: 'x'.repeat(40) }) };
  const ofHost = Object.fromEntries(
    [
      'certificate',
      'command',
      'commands',
      'database',
      'domains',
      'file-access',
      'move',
      'package',
      'php',
      'programs',
      'renewal',
      'settings',
      'statistics',
    ].map((page) => [`admin/host-${page}`, `id=${host}`]),
  );
  return {
    ...ofHost,
    ...(await furnishOwner(panel, owner)),
    'admin/agent-log': `node_id=${agent}`,
    'admin/agent-task': `task_id=${await newest(panel, 'listnodetask', 'task_id')}`,
    'admin/api-key': await added('addmy', { name: 'Shop', qx: 'listzj' }),
    'admin/server-group': await added('btzbc', { bh: 'furnished', mc: 'Web', gz: 'least', nodes: '1' }),
    'admin/server-emptying': 'id=1',
    'admin/role': await added('jsbc', { name: 'Support', qx: 'listzj,zjsj' }),
    'admin/backup-restore': await added('bfadd', {}),
    'admin/channel': await added('tdbc', { lx: 'ntfy', name: 'Phone', 'cs[topic]': 'alarm' }),
    'user/channel': 'type=ntfy',
    'admin/code-batch': await added('adddhm', { rmb: '5', sl: '2', name: 'Fair' }),
    'admin/connect-shop': 'server=1',
    ...(await furnishProgram(panel)),
    'admin/coupon': await added('addyhq', { yhm: 'SPRING', lx: 'percent', bl: '20' }),
    'admin/credit': 'id=1',
    'admin/customer': await added('addyh', { username: 'kim_01', pass: 'a-password-of-kim', email: 'kim@example.com' }),
    'admin/dns-provider': await added('p_dns_provider_save', dns),
    'admin/file-edit': `id=${host}&path=/index.html`,
    'user/file-edit': 'path=/index.html',
    'admin/files': `id=${host}`,
    'admin/files-trash': `id=${host}`,
    'admin/host': `id=${host}`,
    'admin/incident': await added('incident_add', { title: 'Power cut', severity: 'minor', state: 'investigating', content: 'We look.' }),
    'admin/log-line': `id=${await newest(panel, 'listlog')}`,
    'admin/monitor-form': 'kind=url',
    'admin/monitor': await added('jkbc', { name: 'Web', url: 'https://example.com/' }),
    'admin/notice-template': `key=${encodeURIComponent(await newest(panel, 'listmb', 'key'))}&in=en`,
    'admin/order': `id=${await newest(panel, 'listdd')}`,
    'admin/plugin-calls': 'slug=sandbox',
    'admin/plugin-store-item': 'slug=mail_backup',
    'admin/theme-store-item': 'slug=calm',
    'admin/rejected-payment': `id=${rejected}`,
    'admin/server': 'id=1',
    'admin/server-drift': 'id=1',
    'admin/site-backups': `id=${host}`,
    'admin/theme': 'name=horizon',
    'admin/theme-scripts': themeWithScript(panel),
    ...(await furnishPlugins(panel)),
  };
}

/** Adds a plan of the shop, a resource pool, and a payment proof of a bank transfer. */
async function furnishPlugins(panel: TestPanel): Promise<PageFields> {
  const plan = await run(panel, 'p_hosting_shop_plan_save', { ...STARTER_PLAN });
  const pool = await run(panel, 'p_respool_save', {
    name: 'East',
    username: 'dealer01',
    password: 'dealer-pass-1',
    web_space: '1000',
    sql_space: '500',
    flow: '100',
    expire_date: '',
  });
  const proof = {
    order_no: '20261120-1',
    order_name: 'Starter',
    amount: 990,
    state: 'waiting',
    note: 'Sent today',
    sent_at: 1,
    held_until: 1,
  };
  const columns = Object.keys(proof);
  const { insertId } = await panel
    .get(PluginTables)
    .forPlugin('manual')
    .run(`INSERT INTO {proof} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, Object.values(proof));
  return {
    'admin/plugin.php?p=hosting_shop&page=plan': `id=${plan}`,
    'admin/plugin.php?p=resource_pool&page=add': `id=${pool}`,
    'admin/plugin.php?p=resource_pool&page=open': `pool=${pool}`,
    'admin/plugin.php?p=manual&page=proof': `id=${insertId}`,
  };
}

/**
 * Fills the store: a published plugin with a beta, a rating with a reply and a report, screenshots and a co-author; its next version and
 * new screenshots wait for review. Also a theme, and an invitation to another item.
 *
 * @returns a client signed in as administrator, and the parameters of paths
 */
export async function furnishStore(panel: TestPanel, password: string): Promise<{ reviewer: StoreClient; places: PageFields }> {
  const reviewer = new StoreClient(panel.url);
  await reviewer.login('admin', password);
  const { data } = await submit(reviewer, 'mail_backup', { description: '<p>Keeps a copy of every mail.</p>' });
  const theme = await submit(
    reviewer,
    'calm',
    { type: 'theme' },
    await zipOf('calm', { 'theme.json': '{"name":"calm","version":"1.0.0"}', 'user/index.liquid': 'Hello' }),
  );
  for (const id of [data.id, theme.data.id]) await told(reviewer.call('PUT', `/admin/items/${id}/approve`));
  await furnishItem(panel, reviewer, data.id);
  await told(submitVersion(reviewer, data.id, 'mail_backup', '1.1.0'));
  return { reviewer, places: { id: String(data.id), plugin: 'mail_backup', theme: 'calm' } };
}

/** Adds the parts of a store item that other users cause. */
async function furnishItem(panel: TestPanel, author: StoreClient, id: number): Promise<void> {
  const [kim, lee] = [new StoreClient(panel.url), new StoreClient(panel.url)];
  await told(kim.register('Kim_store'));
  await told(lee.register('Lee_store'));

  const rating = await told(kim.call('PUT', `/items/${id}/rating`, { stars: 4, text: 'It does what it says,\nand it is quick.' }));
  await told(author.call('PUT', `/ratings/${String(rating.id)}/reply`, { text: 'Thank you. Restoring gets quicker, too.' }));
  await told(lee.call('POST', `/ratings/${String(rating.id)}/report`, { reason: 'other', text: 'Does he know the author?' }));

  await told(author.call('PUT', `/developer/items/${id}/authors`, { username: 'Lee_store' }));
  await told(lee.call('POST', `/developer/items/${id}/authors/accept`));
  const { id: other } = await told(submit(lee, 'mail_rules'));
  await told(lee.call('PUT', `/developer/items/${String(other)}/authors`, { username: 'admin' }));

  const picture = async (): Promise<unknown> => (await told(author.call('POST', '/upload/image', await pictureForm()))).url;
  const ask = async (screenshots: unknown[]) => told(author.call('PUT', `/developer/items/${id}/screenshots`, { screenshots }));
  const [first, second] = [await picture(), await picture()];
  await ask([first]);
  const [request] = (await author.get<{ id: number }[]>('/admin/edit-requests?status=pending')).data;
  await told(author.call('PUT', `/admin/edit-requests/${request!.id}/approve`));
  await ask([second, first]);

  const zip = await pluginZip('mail_backup', '1.1.0-beta');
  await told(author.call('POST', `/developer/items/${id}/versions`, formOf({ version: '1.1.0-beta', channel: 'beta' }, zip)));
  await told(author.call('PUT', `/admin/items/${id}/approve`));
}

/**
 * Returns the data of the store's answer.
 *
 * @throws Error for a status other than 200
 */
async function told<Data>(answer: Promise<StoreAnswer<Data>>): Promise<Data> {
  const { status, msg, data } = await answer;
  if (status !== 200) throw new Error(`${status}: ${msg}`);
  return data;
}

/** Adds a one-click program. */
async function furnishProgram(panel: TestPanel): Promise<PageFields> {
  const body = new FormData();
  const form = '[{"cz":"input","ltaler":"Title","blx":"title","isnr":"My guest book","bt":"是"}]';
  const fields = {
    gn: 'cxtj',
    cxname: 'Starter',
    cxjs: 'A page to begin with',
    kg: 'true',
    bdf: form,
    czf: '[{"cz":"xjwjj","ml":"/","name":"pictures"}]',
  };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('filecx', new Blob([new Uint8Array(await programZip({ 'index.html': '<h1>Hello</h1>' }))]), 'starter.zip');
  const { id } = (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as { id: number };
  return { 'admin/program': `id=${id}`, 'user/program': `id=${id}` };
}

/** Adds what a customer creates. */
async function furnishOwner(panel: TestPanel, cookie: string): Promise<PageFields> {
  const own = async <Answer>(gn: string, fields: Record<string, string> = {}): Promise<Answer> => {
    const init = { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams({ gn, ...fields }) };
    const answer = (await (await panel.fetch('/user/ajax.php', init)).json()) as Answer & { success?: boolean };
    if (answer.success === false) throw new Error(`${gn}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await own('monitor_save', { name: 'My shop', url: 'https://example.org/' });
  await own('status_save', { title: 'My status', slug: 'mine', is_public: 'true' });
  const report = { title: 'Slow', severity: 'minor', state: 'investigating', content: 'I look.' };
  const { id: incident } = await own<{ id: number }>('incident_add', report);
  const [monitor] = (await own<{ msg: { tasks: { id: number }[] } }>('monitor_list')).msg.tasks;
  const [order] = (await own<{ rows: { id: number; pay_path: string }[] }>('listdd')).rows;
  return {
    'user/order': `id=${order!.id}`,
    'user/monitor': `id=${monitor!.id}`,
    'user/monitor-form': `id=${monitor!.id}`,
    'user/incident': `id=${incident}`,
    pay: order!.pay_path,
  };
}

async function furnishPayments(panel: TestPanel): Promise<string> {
  await run(panel, 'adddd', { user: 'anna01', scene: 'other', name: 'Moving a site', rmb: '50' });
  const orderId = Number(await run(panel, 'adddd', { user: 'owner01', scene: 'hosting', name: 'Starter, a month', rmb: '9.90' }));
  const createdAt = new Date();
  const database = panel.get(Database);
  const paid = { orderId, gateway: 'sandbox', tradeNumber: '1', amount: 990, amountChecked: true, createdAt };
  await database.repository(PaymentTransaction).insert(paid);
  const { id } = await database.repository(RejectedNotification).save({
    fingerprint: 'a'.repeat(64),
    gateway: 'sandbox',
    kind: 'failed',
    number: '20261121000000000001',
    orderId: null,
    reason: 'The signature is wrong.',
    ip: '192.0.2.1',
    content: '{"amount":"9.90"}',
    times: 2,
    firstAt: createdAt,
    lastAt: createdAt,
  });
  return String(id);
}

async function run(panel: TestPanel, gn: string, fields: Record<string, string>): Promise<string> {
  const answer = await panel.admin(gn, fields);
  if (!answer.success) throw new Error(`${gn}: ${JSON.stringify(answer)}`);
  return String(answer.data?.id ?? '');
}

async function newest(panel: TestPanel, gn: string, field = 'id'): Promise<string> {
  const { rows } = (await panel.admin(gn)) as unknown as { rows: Record<string, unknown>[] };
  return String(rows[0]![field]);
}

async function hostId(panel: TestPanel, username: string): Promise<string> {
  return String((await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username })).id);
}
