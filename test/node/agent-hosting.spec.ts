import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Answer, AgentRig, SERVER } from '../support/agent-rig.js';
import { hasDebianMachine } from '../support/debian-machine.js';
import type { PanelClient } from '../support/panel-client.js';

const PASS = 'Secret-pass-77';

/** End to end: a real panel, and the real agent on real Debian programs, joined by the command the panel shows. */
describe.skipIf(!hasDebianMachine)('a host on a Debian server', () => {
  let rig: AgentRig;
  let owner: PanelClient;
  let host: Record<string, string>;

  const user = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
    (await owner.ajax('user', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Answer;
  const must = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> => {
    const answer = await user(gn, fields);
    if (answer.success !== true && answer.qk !== 1 && !Array.isArray(answer.rows)) throw new Error(`${gn}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const hostRow = async (name: string) => (await rig.row('listzj', 'user', name))!;
  const visit = async (path = '/', name = host.sqldz!): Promise<[number, string]> => {
    const { status, body } = await rig.machine.fetch({ host: name, path });
    return [status, body];
  };
  /** Writes a file of the site, as the panel's editor does. */
  const put = async (folder: string, name: string, text: string): Promise<void> => {
    await user('xjwj', { ml: folder, wjname: name });
    await must('setwj', { wj: `${folder === '/' ? '' : folder}/${name}`, nr: text });
  };
  const upload = async (folder: string, name: string, text: string): Promise<Answer> => {
    const body = new FormData();
    const fields = { gn: 'fileupload', htl: folder, tempfilename: name, zsize: String(Buffer.byteLength(text)), fesw: '0' };
    for (const [key, value] of Object.entries(fields)) body.append(key, value);
    body.append('file', new Blob([text]), 'blob');
    return (await owner.send('/user/ajax.php', { method: 'POST', body })).json as Answer;
  };
  /** Waits until an action of the owner has succeeded. */
  const ended = async (gn: string, answer: Answer): Promise<void> => {
    const task = String(answer.task_id ?? answer.data?.task_id ?? '');
    if (task === '') return;
    await expect.poll(async () => (await user(gn, { task_id: task })).zt, { timeout: 30_000 }).not.toMatch(/^(?:running|pending|waiting)$/);
    expect(await user(gn, { task_id: task })).toMatchObject({ zt: 'success' });
  };

  beforeAll(async () => {
    rig = await AgentRig.start();
  }, 120_000);
  afterAll(() => rig?.dispose());

  it('is set up by the displayed command, which says what it changes', async () => {
    expect(rig.said).toContain('The agent opens no port');
    expect(rig.said).toContain('/opt/svc-agent/svc-agent.mjs');
    expect(rig.said).toContain('Done.');
    expect(await rig.isOnline()).toBe(true);
    expect(await rig.machine.must(['stat', '-c', '%a %U', '/etc/svc-agent/agent.json'])).toBe('600 root\n');
    // Only nginx and sshd listen for connections from outside.
    const page = (await rig.admin.send('/admin/servers', { headers: { 'Accept-Language': 'en' } })).text;
    expect(page).toContain(SERVER);
  });

  it('is opened by the administrator, responds, and its owner signs in', async () => {
    await rig.must('addzj', { user: 'shop01', pass: PASS, btdh: SERVER, webkj: '200', sqlkj: '100', ll: '10', ymbds: '3' });
    host = await hostRow('shop01');
    expect(host).toMatchObject({ btid: expect.stringMatching(/^svc[0-9a-f]{8}$/) as string });
    expect(await visit()).toEqual([200, expect.stringContaining('shop01')]);
    // By the name its owner sees, too.
    const { hostname } = new URL(host.url!);
    expect(await visit('/', hostname)).toEqual([200, expect.stringContaining('shop01')]);
    owner = await rig.owner('shop01', PASS);
    const page = await owner.send('/user/', { headers: { 'Accept-Language': 'en' } });
    expect(page.status).toBe(200);
  });

  it('is bought in the shop, and open once it is paid', async () => {
    for (const slug of ['sandbox', 'hosting_shop']) {
      await rig.must('plugin_install', { slug });
      await rig.must('plugin_enable', { slug, enabled: 'true' });
    }
    const plan = { name: 'Starter', node: SERVER, price: '9.90', web_mb: '100', database_mb: '50', traffic_gb: '1', domains: '3' };
    await rig.must('p_hosting_shop_plan_save', { ...plan, description: 'For a first site' });
    const { DemoVisitor } = await import('../../src/cli/demo-visitor.js');
    const buyer = new DemoVisitor(rig.panel.url);
    const [offer] = (await buyer.json('GET', '/shop/api/plans')).plans as { id: number }[];
    const account = { username: 'bought01', password: PASS };
    const order = await buyer.json('POST', '/shop/api/create_order', { plan_id: String(offer!.id), period: 'month', ...account });
    const cashier = await buyer.redirect('POST', String(order.pay_url), { type: 'sandbox__test' });
    await buyer.redirect('POST', '/pay/sandbox/checkout', { ...(await buyer.form(cashier)), decision: 'pay' });
    await expect.poll(async () => (await hostRow('bought01'))?.qk, { timeout: 30_000 }).toBe('true');
    const row = await hostRow('bought01');
    expect(await visit('/', row.sqldz)).toEqual([200, expect.stringContaining('bought01')]);
  });

  it('runs PHP, in the version its owner selects', async () => {
    await put('/', 'version.php', '<?php echo PHP_MAJOR_VERSION, " ", get_current_user();');
    const { data, ...rest } = await must('listphp');
    const { list } = { ...rest, ...data } as unknown as { list: string[] };
    expect([...list].sort()).toEqual(['81', '82']);
    for (const version of ['82', '81']) {
      await must('phpxg', { php: version });
      expect(await visit('/version.php')).toEqual([200, `8 ${host.btid}`]);
      expect(await rig.machine.must(['ls', `/etc/svc-hosting/php/8.${version[1]}/pools`])).toContain(host.btid);
    }
  });

  it('has a database its programs use', async () => {
    const found = await must('databasexx');
    const { name, user: login, host: address } = { ...found, ...found.data } as unknown as Record<string, string>;
    const changed = await must('databasemm', {});
    const pass = String(changed.pass ?? changed.data?.pass);
    await put(
      '/',
      'db.php',
      `<?php $d = new mysqli(${[address, login, pass, name].map((text) => JSON.stringify(text)).join(',')});
$d->query('CREATE TABLE IF NOT EXISTS visits (id INT AUTO_INCREMENT PRIMARY KEY)');
$d->query('INSERT INTO visits VALUES ()');
echo $d->query('SELECT COUNT(*) FROM visits')->fetch_row()[0];`,
    );
    expect(await visit('/db.php')).toEqual([200, '1']);
    expect(await visit('/db.php')).toEqual([200, '2']);
    await ended('databaserw', await must('databaseadd'));
    expect(await visit('/db.php')).toEqual([200, '3']);
    const backups = await must('backup_list');
    const [backup] = backups.rows as unknown as { id: string }[];
    await ended('databaserw', await must('databaserestore', { bf: backup!.id }));
    expect(await visit('/db.php')).toEqual([200, '3']);
  });

  it('accepts files that are uploaded, packed and unpacked', async () => {
    await must('xjwjj', { ml: '/', wjname: 'docs' });
    expect(await upload('/docs', 'page.html', '<h1>Fresh bread</h1>')).toMatchObject({ success: true, size: 1 });
    expect(await visit('/docs/page.html')).toEqual([200, '<h1>Fresh bread</h1>']);
    await ended('rwsj', await must('fileys', { file: JSON.stringify(['docs']), path: '/', dpath: 'docs.zip' }));
    await must('xjwjj', { ml: '/', wjname: 'again' });
    await ended('rwsj', await must('filejy', { jywj: '/docs.zip', jyd: '/again' }));
    expect(await visit('/again/docs/page.html')).toEqual([200, '<h1>Fresh bread</h1>']);
    const page = await owner.send('/user/files', { headers: { 'Accept-Language': 'en' } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('docs.zip')]);
    expect((await must('listfile')).rows!.map(({ name }) => name)).toContain('docs.zip');
  });

  it('has its own domain', async () => {
    await must('tjurl', { url: 'www.bread.example.com', ml: 'docs' });
    await put('/docs', 'index.html', 'bread');
    expect(await visit('/', 'www.bread.example.com')).toEqual([200, 'bread']);
    await must('scurl', { url: 'www.bread.example.com' });
    expect((await visit('/', 'www.bread.example.com'))[1]).not.toBe('bread');
  });

  it('is backed up and restored', async () => {
    const made = await must('sitebackup_make');
    const bf = String(made.bf ?? made.data?.bf);
    const state = async () => (await must('sitebackup_list')).rows!.find((row) => String(row.bf ?? row.id) === bf);
    await expect.poll(state, { timeout: 60_000 }).toMatchObject({ zt: 'done' });
    await must('ftpscxz', { path: '/', idsz: JSON.stringify(['docs']) });
    expect((await visit('/docs/page.html'))[0]).toBe(404);
    await must('sitebackup_restore', { bf });
    await expect.poll(() => visit('/docs/page.html'), { timeout: 60_000 }).toEqual([200, '<h1>Fresh bread</h1>']);
    expect(await visit('/db.php')).toEqual([200, expect.stringMatching(/^\d+$/)]);
  });

  it('is measured: its disk, its database, its visitors', async () => {
    for (let n = 0; n < 7; n += 1) await visit(`/docs/page.html?${n}`);
    const usage = await must('sxsyxx');
    expect(JSON.parse(String(usage.hxa))).toMatchObject({ max: 200 });
    await expect
      .poll(
        async () => {
          await rig.ask('jhrun', { id: 'core:site-statistics' });
          return (await user('site_stats', { type: 'uri_rank' })).list;
        },
        { timeout: 50_000, interval: 2_000 },
      )
      .toContainEqual(expect.objectContaining({ name: '/docs/page.html' }));
    expect((await must('rzlb')).rows).toHaveLength(1);
  });

  it('is paused and resumed by the administrator', async () => {
    await rig.must('zjzt', { id: host.id! });
    expect((await visit('/docs/page.html'))[0]).toBe(503);
    await rig.must('zjjc', { id: host.id! });
    expect((await visit('/docs/page.html'))[0]).toBe(200);
  });

  it('is restored from the bin with files and database, and without domains that may belong to others by now', async () => {
    // A pause has ended its owner's session.
    owner = await rig.owner('shop01', PASS);
    await must('tjurl', { url: 'www.bread.example.com', ml: '' });
    expect(await visit('/db.php', 'www.bread.example.com')).toEqual([200, expect.stringMatching(/^\d+$/)]);
    await rig.must('zjsc', { id: host.id!, qr: 'shop01' });
    expect((await visit('/db.php'))[0]).not.toBe(200);
    const { rows = [] } = await rig.must('lisths', { limit: '100' });
    await rig.must('zjhf', { id: String(rows[0]!.id), pass: PASS });
    host = await hostRow('shop01');
    owner = await rig.owner('shop01', PASS);
    expect(await visit('/db.php')).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect((await visit('/db.php', 'www.bread.example.com'))[0]).not.toBe(200);
    const { name } = (await must('databasexx')) as unknown as { name: string };
    expect(name).toMatch(/^svc[0-9a-f]{8}$/);
    await ended('databaserw', await must('databaseadd'));
    expect((await must('backup_list')).rows!.length).toBeGreaterThan(0);
  });

  it('is deleted, and nothing of it is left once the bin is emptied', async () => {
    const there = (await rig.machine.must(['ls', '/srv/svc'])).split('\n').filter(Boolean);
    const { btid: others } = await hostRow('bought01');
    await rig.must('zjsc', { id: host.id!, qr: 'shop01' });
    expect((await visit())[1]).not.toContain('shop01');
    const { rows = [] } = await rig.must('lisths', { limit: '100' });
    await rig.must('zjqc', { id: String(rows[0]!.id) });
    // The other host stays, with another user.
    const [btid] = there.filter((user) => user !== others);
    const left = ['/etc/passwd', '/etc/group', '/etc/svc-hosting', '/var/lib/svc-agent', '/var/lib/svc-hosting'];
    await expect.poll(async () => (await rig.machine.run(['grep', '-rlF', btid!, ...left])).stdout, { timeout: 20_000 }).toBe('');
    expect(await rig.machine.must(['ls', '/srv/svc'])).not.toContain(btid);
    const users = `SELECT CONCAT(User, Host) FROM mysql.global_priv WHERE User LIKE '${btid}%' UNION SELECT Db FROM mysql.db
      WHERE Db LIKE '${btid}%'`;
    expect(await rig.machine.must(['mariadb', '--no-defaults', '-N', '-e', users])).toBe('');
    expect(await rig.machine.must(['sh', '-c', 'ls /var/lib/svc-hosting/archives'])).not.toContain(btid);
  });

  describe('with bundled programs, from an unchanged catalogue', () => {
    let site: string;
    let cookie = '';

    const install = async (name: string, answers: Record<string, string>): Promise<Answer> => {
      const { rows = [] } = await must('deploy_list');
      const { id } = rows.find((row) => row.name === name) as unknown as { id: string };
      const ordered = await must('yjbs', { id, ...answers });
      const bs = String(ordered.bs ?? ordered.data?.bs);
      await expect.poll(async () => (await must('bsjd', { bs })).zt, { timeout: 60_000 }).not.toBe('running');
      return must('bsjd', { bs });
    };
    /** A visitor who keeps his session. */
    const at = async (path: string, form?: Record<string, string>): Promise<string> => {
      const headers = { Cookie: cookie, 'Accept-Language': 'en', ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}) };
      const sent = form ? { method: 'POST', body: new URLSearchParams(form).toString() } : {};
      const answer = await rig.machine.fetch({ host: site, path, headers, ...sent });
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) cookie = line.split(';')[0]!;
      if (form) expect(answer).toMatchObject({ status: 303, headers: { location: './' } });
      return form ? at('/') : answer.body;
    };
    const token = async () => /name="token" value="(\w+)"/.exec(await at('/'))![1]!;
    const count = async () => {
      const { name } = (await must('databasexx')) as unknown as { name: string };
      return (await rig.machine.must(['mariadb', '--no-defaults', '-N', '-e', `SELECT COUNT(*) FROM ${name}.guestbook_entries`])).trim();
    };

    beforeAll(async () => {
      await rig.must('addzj', { user: 'book01', pass: PASS, btdh: SERVER, webkj: '200', sqlkj: '100', ll: '10', ymbds: '3' });
      site = (await hostRow('book01')).sqldz!;
      owner = await rig.owner('book01', PASS);
    });

    it('a page with its owner’s text, whatever it contains', async () => {
      const answers = { title: 'Tom & <script>', sentence: '"quoted"', language: 'en', colour: 'green' };
      expect(await install('One-page site', answers)).toMatchObject({ state: 'done' });
      const [status, body] = await visit('/', site);
      expect(status).toBe(200);
      expect(body).toContain('<html lang="en" class="green">');
      expect(body).toContain('<h1>Tom &amp; &lt;script&gt;</h1>');
      expect(body).toContain('<p>&quot;quoted&quot;</p>');
    });

    it('a guest book with its database, which accepts entries and lets nobody else delete them', async () => {
      expect(await install('Guestbook', { title: "Tom's <book>", password: "pass'\\word" })).toMatchObject({ state: 'done' });
      expect(await at('/')).toContain('<h1>Tom&#039;s &lt;book&gt;</h1>');
      for (const path of ['/config.php', '/storage.php', '/texts.php']) expect(await visit(path, site)).toEqual([200, '']);
      const entry = { name: "Robert'); DROP TABLE guestbook_entries; --", text: '<img src=x onerror=alert(1)>' };
      // From another site: without the session's token nothing is written.
      expect(await at('/', { ...entry, token: 'guessed' })).toContain('The page has expired');
      expect(await at('/', { ...entry, token: await token(), website: 'filled in by a program' })).not.toContain('onerror');
      expect(await count()).toBe('0');
      const page = await at('/', { ...entry, token: await token() });
      expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(page).toContain('DROP TABLE guestbook_entries');
      expect(await at('/', { name: 'Again', text: 'at once', token: await token() })).toContain('Please wait a moment');
      expect(await count()).toBe('1');
      expect(await at('/', { deed: 'delete', id: '1', token: await token() })).toContain('password is incorrect');
      expect(await at('/', { deed: 'sign_in', password: 'guessed', token: await token() })).toContain('password is incorrect');
      expect(await at('/', { deed: 'sign_in', password: "pass'\\word", token: await token() })).toContain('You can now delete messages');
      expect(await at('/', { deed: 'delete', id: '1', token: await token() })).toContain('No messages yet');
      expect(await count()).toBe('0');
    });

    it('a guest book that stores entries in a file if there is no database', async () => {
      const code = `<?php require 'storage.php'; $s = storageOf(['name' => '']);
foreach (['one', '<?php echo 1; ?>', 'three'] as $n => $text) $s->add("visitor $n", $text, $n);
$s->remove($s->entries(0, 1)[0]['id']);
echo implode(',', array_column($s->entries(0, 9), 'text'));`;
      await put('/', 'run.php', code);
      expect(await visit('/run.php', site)).toEqual([200, '<?php echo 1; ?>,one']);
      expect(await visit('/entries.php', site)).toEqual([200, '']);
    });
  });
});
