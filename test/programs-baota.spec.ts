/** Programs on a BaoTa server: every kind of step, the rollback, and what is refused before payment. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { PanelConnections } from '../src/hosting/baota/client/index.js';
import { DatabasePasswords, Deployment, HostingAccount } from '../src/hosting/index.js';
import { Order } from '../src/payment/index.js';

import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { zipOf } from './support/program-zip.js';

let panel: TestPanel;
let baota: FakeBaota;
let owner: OwnerClient;
/** The web server of the sites. */
let web: Server;
let site: string;
const visited: string[] = [];

beforeAll(async () => {
  [baota, panel] = await Promise.all([
    FakeBaota.start(),
    TestPanel.start({ SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' }),
  ]);
  web = createServer((req, res) => {
    visited.push(`${req.headers.host!.replace(/:.*/, '')} ${req.url!}`);
    res.writeHead(req.url!.startsWith('/broken') ? 500 : 200).end('installed');
  });
  await new Promise<void>((resolve) => void web.listen(0, 'localhost', resolve));
  const server = { bh: 'baota', driver: 'baota', ip: '127.0.0.1', dk: String(baota.port), key: FAKE_PANEL_KEY };
  expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
  await panel.enable('sandbox');
  owner = await OwnerClient.open(panel, 'owner01', 'baota');
  ({ siteName: site } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' }));
  writeFileSync(join(folder(), 'mine.txt'), 'of before');
});
afterAll(async () => {
  web?.close();
  await panel?.close();
  await baota?.close();
});

const folder = (): string => baota.disk.at(baota.state.sites.find(({ name }) => name === site)!.path);
const rules = (): string => {
  const file = baota.disk.at(`/www/server/panel/vhost/rewrite/${site}.conf`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const php = (): string => baota.state.serving.get(baota.state.sites.find(({ name }) => name === site)!.id)!.php;
const names = (): string[] =>
  readdirSync(folder())
    .filter((name) => name !== '.user.ini')
    .sort();
const settled = () =>
  expect
    .poll(
      () =>
        panel
          .get(Database)
          .repository(Deployment)
          .countBy({ busy: Number(owner.id) }),
      { timeout: 20_000 },
    )
    .toBe(0);

async function add(cxname: string, steps: object[], fields: Record<string, string> = {}): Promise<string> {
  const body = new FormData();
  const all = { gn: 'cxtj', kg: 'on', cxname, czf: JSON.stringify(steps), ...fields };
  for (const [name, value] of Object.entries(all)) body.append(name, value);
  const files = { 'index.php': '<?php echo 1;', 'web/index.php': '<?php', 'data.sql': 'CREATE TABLE notes (id int);' };
  body.append('filecx', new Blob([new Uint8Array(await zipOf(files))]), 'program.zip');
  const answer = (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as Record<string, unknown>;
  expect(answer).toMatchObject({ code: 200 });
  return String(answer.id);
}
const install = async (id: string, answers: Record<string, string> = {}) => {
  const ordered = await owner.call('yjbs', { id, ...answers });
  await settled();
  return ordered.bs === undefined ? ordered : owner.call('bsjd', { bs: String(ordered.bs) });
};

it('a domain of another site on the server is named, and stays unbound', async () => {
  const { id } = await OwnerClient.open(panel, 'neighbour', 'baota');
  const other = (
    await panel
      .get(Database)
      .repository(HostingAccount)
      .findOneByOrFail({ id: Number(id) })
  ).siteName;
  const { id: pid } = baota.state.sites.find(({ name }) => name === other)!;
  // Someone bound it there manually.
  baota.state.domains.push({ id: baota.state.id(), pid, name: 'elsewhere.example.com', port: 80 });
  const refused = await owner.call('tjurl', { url: 'elsewhere.example.com' });
  expect(refused).toMatchObject({
    success: false,
    err: 'E_EXISTS',
    fields: { url: expect.stringContaining('elsewhere.example.com') as string },
  });
  expect(refused.msg).toContain('另一个网站');
  const bound = async (): Promise<unknown> => ((await owner.call('urllb')).rows as { url: string }[]).map(({ url }) => url);
  expect(await bound()).not.toContain('elsewhere.example.com');
  // Unbound domains do not block later ones.
  expect(await owner.call('tjurl', { url: 'free.example.com' })).toMatchObject({ success: true });
  expect(await owner.call('scurl', { url: 'free.example.com' })).toMatchObject({ success: true });
  expect(await panel.admin('zjsc', { id, qr: 'neighbour' })).toMatchObject({ success: true });
});

const FORM = JSON.stringify([
  { cz: 'input', ltaler: 'Title', blx: 'title', bt: '是' },
  { cz: 'urlxz', ltaler: 'Domain', blx: 'domain', bt: '是' },
]);
const RULES = 'location / { try_files $uri $uri/ /index.php?$args; }';
const STEPS = () => [
  { cz: 'drsql', ml: '/', name: 'data.sql' },
  { cz: 'setphp', php: '74' },
  { cz: 'setyxml', lj: '/web' },
  { cz: 'setwjt', nr: RULES },
  {
    cz: 'setwj',
    ml: '/',
    name: 'config.php',
    nr: "<?php return ['[sf_title:php]', '[cn_host]:[cn_port]', '[cn_name]', '[cn_user]', '[cn_pass:php]'];",
  },
  { cz: 'setwj', ml: '/', name: 'page.html', nr: '<h1>[sf_title:html]</h1>' },
  { cz: 'gettj', url: `[sf_domain]:${(web.address() as AddressInfo).port}/install.php`, get: 'title=[sf_title]&base=[cn_name]' },
];
const answers = () => ({ title: "It's <b>", domain: 'owner01.localhost' });

it('are installed with every kind of step, and rolled back with rules, PHP and database', async () => {
  const before = { php: php(), names: names() };
  const id = await add('Whole', STEPS(), { bdf: FORM, alerts: 'Database [cn_name], password [cn_pass]' });
  const { name, username, password: opened } = { ...baota.state.databases[0]! };
  expect(await install(id, answers())).toMatchObject({ success: true, code: `Database ${name}, password ••••••` });
  expect(baota.state.imported).toEqual([{ database: name, sql: expect.stringContaining('CREATE TABLE notes') as string }]);
  expect([php(), rules()]).toEqual(['74', expect.stringContaining('try_files "$uri" "$uri/" "/index.php?$args";')]);
  const { password } = baota.state.databases[0]!;
  expect(password).not.toBe(opened);
  expect(readFileSync(join(folder(), 'config.php'), 'utf8')).toBe(
    `<?php return ['It\\'s <b>', 'localhost:3306', '${name}', '${username}', '${password}'];`,
  );
  expect(readFileSync(join(folder(), 'page.html'), 'utf8')).toBe('<h1>It&#39;s &lt;b&gt;</h1>');
  expect(visited).toEqual([`owner01.localhost /install.php?title=It%27s%20%3Cb%3E&base=${name}`]);
  expect(baota.files.dangerous).toEqual([]);

  const [row] = (await owner.call('listbsjl')).rows as { bs: string }[];
  expect(await owner.call('bsht', { bs: row!.bs })).toMatchObject({ success: true });
  await settled();
  expect({ php: php(), names: names() }).toEqual(before);
  expect(rules()).toBe('');
  expect(await owner.call('set_init', { section: 'yxml' })).toMatchObject({ msg: { runPath: '/' } });
  expect(baota.state.imported.length).toBeGreaterThan(1);
});

it('leave the site as it was when any step fails, and name the step', async () => {
  const port = (web.address() as AddressInfo).port;
  const failing: [object, string][] = [
    [{ cz: 'drsql', ml: '/', name: 'nothing.sql' }, '导入 SQL'],
    [{ cz: 'setwjt', nr: 'location / { root /etc; }' }, '"root" is not allowed here'],
    [{ cz: 'setwjt', nr: 'rewrite ^/not-a-directive$ /x last;' }, 'unknown directive'],
    [{ cz: 'gettj', url: `owner01.localhost:${port}/broken` }, 'HTTP 500'],
    [{ cz: 'gettj', url: `localhost:${port}/index.php` }, '不是本网站的域名'],
    [{ cz: 'cxname', lj: '/', jne: 'nowhere.txt', xne: 'x' }, '重命名'],
  ];
  for (const [step, why] of failing) {
    const id = await add(`Failing ${failing.findIndex(([one]) => one === step)}`, [{ cz: 'xjwjj', ml: '/', name: 'new' }, step]);
    const ended = await install(id);
    expect([step, ended]).toMatchObject([step, { code: expect.stringContaining('第2步') as string }]);
    expect(String(ended.code)).toContain(why);
    expect([step, names()]).toEqual([step, ['404.html', 'index.html', 'mine.txt']]);
    expect(rules()).toBe('');
  }
});

it('are neither paid nor started when the server lacks a requirement', async () => {
  const calls: [string, object, string][] = [
    ['Old', { cz: 'setphp', php: '56' }, 'PHP 56'],
    ['Stored', { cz: 'drsql', ml: '/', name: 'data.sql' }, '数据库'],
  ];
  const [row] = baota.state.databases.splice(0, 1);
  const orders = panel.get(Database).repository(Order);
  for (const [name, step, why] of calls) {
    const id = await add(name, [step], { cxrmb: '5' });
    expect(await owner.call('xdd', { scene: 'yjbs', spid: id })).toMatchObject({
      success: false,
      err: 'E_LIMIT',
      code: expect.stringContaining(why) as string,
    });
    await panel.admin('cxxgjl', { id, cxrmb: '0' });
    expect(await owner.call('yjbs', { id })).toMatchObject({ success: false, err: 'E_LIMIT' });
  }
  expect(await orders.count()).toBe(0);
  expect(names()).toContain('mine.txt');
  baota.state.databases.push(row!);
});

it('work without a database if declared so, and use it if there is one', async () => {
  const book = await add('Book', [{ cz: 'setwj', ml: '/', name: 'config.txt', nr: '<[cn_name?]>' }], { alerts: 'In [cn_name?]' });
  const [row] = baota.state.databases.splice(0, 1);
  expect(await install(book)).toMatchObject({ success: true, code: 'In ' });
  expect(readFileSync(join(folder(), 'config.txt'), 'utf8')).toBe('<>');
  baota.state.databases.push(row!);
  expect(await install(book)).toMatchObject({ success: true, code: `In ${row!.name}` });
  expect(readFileSync(join(folder(), 'config.txt'), 'utf8')).toBe(`<${row!.name}>`);
});

it('are the home page or not, as the site’s owner chooses', async () => {
  const indexes = () => baota.state.serving.get(baota.state.sites.find(({ name }) => name === site)!.id)!.indexes;
  expect(await owner.call('xgmrwd', { ml: 'index.html,index.php' })).toMatchObject({ success: true });
  expect(indexes()).toBe('index.html,index.php');
  await owner.call('xgmrwd', { ml: 'home.html' });
  expect(indexes()).toBe('index.php,home.html');
  for (const ml of ['../index.php', '.php', 'index.sh', 'a b.php'])
    expect([ml, await owner.call('xgmrwd', { ml })]).toMatchObject([ml, { success: false, err: 'E_ARGS' }]);
});

it('do not wait for an unresponsive server: this is reported before anything changes', async () => {
  baota.isOn = false;
  const { id } = ((await owner.call('deploy_list')).rows as { id: string; name: string }[]).find(({ name }) => name === 'Book')!;
  expect(await owner.call('yjbs', { id })).toMatchObject({ success: false, err: 'E_NODE' });
  baota.isOn = true;
});

it.each(['hangs', 'lets nobody in'])(
  'are rolled back once the server is back that %s during the steps',
  { timeout: 150_000 },
  async (how) => {
    const { timeouts } = panel.get(PanelConnections);
    const usual = { ...timeouts };
    Object.assign(timeouts, { answer: 1_500, body: 1_500 });
    const before = names();
    const id = await add(`Away ${how}`, [
      { cz: 'setwj', ml: '/', name: 'away.txt', nr: 'x' },
      { cz: 'xjwjj', ml: '/', name: 'never' },
    ]);
    let away = false;
    baota.instead = (_call, fields, res) => {
      away ||= JSON.stringify(fields).includes('away.txt');
      if (away && how !== 'hangs') res.writeHead(302, { Location: '/login' }).end('<!doctype html>');
      return away;
    };
    try {
      await owner.call('yjbs', { id });
      const rows = panel.get(Database).repository(Deployment);
      const newest = () => rows.findOne({ where: { hostId: Number(owner.id) }, order: { id: 'DESC' } });
      await expect.poll(async () => (await newest())?.state, { timeout: 60_000 }).toBe('undoing');
      const shown = JSON.stringify((await owner.call('listbsjl')).rows);
      expect(shown).not.toMatch(/API|127\.0\.0\.1|NODE_|E_NODE/);
      baota.instead = null;
      await expect.poll(async () => (await newest())?.state, { timeout: 90_000 }).toBe('failed');
      expect(names()).toEqual(before);
      expect(JSON.stringify((await owner.call('listbsjl')).rows)).toMatch(
        how === 'hangs' ? /没有及时答复/ : /面板暂时无法操作此网站所在的服务器/,
      );
    } finally {
      baota.instead = null;
      Object.assign(timeouts, usual);
    }
  },
);

it('leave an unknown database password as it was when a step fails', async () => {
  const other = await OwnerClient.open(panel, 'owner02', 'baota');
  const [database, ftp] = [baota.state.databases.at(-1)!, baota.state.ftps.at(-1)!];
  const before = [database.password, ftp.password];
  let written = '';
  const id = await add('Secret', [
    { cz: 'setwj', ml: '/', name: 'config.txt', nr: '[cn_pass]' },
    { cz: 'cxname', lj: '/', jne: 'nowhere.txt', xne: 'x' },
  ]);
  baota.instead = (call) => {
    if (call === '/database ResDatabasePassword') written = database.password;
    return false;
  };
  await other.call('yjbs', { id });
  const rows = panel.get(Database).repository(Deployment);
  await expect.poll(async () => (await rows.findOneBy({ hostId: Number(other.id) }))?.state, { timeout: 20_000 }).toBe('failed');
  baota.instead = null;
  expect(written).not.toBe(before[0]);
  expect([database.password, ftp.password]).toEqual(before);
  expect(JSON.stringify(await rows.findOneBy({ hostId: Number(other.id) }))).not.toContain('credentials');
  expect(await panel.get(DatabasePasswords).find(Number(other.id))).toBeNull();
  // Installed again, it gets a new one, which stays.
  const whole = await add('Secret 2', [{ cz: 'setwj', ml: '/', name: 'config.txt', nr: '[cn_pass]' }]);
  await other.call('yjbs', { id: whole });
  await expect.poll(() => rows.countBy({ hostId: Number(other.id), state: 'done' }), { timeout: 20_000 }).toBe(1);
  expect((await panel.get(DatabasePasswords).find(Number(other.id)))?.password).toBe(database.password);
  expect(database.password).not.toBe(before[0]);
});
