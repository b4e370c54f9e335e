/**
 * PHP and file access of sites, on a server with a fake agent that speaks the real wire protocol, and on the built-in one, which has
 * neither.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { AgentNode } from '../src/agents/index.js';
import { Database } from '../src/database/index.js';
import { HostingAccount, HostingNode, SiteDatabaseSecret, UsageSweep } from '../src/hosting/index.js';
import { DATABASE_TASK } from '../src/hosting/site-programs/index.js';
import { BackgroundQueue } from '../src/jobs/index.js';
import { OperationLog } from '../src/operations/index.js';

let panel: TestPanel;
let agent: FakeAgent;
let owner: OwnerClient;
let stranger: OwnerClient;
const debian = new FakeServer();

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker' });
  agent = await startFakeServer(panel, 'debian', debian);
  await panel.get(Database).repository(HostingNode).update({ code: 'debian' }, { address: 'files.example.com' });
  owner = await OwnerClient.open(panel, 'owner01', 'debian');
  stranger = await OwnerClient.open(panel, 'stranger1', 'debian');
});
afterAll(async () => {
  await agent?.stopNow();
  await panel?.close();
  debian.dispose();
});

describe('PHP of a site', () => {
  it('is one of the versions on its server, chosen by its owner', async () => {
    expect(await owner.call('listphp')).toMatchObject({ success: true, php: '82', list: ['83', '82'] });
    expect(await owner.call('phpxg', { php: '8.3' })).toMatchObject({ success: true, phpversion: '83' });
    expect(await owner.call('set_init', { section: 'php' })).toMatchObject({ qk: 1, msg: { php: '83', list: ['82', '83'] } });
    expect(await stranger.call('listphp')).toMatchObject({ php: '82' });
  });

  it('is never a version that is not installed or does not exist', async () => {
    expect(await owner.call('phpxg', { php: '74' })).toMatchObject({
      success: false,
      err: 'E_ARGS',
      msg: expect.stringContaining('没有安装') as string,
    });
    for (const php of ['', '8', '82; reboot', '../82', '8.2.1', '$(id)']) {
      const answer = await owner.call('phpxg', { php });
      expect([php, answer]).toMatchObject([php, { success: false, err: 'E_ARGS', fields: { php: expect.any(String) as string } }]);
    }
    expect(await owner.call('listphp')).toMatchObject({ php: '83' });
  });

  it('is chosen when a host is added, and a missing version does not prevent the host', async () => {
    const add = (user: string, php: string) => panel.admin('addzj', { btdh: 'debian', user, pass: 'secret-pass-1', php });
    const { id } = (await add('chosen01', '8.3')).data as { id: number };
    expect(await panel.admin('listphp', { id: String(id) })).toMatchObject({ php: '83' });
    const other = await add('chosen02', '7.4');
    expect(other).toMatchObject({ success: true, msg: expect.stringContaining('8.2, 8.3') as string });
    expect(await panel.admin('listphp', { id: String((other.data as { id: number }).id) })).toMatchObject({ php: '82' });
    expect(await add('chosen03', 'eight')).toMatchObject({ success: false, fields: { php: expect.any(String) as string } });
    // Their databases have the account name of their server.
    const { siteId } = await panel
      .get(Database)
      .repository(HostingAccount)
      .findOneByOrFail({ id: Number(id) });
    await panel.get(UsageSweep).measure(Number(id));
    expect(await panel.admin('zjsj', { id: String(id) })).toMatchObject({
      sqluser: siteId,
      ftpid: '0',
      hxd: '0',
      backup: '{"max":"","dq":null}',
    });
  });

  it('is also available to administrators, who name the host', async () => {
    const host = { id: owner.id };
    expect(await panel.admin('phpxg', { ...host, php: '82' })).toMatchObject({ success: true });
    expect(await owner.call('listphp')).toMatchObject({ php: '82' });
    expect(await panel.admin('phpxg', { php: '82' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('listphp', { id: '99999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    // The session decides whose site it is, whatever is sent.
    await stranger.call('phpxg', { ...host, php: '83' });
    expect(await owner.call('listphp')).toMatchObject({ php: '82' });
  });
});

describe('file access', () => {
  it('shows the connection details, and is turned off and on', async () => {
    const told = await owner.call('ftpxx');
    expect(told).toMatchObject({ success: true, lx: 'sftp', port: 22, kg: 'true' });
    expect(told.user).not.toBe('');
    expect(told.host).toBe('files.example.com');
    expect(told.user).not.toBe((await stranger.call('ftpxx')).user);
    expect(await owner.call('ftpkg', { kg: 'false' })).toMatchObject({ success: true });
    expect(await owner.call('ftpxx')).toMatchObject({ kg: 'false' });
    expect(await stranger.call('ftpxx')).toMatchObject({ kg: 'true' });
    expect(await panel.admin('ftpkg', { id: owner.id, kg: 'true' })).toMatchObject({ success: true });
    expect(await owner.call('ftpxx')).toMatchObject({ kg: 'true' });
    expect(await owner.call('zjmmck', { pass: 'secret-pass-1' })).toMatchObject({ ftp: { host: told.host, user: told.user } });
    expect(await owner.call('ftpkg', { kg: 'perhaps' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await owner.call('ftpkg')).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

describe('the database of a site', () => {
  interface Backup {
    readonly id: string;
    readonly name: string;
    readonly size: number;
  }
  const backups = async (of: OwnerClient): Promise<Backup[]> => (await of.call('backup_list')).rows as Backup[];
  const refused = async (gn: string, fields: Record<string, string>, err: string, of = owner): Promise<Record<string, unknown>> => {
    const answer = await of.call(gn, fields);
    expect([gn, fields, answer]).toMatchObject([gn, fields, { success: false, err }]);
    return answer;
  };

  it('is shown with everything except its password, to its owner and to administrators', async () => {
    const told = await owner.call('databasexx');
    expect(told).toMatchObject({ success: true, host: 'localhost', port: 3306, access: '127.0.0.1', set_at: '' });
    expect(told.name).not.toBe((await stranger.call('databasexx')).name);
    expect(await panel.admin('databasexx', { id: owner.id })).toMatchObject({ name: told.name });
    expect(JSON.stringify(told)).not.toContain('secret-pass-1');
  });

  it('has an unknown password until it is set here, which is shown on request and never stored in plain text', async () => {
    await refused('databaseck', {}, 'E_STATE');
    expect(await owner.call('databasemm', { pass: 'mine-and_new.1' })).toMatchObject({ success: true, pass: 'mine-and_new.1' });
    expect(await owner.call('databaseck')).toMatchObject({ success: true, pass: 'mine-and_new.1' });
    expect(await panel.admin('databaseck', { id: owner.id })).toMatchObject({ pass: 'mine-and_new.1' });
    await refused('databaseck', {}, 'E_STATE', stranger);
    const made = (await owner.call('databasemm')).pass as string;
    expect(made).toMatch(/^[A-Za-z0-9_.-]{24}$/);
    expect((await owner.call('databasexx')).set_at).not.toBe('');
    const rows = await panel.get(Database).repository(SiteDatabaseSecret).find();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.sealedPassword).not.toContain(made);
    const lines = JSON.stringify(await panel.get(Database).repository(OperationLog).find());
    for (const password of ['mine-and_new.1', made]) expect(lines).not.toContain(password);
    for (const pass of ['short', "quote'-pass", 'with space 1', '密码密码密码密码', 'x'.repeat(65), '$(reboot)1'])
      expect((await refused('databasemm', { pass }, 'E_ARGS')).fields).toHaveProperty('pass');
    expect(await owner.call('databaseck')).toMatchObject({ pass: made });
  });

  it('gets another password by the forms of older themes and panels, together with the host’s own or alone', async () => {
    const shown = async (): Promise<unknown> => (await owner.call('databaseck')).pass;
    expect(await panel.admin('zjxgjl', { id: owner.id, sqlpass: 'of-the-admin1', webkj: '77' })).toMatchObject({
      success: true,
      code: '修改成功',
      changed: ['quota', 'database'],
    });
    expect(await shown()).toBe('of-the-admin1');
    expect(await panel.admin('zjxgjl', { id: owner.id, sqluser: 'other01' })).toMatchObject({
      code: expect.stringContaining('账号名称') as string,
    });
    for (const sqlpass of ['short', "quote'-pass", '$(reboot)1']) {
      const answer = await panel.admin('zjxgjl', { id: owner.id, sqlpass, webkj: '78' });
      expect([sqlpass, answer]).toMatchObject([
        sqlpass,
        { success: false, err: 'E_ARGS', fields: { sqlpass: expect.any(String) as string } },
      ]);
    }
    debian.fail = (action) => (action === 'databases.password' ? 'refused' : null);
    const half = await panel.admin('zjxgjl', { id: owner.id, sqlpass: 'never-set-it1', webkj: '79' });
    expect(half).toMatchObject({ success: false, fields: { sqlpass: expect.any(String) as string } });
    const alone = { yp: 'secret-pass-1', ftp: '', sql: 'never-set-it2' };
    expect(await owner.call('xgpass', { ...alone, ftp: 'not-either-1' })).toMatchObject({ success: false, err: 'E_NODE' });
    debian.fail = null;
    expect([(await panel.admin('zjsj', { id: owner.id })).data.hxa, await shown()]).toEqual(['{"max":79,"dq":0}', 'of-the-admin1']);
    expect(await owner.call('xgpass', { ...alone, yp: 'a-wrong-one' })).toMatchObject({ success: false });
    expect(await owner.call('xgpass', { ...alone, sql: "quote'-pass" })).toMatchObject({
      success: false,
      fields: { sql: expect.any(String) as string },
    });
    expect(await owner.call('set_init', { section: 'xgpass' })).toMatchObject({ qk: 1, msg: {} });
    expect(await owner.call('xgpass', { ...alone, sql: 'of-the-owner1' })).toMatchObject({ success: true, code: '修改成功' });
    expect(await shown()).toBe('of-the-owner1');
    expect(
      (
        await panel
          .get(Database)
          .repository(OperationLog)
          .find({ order: { id: 'DESC' }, take: 2 })
      ).map(({ summary }) => summary),
    ).toContain('修改数据库密码');
  });

  it('forgets a password when it is unknown whether the server has it', async () => {
    await owner.call('databasemm', { pass: 'before-it-1' });
    debian.fail = (action) => (action === 'databases.password' ? 'refused' : null);
    await refused('databasemm', { pass: 'never-set-1' }, 'E_NODE');
    expect(await owner.call('databaseck')).toMatchObject({ pass: 'before-it-1' });
    debian.fail = (action) => (action === 'databases.password' ? 'unknown' : null);
    const { msg } = await refused('databasemm', { pass: 'perhaps-set-1' }, 'E_UNKNOWN');
    // The result is not checked, as for a host being opened.
    expect(msg).toBe('服务器没有及时答复，尚不清楚是否已完成。请稍后刷新页面查看，未完成的请再试一次。');
    debian.fail = null;
    await refused('databaseck', {}, 'E_STATE');
    expect(await owner.page('database', 'en')).toContain('The password set when the host was opened');
  });

  it('allows the addresses its owner sets, and rejects ones the server could not use', async () => {
    expect(await owner.call('databaseaq1', { dataAccess: '192.0.2.7,\n2001:db8::1 192.0.2.7' })).toMatchObject({
      success: true,
      access: '192.0.2.7, 2001:db8::1',
    });
    expect(await owner.call('databasexx')).toMatchObject({ access: '192.0.2.7,2001:db8::1' });
    expect(await owner.call('set_init', { section: 'mysqlcz' })).toMatchObject({ msg: { access: '192.0.2.7,2001:db8::1' } });
    expect(await owner.call('databaseaq1', { dataAccess: '%' })).toMatchObject({ success: true });
    for (const [dataAccess, named] of [
      ["1.2.3.4' or '1", "1.2.3.4', or, '1"],
      ['localhost; drop', 'localhost;, drop'],
      ['%,192.0.2.7', '%'],
      ['192.0.2.7 192.0.2.0/24', '192.0.2.0/24'],
      ['example.com', 'example.com'],
      ['%%', '%%'],
    ] as const) {
      const { msg, fields } = await refused('databaseaq1', { dataAccess }, 'E_ARGS');
      expect(msg).toBe(`${named} 不是 IP 地址。请填写 IP 地址（最多 20 个），或单独填写 % 表示任意来源；留空表示仅限服务器本机程序。`);
      expect(fields).toEqual({ dataAccess: msg });
    }
    const many = Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`).join();
    expect((await refused('databaseaq1', { dataAccess: many }, 'E_ARGS')).msg).toBe('共 21 个地址，最多可填写 20 个。');
    expect(await owner.call('databaseaq1', { dataAccess: '127.0.0.1' })).toMatchObject({ success: true, access: '127.0.0.1' });
  });

  it('opens through a link for the requester', async () => {
    const { url } = await owner.call('sqlsso');
    expect(url).toMatch(/^https:\/\/adminer\.example\/\?ticket=[0-9a-f]{64}$/);
    const { payload } = agent.taken.findLast(({ action }) => action === 'databases.door')!;
    expect(payload).toMatchObject({ args: { seconds: 60 } });
    expect(JSON.stringify(payload)).not.toContain(String(url).slice(-64));
    debian.fail = (action) => (action === 'databases.door' ? 'absent' : null);
    expect((await refused('sqlsso', {}, 'E_DISABLED')).msg).toContain('没有可在浏览器中打开');
    debian.fail = null;
    const legacy = await panel.fetch('/user/mysql.php', { headers: { Cookie: owner.cookie }, redirect: 'manual' });
    expect([legacy.status, legacy.headers.get('location')]).toEqual([302, '/user/database']);
  });

  it('is backed up as often as the package allows, downloaded once by the requester, and restored after a safety copy', async () => {
    await panel.admin('zjxgjl', { id: owner.id, bf_max: '2' });
    expect(await owner.call('databaseadd')).toMatchObject({ success: true });
    expect(await panel.admin('databaseadd', { id: owner.id })).toMatchObject({ success: true });
    await refused('databaseadd', {}, 'E_LIMIT');
    const [newest, oldest] = await backups(owner);
    expect(await backups(stranger)).toEqual([]);
    await refused('databasedel', { id: newest!.id }, 'E_NOTEXIST', stranger);
    await refused('databaserestore', { filename: newest!.name }, 'E_NOTEXIST', stranger);
    await refused('databasedownload', { filename: newest!.name }, 'E_NOTEXIST', stranger);
    for (const bf of ['../../etc/passwd', '', 'nothing']) await refused('databasedownload', { bf }, 'E_NOTEXIST');
    const { url } = (await owner.call('databasedownload', { filename: newest!.name })) as { url: string };
    const other = await panel.fetch(url, { headers: { Cookie: stranger.cookie }, redirect: 'manual' });
    expect([other.status, other.headers.get('location')]).toEqual([302, '/user/database']);
    const sent = await panel.fetch(url, { headers: { Cookie: owner.cookie } });
    expect(await sent.text()).toContain('CREATE TABLE');
    expect(sent.headers.get('content-disposition')).toContain(newest!.name);
    expect((await panel.fetch(url, { headers: { Cookie: owner.cookie }, redirect: 'manual' })).status).toBe(302);
    expect(await owner.call('databaserestore', { bf: oldest!.id })).toMatchObject({ success: true });
    expect(await backups(owner)).toHaveLength(3);
    // The slot of that copy is now in use.
    await refused('databaserestore', { bf: oldest!.id }, 'E_LIMIT');
    await refused('Delalldatabase', {}, 'E_LIMIT');
    for (const { id } of await backups(owner)) expect(await owner.call('databasedel', { id })).toMatchObject({ success: true });
    expect(await owner.call('Delalldatabase')).toMatchObject({ success: true });
    expect(await backups(owner)).toHaveLength(1);
    await panel.admin('zjxgjl', { id: owner.id, bf_max: '0' });
    await refused('databaseadd', {}, 'E_LIMIT');
  });

  it('imports an SQL file of the site, and says at which statement it stopped', async () => {
    for (const [name, text] of Object.entries({ 'shop.sql': 'CREATE TABLE a (id INT);\n', 'bad.sql': 'CREATE TABEL', 'page.html': 'x' }))
      for (const [gn, fields] of [
        ['xjwj', { ml: '/', wjname: name }],
        ['setwj', { wj: `/${name}`, nr: text }],
      ] as const)
        expect(await owner.call(gn, fields)).toMatchObject({ success: true });
    expect(await owner.call('sqldr', { path: '/', filename: 'shop.sql' })).toMatchObject({ success: true });
    expect(await panel.admin('sqldr', { id: owner.id, filename: '/shop.sql' })).toMatchObject({ success: true });
    expect((await refused('sqldr', { filename: '/bad.sql' }, 'E_ARGS')).msg).toContain('You have an error in your SQL syntax');
    expect((await refused('sqldr', { filename: '/page.html' }, 'E_ARGS')).fields).toHaveProperty('filename');
    await refused('sqldr', { filename: '/none.sql' }, 'E_NOTEXIST');
    for (const filename of ['/../../etc/passwd.sql', '/../stranger1/shop.sql']) await refused('sqldr', { filename }, 'E_ARGS');
    await panel.admin('zjxgjl', { id: owner.id, sqlkj: '50' });
    debian.databaseBytes = 50 * 1024 * 1024;
    await refused('sqldr', { filename: '/shop.sql' }, 'E_LIMIT');
    debian.databaseBytes = 10;
    expect(await owner.call('sqldr', { filename: '/shop.sql' })).toMatchObject({ success: true });
  });

  it('is exported to a new file of the site, within its space, and never overwrites one', async () => {
    const isThere = (name: string) =>
      expect.poll(async () => JSON.stringify((await owner.call('listfile', { path: '/' })).rows), { timeout: 20_000 }).toContain(name);
    expect(await owner.call('sqldc', { filename: '/out.sql.gz' })).toMatchObject({ success: true });
    await isThere('out.sql.gz');
    // Its task has ended, too: one at a time.
    await expect
      .poll(() => panel.admin('sqldc', { id: owner.id, path: '/', filename: 'admin.sql.gz' }), { timeout: 20_000 })
      .toMatchObject({ success: true });
    await isThere('admin.sql.gz');
    await refused('sqldc', { filename: '/out.sql.gz' }, 'E_EXISTS');
    for (const filename of ['/out.php', '/.sql.gz', '/a.sql', '']) await refused('sqldc', { filename }, 'E_ARGS');
    for (const filename of ['/../../etc/x.sql.gz', '/../stranger1/x.sql.gz']) await refused('sqldc', { filename }, 'E_ARGS');
    await refused('sqldc', { filename: '/nowhere/x.sql.gz' }, 'E_NOTEXIST');
    const pages = [await owner.page('database', 'en'), await (await panel.adminFetch(`/admin/host-database?id=${owner.id}`)).text()];
    for (const page of pages) expect(page).toContain('data-ajax="sqldc"');
  });

  it('does one thing at a time, which the requester can follow', async () => {
    let go!: () => void;
    debian.wait = new Promise((resolve) => (go = resolve));
    const begun = await owner.call('sqldr', { filename: '/shop.sql' });
    const task_id = String(begun.task_id);
    expect(begun).toMatchObject({ success: true, task_id: expect.any(String) as string });
    await refused('sqldr', { filename: '/shop.sql' }, 'E_BUSY');
    expect(await owner.call('databaserw', { task_id })).toMatchObject({ zt: 'running' });
    await refused('databaserw', { task_id }, 'E_NOTEXIST', stranger);
    go();
    debian.wait = null;
    await expect.poll(async () => (await owner.call('databaserw', { task_id })).zt, { timeout: 10_000 }).toBe('success');
  });

  it('fails for the administrator, too, when its server fails: its owner is told why', async () => {
    debian.fail = (action) => (action === 'databases.restore' ? 'refused' : null);
    const { code, err } = await owner.call('sqldr', { filename: '/shop.sql' });
    debian.fail = null;
    const [task] = (await panel.get(BackgroundQueue).list({ name: DATABASE_TASK }, { page: 1, limit: 1 })).tasks;
    expect(task).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await owner.call('databaserw', { task_id: task!.id })).toMatchObject({ zt: 'failed', err, cw: code });
  });
});

describe('host data for older themes', () => {
  it('contains the server’s data, and is shown without it while the server does not respond', async () => {
    const { user } = await owner.call('ftpxx');
    const { user: databaseUser } = await owner.call('databasexx');
    expect(await owner.call('indexconf')).toMatchObject({
      msg: {
        config: { ftp: { host: 'files.example.com', user, pass: '' }, sql: { user: databaseUser, pass: '' } },
        php: { dq: '82', list: expect.arrayContaining(['83', '82']) as string[] },
      },
    });
    debian.fail = () => 'refused';
    const empty = { config: { ftp: { host: '', user: 'owner01' }, sql: { user: '' } }, php: { dq: '', list: [] } };
    expect(await owner.call('indexconf')).toMatchObject({ success: true, msg: empty });
    debian.fail = null;
  });
});

describe('scheduled commands', () => {
  interface Row {
    readonly jh: string;
    readonly ml: string;
    readonly zt: string;
  }
  const usual = { ml: "echo 'it is' done", sj: '*/5 3 * * *', wjj: '/app/', cs: '60' };
  const listed = async (of = owner): Promise<Row[]> => (await of.call('crontab_list')).rows as Row[];
  const refused = async (gn: string, fields: Record<string, string>, err: string, of = owner): Promise<Record<string, unknown>> => {
    const answer = await of.call(gn, fields);
    expect([gn, fields, answer]).toMatchObject([gn, fields, { success: false, err }]);
    return answer;
  };

  it('are added, run, changed, disabled and deleted by their owner, who sees their results', async () => {
    const { jh } = (await owner.call('crontab_save', usual)) as { jh: string };
    expect(await listed()).toMatchObject([
      { jh, ml: "echo 'it is' done", sj: '*/5 3 * * *', wjj: '/app', cs: '60', kg: 'true', zt: 'never', date: '' },
    ]);
    expect(await owner.call('crontab_run', { jh })).toMatchObject({ success: true, exit: 0 });
    expect((await owner.call('crontab_log', { jh })).rows).toMatchObject([{ exit: 0, nr: 'it is done\n' }]);
    expect(await owner.call('crontab_save', { ...usual, jh, ml: 'nothing-like-it', kg: 'false' })).toMatchObject({ success: true, jh });
    expect(await listed()).toMatchObject([{ jh, ml: 'nothing-like-it', kg: 'false', zt: 'success' }]);
    expect(await owner.call('crontab_run', { jh })).toMatchObject({
      success: true,
      exit: 127,
      msg: expect.stringContaining('127') as string,
    });
    expect(await listed()).toMatchObject([{ zt: 'failed' }]);
    const page = await owner.page(`command?jh=${jh}`, 'en');
    expect(page).toContain('it is done');
    expect(page).toContain('exit code 127');
    expect(await owner.call('crontab_kg', { jh, kg: 'true' })).toMatchObject({ success: true });
    expect(await listed()).toMatchObject([{ kg: 'true', ml: 'nothing-like-it' }]);
    expect(await owner.call('crontab_del', { jh })).toMatchObject({ success: true });
    expect(await listed()).toEqual([]);
    await refused('crontab_log', { jh }, 'E_NOTEXIST');
  });

  it('are inaccessible to others, and available to administrators', async () => {
    const { jh } = (await owner.call('crontab_save', { ...usual, ml: 'echo --password=hidden-1' })) as { jh: string };
    expect(await listed(stranger)).toEqual([]);
    for (const gn of ['crontab_run', 'crontab_del', 'crontab_log']) await refused(gn, { jh }, 'E_NOTEXIST', stranger);
    await refused('crontab_save', { ...usual, jh }, 'E_NOTEXIST', stranger);
    await refused('crontab_kg', { jh, kg: 'false' }, 'E_NOTEXIST', stranger);
    expect((await panel.fetch(`/user/command?jh=${jh}`, { headers: { Cookie: stranger.cookie } })).status).toBe(404);
    const host = { id: owner.id };
    expect(await panel.admin('crontab_run', { ...host, jh })).toMatchObject({ success: true });
    expect(await panel.admin('crontab_save', { ...host, ...usual, jh, ml: 'echo --password=hidden-2' })).toMatchObject({ success: true });
    expect(await (await panel.adminFetch(`/admin/host-command?id=${owner.id}&jh=${jh}`)).text()).toContain('--password=hidden-1');
    expect(await listed()).toMatchObject([{ ml: 'echo --password=hidden-2' }]);
    const lines = JSON.stringify(await panel.get(Database).repository(OperationLog).find());
    expect(lines).toContain('echo');
    expect(lines).not.toMatch(/hidden-[12]/);
    expect(await panel.admin('crontab_del', { ...host, jh })).toMatchObject({ success: true });
  });

  it('exist once, however often and from wherever the same one is added', async () => {
    const add = (more: Record<string, string> = {}) => owner.call('crontab_save', { ...usual, ...more }) as Promise<{ jh: string }>;
    const [{ jh }, { jh: atOnce }] = (await Promise.all([add(), add()])) as [{ jh: string }, { jh: string }];
    expect([atOnce, (await add()).jh, (await listed()).length]).toEqual([jh, jh, 1]);
    // Different values create another command; so do the same ones after the first command was changed.
    const { jh: other } = await add({ cs: '61' });
    expect(await owner.call('crontab_save', { ...usual, jh, sj: '0 4 * * *' })).toMatchObject({ success: true, jh });
    const { jh: again } = await add();
    expect(new Set([jh, other, again]).size).toBe(3);
    expect(await listed()).toMatchObject([
      { jh, sj: '0 4 * * *' },
      { jh: other, cs: '61' },
      { jh: again, sj: usual.sj },
    ]);
    for (const id of [jh, other, again]) await owner.call('crontab_del', { jh: id });
  });

  it('are rejected at the field when they could not run, and limited to ten', async () => {
    for (const sj of ['* * * *', '99 * * * *', '* * * * * *', '@daily', '*/0 * * * *', '5-1 * * * *', '* * * * MON', '* * * * *; id'])
      expect((await refused('crontab_save', { ...usual, sj }, 'E_ARGS')).fields).toHaveProperty('sj');
    for (const ml of ['', 'a | b', 'a > /dev/null', 'a && b', 'echo $HOME', 'echo `id`', "a 'b", 'a\nb', 'x '.repeat(40)])
      expect((await refused('crontab_save', { ...usual, ml }, 'E_ARGS')).fields).toHaveProperty('ml');
    for (const wjj of ['../other', '/a/../b', './x'])
      expect((await refused('crontab_save', { ...usual, wjj }, 'E_ARGS')).fields).toHaveProperty('wjj');
    for (const cs of ['0', '3601', '-1', 'x'])
      expect((await refused('crontab_save', { ...usual, cs }, 'E_ARGS')).fields).toHaveProperty('cs');
    for (const jh of ['../c1', 'C1', 'x'.repeat(33)]) await refused('crontab_run', { jh }, 'E_ARGS');
    await refused('crontab_save', { ...usual, jh: 'cnone' }, 'E_NOTEXIST');
    for (let n = 0; n < 10; n++) expect(await owner.call('crontab_save', { ...usual, ml: `echo ${n}` })).toMatchObject({ success: true });
    await refused('crontab_save', usual, 'E_LIMIT');
    expect(await listed()).toHaveLength(10);
    const [first] = await listed();
    debian.fail = (action) => (action === 'commands.run' ? 'suspended' : null);
    await refused('crontab_run', { jh: first!.jh }, 'E_STATE');
    debian.fail = null;
  });

  it('are followed by the person who ran a long one', async () => {
    const [first] = await listed();
    let go!: () => void;
    debian.wait = new Promise((resolve) => (go = resolve));
    const { task_id } = (await owner.call('crontab_run', { jh: first!.jh })) as { task_id: string };
    await refused('crontab_run', { jh: first!.jh }, 'E_BUSY');
    expect(await owner.call('crontab_task', { task_id })).toMatchObject({ zt: 'running' });
    await refused('crontab_task', { task_id }, 'E_NOTEXIST', stranger);
    go();
    debian.wait = null;
    await expect.poll(async () => (await owner.call('crontab_task', { task_id })).zt, { timeout: 10_000 }).toBe('success');
  });
});

