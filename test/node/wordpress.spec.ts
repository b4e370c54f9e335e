import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentRig, SERVER, type Answer } from '../support/agent-rig.js';
import { TestAuthority } from '../support/certificates.js';
import { hasDebianMachine, type Fetched } from '../support/debian-machine.js';
import type { PanelClient } from '../support/panel-client.js';
import { offerWordPress, WORDPRESS, wordpressProgram, wordpressZip } from '../support/wordpress.js';

const PASS = 'Secret-pass-77';
const PIECE = 2_000_000;
/** https://developer.wordpress.org/advanced-administration/server/web-server/nginx/ and the rules shipped by panels of this family. */
const RULES = 'location / { try_files $uri $uri/ /index.php?$args; }\nrewrite /wp-admin$ $scheme://$host$uri/ permanent;';

describe.skipIf(!hasDebianMachine || WORDPRESS === '')('WordPress on a Debian server', () => {
  let rig: AgentRig;
  let archive: Buffer;
  /** Port at which the panel reaches the machine's web server. */
  let door: number;
  let owner: PanelClient;
  let name: string;
  const cookies = new Map<string, string>();

  const must = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> => {
    const answer = (await owner.ajax('user', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Answer;
    if (answer.success !== true && answer.qk !== 1 && !Array.isArray(answer.rows)) throw new Error(`${gn}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const ended = async (gn: string, answer: Answer): Promise<void> => {
    const task = String(answer.task_id ?? answer.data?.task_id ?? '');
    if (task === '') return;
    const state = async () => (await owner.ajax('user', { gn, task_id: task })).json as Answer;
    await expect.poll(async () => (await state()).zt, { timeout: 60_000 }).not.toMatch(/^(?:running|pending|waiting)$/);
    expect(await state()).toMatchObject({ zt: 'success' });
  };
  const upload = async (file: string, bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const body = new FormData();
      const fields = { gn: 'fileupload', htl: '/', tempfilename: file, zsize: String(bytes.length), fesw: String(at) };
      for (const [key, value] of Object.entries(fields)) body.append(key, value);
      body.append('file', new Blob([new Uint8Array(bytes.subarray(at, at + PIECE))]), 'blob');
      const answer = (await owner.send('/user/ajax.php', { method: 'POST', body })).json as Answer;
      expect(answer).toMatchObject(at + PIECE >= bytes.length ? { error: 1, size: 1 } : { error: 0 });
    }
  };
  /** A request of a browser that keeps cookies. */
  const visit = async (path: string, form?: Record<string, string>): Promise<Fetched> => {
    const answer = await rig.machine.fetch({
      host: name,
      path,
      headers: {
        Cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { method: 'POST', body: new URLSearchParams(form).toString() } : {}),
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(key!, value!);
    }
    return answer;
  };

  beforeAll(async () => {
    [rig, archive] = await Promise.all([AgentRig.start({ env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' } }), wordpressZip()]);
    door = await rig.machine.open(80);
    await rig.must('addzj', { user: 'blog01', pass: PASS, btdh: SERVER, webkj: '500', sqlkj: '100', ll: '10', ymbds: '3' });
    const host = (await rig.row('listzj', 'user', 'blog01'))!;
    name = host.sqldz!;
    owner = await rig.owner('blog01', PASS);
  }, 120_000);
  afterAll(async () => {
    await rig?.dispose();
  });

  it('is uploaded as one archive, unpacked and moved to the top level', async () => {
    await upload('wordpress.zip', archive);
    await ended('rwsj', await must('filejy', { jywj: '/wordpress.zip', jyd: '/' }));
    const { rows = [] } = await must('listfile', { path: '/wordpress', limit: '100' });
    await must('filecp', { yfile: JSON.stringify(rows.map((row) => row.name)), ypath: '/wordpress', xpath: '/', type: '2' });
    expect((await must('listfile', { path: '/', limit: '100' })).rows!.map((row) => row.name)).toContain('wp-load.php');
    // New sites run PHP by default.
    expect(await visit('/')).toMatchObject({ status: 302, headers: { location: `http://${name}/wp-admin/setup-config.php` } });
  });

  it('gets the database its owner sees in the panel, and installs itself', async () => {
    const found = await must('databasexx');
    const { name: dbname, user: uname, host: dbhost } = { ...found, ...found.data } as unknown as Record<'name' | 'user' | 'host', string>;
    const changed = await must('databasemm', {});
    const pwd = String(changed.pass ?? changed.data?.pass);
    const setup = await visit('/wp-admin/setup-config.php?step=2', { dbname, uname, pwd, dbhost, prefix: 'wp_', language: '' });
    expect(setup.body).toContain('Successful database connection');
    const account = { user_name: 'baker', admin_password: PASS, admin_password2: PASS, pw_weak: '1', admin_email: 'baker@example.com' };
    const done = await visit('/wp-admin/install.php?step=2', { weblog_title: 'Fresh bread', ...account, language: '' });
    expect(done.body).toContain('WordPress has been installed');
    expect((await visit('/')).body).toContain('Fresh bread');
  });

  it('has permalinks, with the rules of its handbook', async () => {
    await must('setwjt', { wb: RULES });
    await visit('/wp-login.php');
    expect((await visit('/wp-login.php', { log: 'baker', pwd: PASS, 'wp-submit': 'Log In', testcookie: '1' })).status).toBe(302);
    expect(await visit('/wp-admin')).toMatchObject({ status: 301 });
    const form = (await visit('/wp-admin/options-permalink.php')).body;
    const nonce = /name="_wpnonce" value="([^"]+)"/.exec(form)![1]!;
    const saved = { _wpnonce: nonce, selection: '/%postname%/', permalink_structure: '/%postname%/', submit: 'Save Changes' };
    expect((await visit('/wp-admin/options-permalink.php', { ...saved, _wp_http_referer: '/wp-admin/options-permalink.php' })).status).toBe(
      302,
    );
    expect(await visit('/hello-world/')).toMatchObject({ status: 200, body: expect.stringContaining('Welcome to WordPress') as string });
    expect((await visit('/nothing-of-the-kind/')).status).toBe(404);
    expect((await visit('/?s=welcome')).body).toContain('Hello world');
  });

  it('keeps its rules when new ones are rejected, and says which', async () => {
    const refused = (await owner.ajax('user', { gn: 'setwjt', wb: 'location /x { root /etc; }' }, { 'Accept-Language': 'en' }))
      .json as Answer;
    expect(refused).toMatchObject({ success: false, err: 'E_ARGS', code: expect.stringContaining('"root" is not allowed here') as string });
    expect((await owner.ajax('user', { gn: 'hqjt' })).text).toBe(RULES);
    expect((await owner.ajax('user', { gn: 'hqjt', xz: 'WordPress' })).text).toContain('/index.php?$args');
    expect((await visit('/hello-world/')).status).toBe(200);
  });

  it('is restored from a backup, including its posts', async () => {
    const made = await must('sitebackup_make');
    const bf = String(made.bf ?? made.data?.bf);
    const state = async () => (await must('sitebackup_list')).rows!.find((row) => String(row.bf ?? row.id) === bf);
    await expect.poll(state, { timeout: 60_000 }).toMatchObject({ zt: 'done' });
    await must('ftpscxz', { path: '/', idsz: JSON.stringify(['wp-includes', 'wp-config.php']) });
    expect((await visit('/hello-world/')).status).not.toBe(200);
    await must('sitebackup_restore', { bf });
    await expect.poll(async () => (await visit('/hello-world/')).status, { timeout: 60_000 }).toBe(200);
  });

  describe('as a program', () => {
    const secure = (path: string) => rig.machine.fetch({ host: site, path, secure: true });
    let site: string;
    let baker: PanelClient;
    let program: string;

    const call = async (gn: string, fields: Record<string, string>) =>
      (await baker.ajax('user', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Answer;
    const done = async (gn: 'yjbs' | 'bsht', fields: Record<string, string>): Promise<Answer> => {
      const answer = await call(gn, fields);
      const bs = String(answer.bs ?? answer.data?.bs ?? fields.bs);
      const state = () => call('bsjd', { bs });
      await expect.poll(async () => (await state()).zt, { timeout: 60_000 }).not.toBe('running');
      return { bs, ...(await state()) };
    };

    beforeAll(async () => {
      await rig.must('addzj', { user: 'blog02', pass: PASS, btdh: SERVER, webkj: '500', sqlkj: '100', ll: '10', ymbds: '3' });
      site = 'blog02.localhost';
      baker = await rig.owner('blog02', PASS);
      // The panel's requests to the site go to the machine, which has its own network.
      program = await offerWordPress(rig.admin, archive, door);
      const { key, pem } = await (await TestAuthority.make()).pair({ names: [site] });
      expect(await call('setssl', { key, pem })).toMatchObject({ qk: 1 });
    }, 60_000);

    const answers = {
      title: "It's Tom & <b>Jerry</b>",
      domain: 'blog02.localhost',
      user: 'baker',
      password: "pass-'\\word",
      mail: 'baker@example.com',
    };

    it('is installed with one click, and responds over HTTPS with its database', { timeout: 120_000 }, async () => {
      const ended = await done('yjbs', { id: program, ...answers });
      expect(ended).toMatchObject({ zt: 'success', state: 'done' });
      const page = await secure('/');
      expect(page.status).toBe(200);
      expect(page.body).toMatch(/<title>It&#(?:8217|039);s Tom &amp; &lt;b&gt;Jerry&lt;\/b&gt;/);
      expect(page.body).toContain(`https://${site}/`);
      expect(page.body).not.toContain(`http://${site}/`);
      expect((await secure('/hello-world/')).body).toContain('Welcome to WordPress');
      expect((await secure('/svc-install.php')).status).toBe(404);
      expect((await secure('/wp-config.php')).body).toBe('');
      const form = new URLSearchParams({ log: answers.user, pwd: answers.password, 'wp-submit': 'Log In', testcookie: '1' }).toString();
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' };
      const signedIn = await rig.machine.fetch({ host: site, path: '/wp-login.php', method: 'POST', headers, body: form, secure: true });
      expect(signedIn).toMatchObject({ status: 302, headers: { location: `https://${site}/wp-admin/` } });
    });

    it('is rolled back: the site, its rules and its database are as before', { timeout: 120_000 }, async () => {
      const [{ bs }] = (await call('listbsjl', {})).rows as unknown as [{ bs: string }];
      expect(await done('bsht', { bs })).toMatchObject({ state: 'undone' });
      expect((await secure('/hello-world/')).status).toBe(404);
      expect((await secure('/')).status).toBe(200);
      expect((await baker.ajax('user', { gn: 'hqjt' })).text).toBe('');
      const { name: base } = (await call('databasexx', {})) as unknown as { name: string };
      expect(await rig.machine.must(['mariadb', '--no-defaults', '-N', '-e', `SHOW TABLES FROM ${base}`])).toBe('');
    });

    it('is refused by name when the server lacks this PHP, before anything changes', async () => {
      const steps = JSON.stringify([...wordpressProgram().steps!, { cz: 'setphp', php: '56' }]);
      await rig.must('cxxgjl', { id: program, czf: steps });
      const refused = await call('yjbs', { id: program, ...answers });
      expect(refused).toMatchObject({ success: false, err: 'E_LIMIT', code: expect.stringContaining('PHP 56') as string });
      expect((await call('listbsjl', {})).rows).toHaveLength(1);
    });
  });
});
