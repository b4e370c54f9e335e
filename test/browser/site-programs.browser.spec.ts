/** PHP, databases and commands of sites in a browser: on a server with a fake agent that speaks the real wire protocol. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingNode } from '../../src/hosting/index.js';
import { FakeServer, startFakeServer } from '../support/agent-server.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin, signInAsUser } from '../support/browser.js';
import type { FakeAgent } from '../support/fake-agent.js';
import { OwnerClient } from '../support/owner-client.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('the programs of a site', () => {
  let browser: Browser;
  let panel: TestPanel;
  let agent: FakeAgent;
  let owner: OwnerClient;
  let page: Page;
  const debian = new FakeServer();
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    agent = await startFakeServer(panel, 'debian', debian);
    await panel.get(Database).repository(HostingNode).update({ code: 'debian' }, { address: 'files.example.com' });
    owner = await OwnerClient.open(panel, 'owner01', 'debian');
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    await signInAsUser(page, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await agent?.stopNow();
    await panel?.close();
    debian.dispose();
  });

  /** In both languages and sizes, and in both themes for people with low vision. */
  const look = async (on: Page, address: string, name: string): Promise<void> => {
    await lookAt(on, address, name, async () => {});
    expect([name, await seriousFindings(on)]).toEqual([name, []]);
    await on.goto(address);
  };
  const opened = async (title: string): Promise<void> => {
    await page.goto(`${panel.url}/user/`);
    const entry = page.getByRole('link', { name: title, exact: true }).first();
    if (!(await entry.isVisible())) await page.getByText('Programs', { exact: true }).first().click();
    await entry.click();
    await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
  };

  it('include PHP in a version the owner selects', async () => {
    await opened('PHP version');
    await page.getByText('PHP 8.2').first().waitFor();
    await look(page, `${panel.url}/user/php`, 'php');
    await page.selectOption('#php-version', '83');
    await page.getByRole('button', { name: 'Switch', exact: true }).click();
    await page.locator('strong', { hasText: 'PHP 8.3' }).waitFor();
    expect(await owner.call('listphp')).toMatchObject({ php: '83' });
  });

  it('include SFTP access, which the owner turns off and on', async () => {
    await opened('SFTP and FTP');
    expect(await page.inputValue('#access-host')).toBe('files.example.com');
    await look(page, `${panel.url}/user/file-access`, 'file-access');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await owner.call('ftpxx')).toMatchObject({ kg: 'false' });
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
  });

  it('include a database: its password is set and shown, it is backed up, restored and imported into', async () => {
    const confirmed = async (): Promise<void> => void (await page.locator('dialog.confirm').getByRole('button').last().click());
    const row = page.locator('[data-row]');
    await opened('Database');
    await look(page, `${panel.url}/user/database`, 'database-new');
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect.poll(() => page.inputValue('#database-password-value')).toHaveLength(24);
    await page.locator('#database-password.show').waitFor();
    await picture(page, 'database-password', { animations: 'disabled' });
    const made = await page.inputValue('#database-password-value');
    await page.locator('#database-password').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect.poll(() => page.inputValue('#database-password-value')).toBe(made);
    await page.locator('#database-password').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await row.first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), row.first().getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.sql\.gz$/);
    await row.first().getByRole('button', { name: 'Restore' }).click();
    await confirmed();
    await expect.poll(() => row.count()).toBe(2);
    await page.fill('#database-import', '/shop.sql');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await confirmed();
    await page.getByText('This file does not exist').or(page.getByText('was not found')).first().waitFor();
    await page.fill('#database-addresses', 'nonsense');
    await page.locator('form[data-ajax=databaseaq1] [type=submit]').click();
    await page.getByText('nonsense is not an IP address').first().waitFor();
    await look(page, `${panel.url}/user/database`, 'database');
  });

  it('include scheduled commands, which are added, run, viewed, changed and deleted', async () => {
    const row = page.locator('[data-row]').first();
    const choose = async (name: string): Promise<void> => {
      const button = row.getByRole('button', { name, exact: true }).or(row.getByRole('link', { name, exact: true }));
      if (!(await button.first().isVisible())) await row.locator('[data-bs-toggle=dropdown]').click();
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name, exact: true }))
        .locator('visible=true')
        .first()
        .click();
    };
    await opened('Scheduled commands');
    await look(page, `${panel.url}/user/commands`, 'commands-none');
    await page.fill('#add-line', 'echo done > log.txt');
    await page.getByRole('button', { name: 'Add command' }).click();
    await page.getByText('Commands do not run in a shell').first().waitFor();
    await page.fill('#add-line', "echo 'all of it' done");
    await page.fill('#add-schedule', '*/15 * * * *');
    await page.getByRole('button', { name: 'Add command' }).click();
    await page.getByText('every 15 minutes').first().waitFor();
    await choose('Run now');
    await page.locator('dialog.confirm').getByRole('button').last().click();
    await row.getByText('succeeded').waitFor();
    await look(page, `${panel.url}/user/commands`, 'commands');
    await choose('Log');
    await page.getByText('all of it done').waitFor();
    await look(page, page.url(), 'command-log');
    await page.getByRole('link', { name: 'All commands' }).click();
    await choose('Edit');
    await page.locator('#edit-command.show').waitFor();
    expect(await page.inputValue('#edit-line')).toBe("echo 'all of it' done");
    await page.fill('#edit-schedule', '0 4 * * 1');
    await page.locator('#edit-command [type=submit]').click();
    await page.getByText('Mondays at 04:00').first().waitFor();
  });

  it('include rewrite rules for readable addresses', async () => {
    const address = `${panel.url}/user/site-settings?tab=rewrites`;
    await page.goto(address);
    await look(page, address, 'rewrites');
    await page.selectOption('#rewrite-template', { label: 'WordPress' });
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
    expect(await page.inputValue('#rewrite-rules')).toContain('/index.php?$args');
    await page.fill('#rewrite-rules', 'location / { root /etc; }');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The server does not accept these rules: "root" is not allowed here').first().waitFor();
    expect(await page.inputValue('#rewrite-rules')).toBe('location / { root /etc; }');
    await page.goto(address);
    expect(await page.inputValue('#rewrite-rules')).toContain('/index.php?$args');
  });

  it('have pages for administrators, linked from the host page', async () => {
    const admin = await newPage(browser, 'zh-CN', problems);
    await signInAsAdmin(admin, panel.url);
    for (const path of ['php', 'database', 'file-access', 'commands']) {
      await admin.goto(`${panel.url}/admin/host?id=${owner.id}`);
      await admin.locator(`a[href="/admin/host-${path}?id=${owner.id}"]`).first().click();
      await admin
        .getByRole('heading', { name: /owner01/ })
        .first()
        .waitFor();
      await look(admin, `${panel.url}/admin/host-${path}?id=${owner.id}`, `${path}-admin`);
    }
    expect(problems).toEqual([]);
  });
});
