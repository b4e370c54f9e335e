import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('backups of a site', () => {
  let browser: Browser;
  let panel: TestPanel;
  let page: Page;
  let host: HostingAccount;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'local' });
    host = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    writeFileSync(at('index.html'), '<h1>My shop</h1>');
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    await signInAsUser(page, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
  });

  const at = (path: string): string => join(panel.dataDir, 'sites', host.siteName, 'public', path);
  const row = (text: string) => page.locator('[data-row]', { hasText: text });
  const confirmed = async (): Promise<void> => void (await page.locator('dialog.confirm').getByRole('button').last().click());

  it('are made, restored when the page is broken, and the page is back', async () => {
    await page.goto(`${panel.url}/user/`);
    await page.getByRole('link', { name: 'Backups' }).first().click();
    await lookAt(page, `${panel.url}/user/backups`, 'site-backups-none', async () => {});
    await page.getByRole('button', { name: 'Back up now' }).click();
    await row('Complete').waitFor();
    writeFileSync(at('index.html'), 'broken');
    await row('Manual').getByRole('button', { name: 'Restore' }).click();
    const question = page.getByText('A safety copy of the current site is made first').first();
    await question.waitFor();
    await confirmed();
    await row('Safety copy').waitFor();
    await expect.poll(() => readFileSync(at('index.html'), 'utf8'), { timeout: 20_000 }).toBe('<h1>My shop</h1>');
    await row('Restored on').waitFor();
    await lookAt(page, `${panel.url}/user/backups`, 'site-backups', async () => {});
  });

  it('are downloaded, scheduled and deleted', async () => {
    await page.goto(`${panel.url}/user/backups`);
    const [download] = await Promise.all([page.waitForEvent('download'), row('Manual').getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/);
    await page.selectOption('#backup-schedule', 'daily');
    await page.locator('form[data-ajax=sitebackup_plan] [type=submit]').click();
    await expect
      .poll(async () => (await panel.get(Database).repository(HostingAccount).findOneByOrFail({ id: host.id })).backupSchedule)
      .toBe('daily');
    await row('Manual').getByRole('button', { name: 'Delete' }).click();
    await confirmed();
    await row('Manual').waitFor({ state: 'detached' });
  });

  it('have a page for each host and a settings tab for administrators', async () => {
    const admin = await newPage(browser, 'zh-CN', problems);
    await signInAsAdmin(admin, panel.url);
    await lookAt(admin, `${panel.url}/admin/site-backups?id=${host.id}`, 'site-backups-admin', async () => {});
    await lookAt(admin, `${panel.url}/admin/settings?tab=site_backups`, 'site-backups-settings', async () => {});
    await admin.locator('[data-ajax=sitebackup_test]').first().click();
    await admin
      .getByText(/local: [\d.]+ [KMGT]B/)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });
});