describe('pages of PHP, databases and commands', () => {
  const OF_DATABASES = [
    'databasexx',
    'databaseck',
    'databasemm',
    'databaseaq1',
    'sqlsso',
    'backup_list',
    'databaseadd',
    'databaseqk',
    'Delalldatabase',
  ];
  const PAGES = ['php', 'database', 'file-access', 'commands'];

  it('are in the menu of those who have them, in both languages, and linked from the host page for administrators', async () => {
    for (const language of ['en', 'zh-CN']) {
      const home = await owner.page('', language);
      for (const page of PAGES) {
        expect(home).toContain(`href="/user/${page}"`);
        expect(await owner.page(page, language)).not.toContain('siteprograms.');
      }
    }
    const host = await (await panel.adminFetch(`/admin/host?id=${owner.id}`)).text();
    for (const page of PAGES) {
      expect(host).toContain(`href="/admin/host-${page}?id=${owner.id}"`);
      const html = await (await panel.adminFetch(`/admin/host-${page}?id=${owner.id}`)).text();
      expect(html).toContain('owner01');
      for (const bad of ['', '0', '99999', 'x']) expect((await panel.adminFetch(`/admin/host-${page}?id=${bad}`)).status).toBe(404);
    }
  });

  it('do not exist on a server without these features, which the response says', async () => {
    const plain = await OwnerClient.open(panel, 'plain001', 'local');
    const home = await plain.page('');
    const host = await (await panel.adminFetch(`/admin/host?id=${plain.id}`)).text();
    for (const page of PAGES) {
      expect(home).not.toContain(`/user/${page}"`);
      expect(host).not.toContain(`/admin/host-${page}`);
      expect(await plain.page(page, 'en')).toContain('This site&#39;s server');
    }
    for (const gn of ['listphp', 'phpxg', 'ftpxx', 'crontab_list', ...OF_DATABASES])
      expect([gn, await plain.call(gn)]).toMatchObject([
        gn,
        { success: false, err: 'E_DISABLED', msg: expect.stringContaining('服务器') as string },
      ]);
    expect(await plain.call('crontab_save', { ml: 'true', sj: '* * * * *' })).toMatchObject({ success: false, err: 'E_DISABLED' });
    expect(await plain.call('ftpkg', { kg: 'true' })).toMatchObject({ success: false, err: 'E_DISABLED' });
  });

  it('say so in words when the server does not respond', async () => {
    await agent.stopNow();
    const agents = panel.get(Database).repository(AgentNode);
    await agents.update({ nodeId: 'agent-debian' }, { lastHeartbeatAt: new Date(Date.now() - 3_600_000) });
    for (const page of PAGES) expect(await owner.page(page, 'en')).toContain('This is currently unavailable');
    expect(await owner.call('listphp')).toMatchObject({ success: false, err: 'E_UNREACH' });
  });
});
