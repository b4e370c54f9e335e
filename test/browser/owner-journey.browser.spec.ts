/**
 * The journey of an owner of a site on a Debian server, from the command that adds the server to WordPress: in a browser, on real Debian
 * programs. WordPress itself is installed from the path in `WORDPRESS`, as in CI.
 */
import { execFileSync } from 'node:child_process';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentNode } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';
import { Orders, Settlement } from '../../src/payment/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestAuthority } from '../support/certificates.js';
import { DebianMachine, hasDebianMachine } from '../support/debian-machine.js';
import { TestPanel } from '../support/panel.js';
import { PanelClient } from '../support/panel-client.js';
import { offerWordPress, WORDPRESS, wordpressZip } from '../support/wordpress.js';

const [OWNER, FIRST, SECOND] = ['bakery1', 'Secret-pass-77', 'Another-pass-88'];
const SITE = `${OWNER}.localhost`;
const ADMINER = 'db.machine.test';
const AGENT = ['node', '/opt/svc-agent/svc-agent.mjs', '--config', '/etc/svc-agent/agent.json'];

describe.skipIf(!hasBrowser || !hasDebianMachine)('the journey of an owner', () => {
  let panel: TestPanel;
  let machine: DebianMachine;
  let browser: Browser;
  let admin: Page;
  let owner: Page;
  let visitor: Page;
  let http: number;
  const problems: string[] = [];

  beforeAll(async () => {
    const env = { SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' };
    [panel, machine] = await Promise.all([TestPanel.start(env), DebianMachine.start()]);
    await machine.reach(Number(new URL(panel.url).port));
    // The machine has no network: whatever its `apt-get` is asked for is already installed.
    await machine.must(['sh', '-c', 'rm -f /usr/bin/apt-get && ln -s /bin/true /usr/bin/apt-get && ssh-keygen -A']);
    http = await machine.open(80);
    const https = await machine.open(443);
    const rules = [ADMINER, SITE].flatMap((name) => [`MAP ${name}:80 127.0.0.1:${http}`, `MAP ${name}:443 127.0.0.1:${https}`]);
    browser = await launchBrowser([`--host-resolver-rules=${rules.join(',')}`]);
    admin = await newPage(browser, 'en-US', problems);
    owner = await newPage(browser, 'en-US', problems);
    // WordPress requests avatars from the Internet; a used link returns 403.
    const wanted = /status of 403|ERR_NAME_NOT_RESOLVED/;
    visitor = await newPage(browser, { locale: 'zh-CN', ignoreHTTPSErrors: true }, problems, wanted);
    await signInAsAdmin(admin, panel.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    await machine?.dispose();
    expect(problems).toEqual([]);
  });

  const open = async (path: string): Promise<void> => void (await owner.goto(panel.url + path));
  const look = (path: string, name: string): Promise<void> =>
    lookAt(owner, panel.url + path, `owner-${name}`, async () => expect(await seriousFindings(owner)).toEqual([]));
  const confirmed = (page: Page): Promise<void> => page.locator('dialog.confirm').getByRole('button').last().click();
  const row = (text: string) => owner.locator('[data-row]', { hasText: text });
  /** Runs an SFTP client with a password. */
  const sftp = (user: string, password: string, commands: string) => {
    const client = 'setsid sftp -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o NumberOfPasswordPrompts=1';
    const ask = `printf '#!/bin/sh\\necho "${password}"\\n' >/run/ask && chmod 700 /run/ask`;
    const env = 'DISPLAY=:0 SSH_ASKPASS=/run/ask SSH_ASKPASS_REQUIRE=force';
    return machine.run(['sh', '-c', `${ask} && ${env} ${client} ${user}@127.0.0.1`], { input: commands });
  };

  it('starts with adding a server, and the command that is run there', async () => {
    const servers = admin.locator('[data-row]', { hasText: 'debian' });
    await admin.goto(`${panel.url}/admin/servers`);
    await admin.getByRole('button', { name: 'Add' }).first().click();
    const dialog = admin.locator('#add-server');
    await dialog.locator('#add-driver').selectOption('agent');
    await dialog.getByLabel('Code').fill('debian');
    await dialog.getByLabel('Address', { exact: true }).fill('files.example.com');
    await dialog.locator('[type=submit]').click();
    await servers.getByText('no agent yet').waitFor();
    await servers.getByRole('button', { name: 'Installation command' }).click();
    const asked = admin.locator('#install-agent');
    await asked.getByLabel('Adminer hostname').fill('no name');
    await asked.locator('[type=submit]').click();
    await asked.getByText('Enter a host name, such as db.example.com').first().waitFor();
    await asked.getByLabel('Adminer hostname').fill(ADMINER.toUpperCase());
    await asked.locator('[type=submit]').click();
    await admin.locator('#server-install.show').waitFor();
    await picture(admin, 'owner-install-command', { animations: 'disabled' });
    const said = await machine.must(['sh', '-c', `${await admin.inputValue('#server-install-value')} --yes`]);
    expect(said).toContain(`Databases are opened in the browser at ${ADMINER}`);
    await machine.launch('agent', AGENT);
    await machine.must(['/usr/sbin/sshd']);
    await expect.poll(async () => (await admin.reload(), servers.getByText('agent connected').count())).toBe(1);
  });

  it('opens a host, whose owner signs in and sees its address', async () => {
    await admin.goto(`${panel.url}/admin/hosts`);
    await admin.getByRole('button', { name: 'Add' }).locator('visible=true').first().click();
    const dialog = admin.locator('.modal.show');
    const fields = { user: OWNER, pass: FIRST, datae: '2099-01-01', webkj: '500', sqlkj: '100' };
    await dialog.locator('[name=btdh]').selectOption('debian');
    for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name=${name}]`).fill(value);
    await dialog.locator('[type=submit]').click();
    await admin.locator('[data-row]', { hasText: OWNER }).waitFor();
    await signInAsUser(owner, panel.url, OWNER, FIRST);
    // Its own server serves it, at the web port.
    await owner.getByRole('link', { name: `http://${SITE}/`, exact: true }).waitFor();
  });

  it('selects the PHP version', async () => {
    await open('/user/php');
    await owner.selectOption('#php-version', '81');
    await owner.getByRole('button', { name: 'Switch', exact: true }).click();
    await owner.locator('strong', { hasText: 'PHP 8.1' }).waitFor();
  });

  it('opens the database in the browser with a one-time link, and sees no other', async () => {
    await open('/user/database');
    let link = '';
    owner.context().on('request', (request) => (link = request.url().includes('ticket=') ? request.url() : link));
    const [adminer] = await Promise.all([
      owner.context().waitForEvent('page'),
      owner.getByRole('button', { name: 'Open in the browser' }).click(),
    ]);
    await adminer.getByRole('link', { name: 'Create table' }).first().waitFor();
    await adminer.goto(`${adminer.url()}&sql=`);
    const sql = "CREATE TABLE breads (name VARCHAR(40) CHARSET utf8mb4); INSERT INTO breads VALUES ('面包'); SHOW DATABASES";
    await adminer.evaluate(`document.querySelector('textarea[name=query]').value = ${JSON.stringify(sql)}`);
    await adminer.locator('[type=submit]').first().click();
    await adminer.getByText('SHOW DATABASES').first().waitFor();
    const databases = await adminer.locator('table').first().locator('td').allInnerTexts();
    expect(databases).toEqual(['information_schema', new URL(adminer.url()).searchParams.get('db')]);
    await visitor.goto(link);
    expect(await visitor.locator('body').innerText()).toMatch(/已经用过或已过期[^]*has been used or is too old/);
    await adminer.close();
  });

  it('exports the database to a file of the site', async () => {
    await open('/user/database');
    const file = await owner.inputValue('#database-export');
    for (const said of ['The database was exported to the file', 'A file with that name already exists']) {
      await owner.getByRole('button', { name: 'Export', exact: true }).click();
      await owner.getByText(said).first().waitFor();
    }
    await open('/user/files');
    await row(file.slice(1)).waitFor();
    const dump = execFileSync('gunzip', {
      input: await machine.readBytes(await machine.must(['sh', '-c', `ls /srv/svc/*/public${file}`])),
    });
    expect(dump.toString()).toContain('面包');
    await look('/user/database', 'database');
  });

  it('uploads a file by SFTP, with the new password', async () => {
    await open('/user/password');
    const change = async (present: string, said: string): Promise<void> => {
      for (const [name, value] of Object.entries({ yp: present, pass: SECOND, repeat: SECOND })) await owner.fill(`[name=${name}]`, value);
      await owner.locator('main form [type=submit]').click();
      await owner.getByText(said).first().waitFor();
    };
    await change('Wrong-pass-1', 'The current password is wrong');
    await change(FIRST, 'changed');
    await open('/user/file-access');
    expect(await owner.inputValue('#access-host')).toBe('files.example.com');
    const user = await owner.inputValue('#access-user');
    expect((await sftp(user, FIRST, 'pwd\n')).code).not.toBe(0);
    expect(await sftp(user, SECOND, 'put /etc/hostname by-sftp.txt\n')).toMatchObject({ code: 0 });
    await open('/user/files');
    await row('by-sftp.txt').waitFor();
    await look('/user/files', 'files');
  });

  it('runs a command, and reads its output', async () => {
    await open('/user/commands');
    await owner.fill('#add-line', 'php -r "echo 6 * 7, PHP_EOL;"');
    await owner.getByRole('button', { name: 'Add command' }).click();
    await row('6 * 7').getByRole('button', { name: 'Run now' }).click();
    await confirmed(owner);
    await row('6 * 7').getByText('succeeded').waitFor();
    await row('6 * 7').getByRole('link', { name: 'Log' }).click();
    await owner.locator('pre', { hasText: /^42\s*$/ }).waitFor();
    await look(owner.url().slice(panel.url.length), 'command-log');
  });

  describe.skipIf(WORDPRESS === '')('with WordPress', () => {
    it('pays for it, installs it, and uses it over HTTPS with its database', { timeout: 300_000 }, async () => {
      const client = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
      const program = await offerWordPress(client, await wordpressZip(), http, '5');
      await panel.enable('sandbox');
      const { key, pem } = await (await TestAuthority.make()).pair({ names: [SITE] });
      await open('/user/certificate');
      await owner.fill('[name=key]', key);
      await owner.fill('[name=pem]', pem);
      await owner.getByRole('button', { name: 'Install', exact: true }).click();
      await owner.getByText('Own certificate', { exact: true }).waitFor();
      await open('/user/programs');
      await owner.locator('#programs tr', { hasText: 'Blog' }).getByRole('link', { name: 'Choose' }).click();
      await owner.getByRole('button', { name: 'Order and pay' }).click();
      await owner.waitForURL('**/pay/order/**');
      const number = /order\/(\d+)/.exec(owner.url())![1]!;
      const { id, amount } = (await panel.get(Orders).get(number))!;
      await panel.get(Orders).chooseType(id, 'sandbox__test');
      await panel.get(Settlement).settle(number, 'sandbox', { trade_no: 'owner-1', amount });
      await expect.poll(async () => (await open(`/user/program?id=${program}`), owner.locator('[name=title]').count())).toBe(1);
      // The names for visitors, without those made up by the panel for the server.
      expect((await owner.locator('[name=domain] option').allInnerTexts()).map((text) => text.trim())).toEqual([SITE]);
      const answers = { title: 'Fresh bread', user: 'baker', password: FIRST, mail: 'baker@example.com' };
      for (const [name, value] of Object.entries(answers)) await owner.fill(`[name=${name}]`, value);
      await owner.getByRole('button', { name: 'Install' }).click();
      await confirmed(owner);
      await owner.locator('#deployments').getByText('Installing', { exact: true }).waitFor();
      await owner.locator('#deployments').getByText('Installed', { exact: true }).waitFor({ timeout: 200_000 });
      await visitor.goto(`https://${SITE}/`);
      expect(await visitor.title()).toContain('Fresh bread');
      await visitor.goto(`https://${SITE}/wp-login.php`);
      await visitor.fill('#user_login', answers.user);
      await visitor.fill('#user_pass', answers.password);
      await visitor.click('#wp-submit');
      // Its home page first asks WordPress's own servers for news, without a response here.
      await visitor.waitForURL('**/wp-admin/', { timeout: 120_000 });
      await picture(visitor, 'owner-wordpress');
      await look('/user/programs', 'programs');
    });

    it('backs it up, breaks it, and restores it', async () => {
      await open('/user/backups');
      await owner.getByText("The site's database is not included").waitFor();
      await owner.getByRole('button', { name: 'Back up now' }).click();
      await row('Manual').getByText('Complete').waitFor({ timeout: 60_000 });
      await machine.must(['sh', '-c', 'rm -r /srv/svc/*/public/wordpress/wp-includes']);
      await open('/user/backups');
      await row('Manual').getByRole('button', { name: 'Restore' }).click();
      await confirmed(owner);
      await row('Restored on').waitFor({ timeout: 60_000 });
      await visitor.goto(`https://${SITE}/`);
      expect(await visitor.title()).toContain('Fresh bread');
    });
  });

  it('is told in words that the server is unreachable', async () => {
    await machine.end('agent', 'SIGKILL');
    const silent = { lastHeartbeatAt: new Date(Date.now() - 120_000) };
    await panel.get(Database).repository(AgentNode).createQueryBuilder().update().set(silent).execute();
    await open('/user/database');
    await owner
      .locator('main')
      .getByText(/is not responding|cannot be reached/)
      .first()
      .waitFor();
    await look('/user/files', 'away');
  });
});
