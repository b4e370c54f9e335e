/** Input typed while the session ended is restored after signing in: in its fields, and in what scripts build from them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, newPage, signInAsUser } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('input typed while the session ended', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let host: HostingAccount;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page: admin } = opened),
    async (panel) => {
      await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'local', webkj: '500' });
      host = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
      mkdirSync(dirname(file(panel)), { recursive: true });
      writeFileSync(file(panel), 'before\n');
    },
    { SERVICES: 'panel,worker' },
  );
  const file = ({ dataDir }: TestPanel): string => join(dataDir, 'sites', host.siteName, 'public/page.html');

  /** Submits a form without a session, and signs in again where that leads. */
  const signInAgain = async (page: Page, send: () => Promise<void>, name = 'admin', password = 'svc-panel-admin'): Promise<void> => {
    const here = page.url();
    await page.context().clearCookies();
    await send();
    await page.waitForURL(/\/login\?next=/);
    await page.fill('#username', name);
    await page.fill('#password', password);
    await page.click('form [type=submit]');
    await page.waitForURL(here);
    await page.getByText('has been restored').waitFor();
  };
  const press = (page: Page, name: string) => () => page.getByRole('button', { name, exact: true }).click();

  it.each(['admin', 'user'])('is in the editor of a file on the %s side, and typing continues there', async (side) => {
    const page = side === 'admin' ? admin : await newPage(browser, 'en-US', problems);
    if (side === 'user') await signInAsUser(page, panel.url);
    writeFileSync(file(panel), 'before\n');
    await page.goto(`${panel.url}/${side}/file-edit?path=/page.html${side === 'admin' ? `&id=${host.id}` : ''}`);
    const text = page.locator('.cm-content');
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('typed');
    const account = side === 'admin' ? [] : ['owner01', 'secret-pass-1'];
    await signInAgain(page, () => page.keyboard.press('Control+s'), ...account);
    await expect.poll(() => text.innerText()).toBe('before\ntyped');
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(readFileSync(file(panel), 'utf8')).toBe('before\ntyped!');
  });

  it('is in the rows of a program, and in no other field', async () => {
    await admin.goto(`${panel.url}/admin/program-new`);
    const [form, steps] = [admin.locator('[data-rows=bdf]'), admin.locator('[data-rows=czf]')];
    await admin.getByLabel('Name', { exact: true }).first().fill('Poster');
    await form.getByRole('button', { name: 'Add field' }).click();
    await form.getByLabel('Display name').fill('Title');
    await form.getByLabel('Variable').fill('title');
    await form.getByLabel('Required').selectOption('Yes');
    await signInAgain(admin, press(admin, 'Save'));
    expect(await admin.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Poster');
    expect(await form.locator('[data-row]').count()).toBe(1);
    expect(await form.getByLabel('Display name').inputValue()).toBe('Title');
    expect(await form.getByLabel('Required').locator(':checked').innerText()).toBe('Yes');
    // The rows match the text, and keep following it.
    await form.getByLabel('Variable').fill('heading');
    expect(JSON.parse(await form.locator('[data-rows-text] textarea').inputValue())).toMatchObject([{ ltaler: 'Title', blx: 'heading' }]);
    expect(await steps.locator('[data-row]').count()).toBe(0);
    expect(JSON.parse((await steps.locator('[data-rows-text] textarea').inputValue()) || '[]')).toEqual([]);
  });

  it('is in the fields of a kind of server, which are shown, except for its key', async () => {
    await admin.goto(`${panel.url}/admin/servers`);
    await admin.getByRole('button', { name: 'Add' }).first().click();
    const dialog = admin.locator('#add-server');
    await dialog.getByLabel('Code').fill('bt1');
    await dialog.locator('#add-driver').selectOption('baota');
    await dialog.locator('#add-key').fill('planted-secret');
    await dialog.locator('[name="cs[root]"]').fill('/data/sites');
    await signInAgain(admin, () => dialog.locator('[type=submit]').click());
    await dialog.locator('[name="cs[root]"]').waitFor();
    expect(await dialog.locator('[name="cs[root]"]').inputValue()).toBe('/data/sites');
    expect(await dialog.locator('[name="cs[certificate]"]').isVisible()).toBe(true);
    expect(await dialog.locator('#add-driver').inputValue()).toBe('baota');
    expect([await dialog.getByLabel('Code').inputValue(), await dialog.locator('#add-key').inputValue()]).toEqual(['bt1', '']);
  });

  it('is in the fields shown by a choice', async () => {
    await admin.goto(`${panel.url}/admin/sent-notices`);
    await admin.locator('[data-bs-target="#send-notice"]').click();
    const dialog = admin.locator('#send-notice');
    await dialog.locator('#send-to').selectOption('user');
    await dialog.locator('#send-names').fill('owner01');
    await signInAgain(admin, () => dialog.locator('[type=submit]').click());
    await dialog.locator('#send-names').waitFor();
    expect(await dialog.locator('#send-names').inputValue()).toBe('owner01');
    expect(problems).toEqual([]);
  });
});
