/**
 * The journey of a sub-reseller in a browser: gets a quota from the reseller, signs in, opens a host, reaches the quota, sets a password,
 * suspends and deletes; and what the reseller sees of it.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

const PAGES = '/admin/plugin.php?p=resource_pool&page=';

describe.skipIf(!hasBrowser)('resource pools in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let dealer: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.enable('resource_pool');
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    // A rejected request returns 422 with its form.
    dealer = await newPage(browser, 'en-US', problems, /status of 422/);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });
  const looked = (page: Page, path: string, name: string) =>
    lookAt(page, `${panel.url}${path}`, name, async () => expect(await seriousFindings(page)).toEqual([]));

  it('the reseller adds a pool', async () => {
    await looked(admin, `${PAGES}list`, 'pools-empty');
    await looked(admin, `${PAGES}add`, 'pool-add');
    await admin.goto(`${panel.url}${PAGES}add&lang=en`);
    await admin.getByLabel('Name', { exact: true }).fill('Coast');
    await admin.getByLabel('Username').fill('coast');
    await admin.getByLabel('Password').fill('coast-pass-1');
    await admin.getByLabel('Web space (MB)').fill('1000');
    await admin.getByLabel('Database space (MB)').fill('many');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByText('Enter a whole number from 0 to 999999999').first().waitFor();
    await admin.getByLabel('Database space (MB)').fill('500');
    await admin.getByLabel('Last day').fill('2099-12-31');
    await admin.locator('input[name=nodes]').first().check();
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.locator('#pools').getByRole('link', { name: 'Coast' }).waitFor();
  });

  it('the sub-reseller signs in and opens a host, and no more than the quota allows', async () => {
    await looked(dealer, '/pool/login', 'pool-login');
    await dealer.goto(`${panel.url}/pool?lang=en`);
    await dealer.getByLabel('Username').fill('coast');
    await dealer.getByLabel('Password').fill('coast-pass-2');
    await dealer.getByRole('button', { name: 'Sign in' }).click();
    await dealer.getByRole('alert').getByText('The username or password is incorrect.').waitFor();
    await dealer.getByLabel('Password').fill('coast-pass-1');
    await dealer.getByRole('button', { name: 'Sign in' }).click();
    await dealer.getByText('No hosts yet').waitFor();
    await looked(dealer, '/pool', 'pool-home-empty');
    await looked(dealer, '/pool/open', 'pool-open');
    await dealer.goto(`${panel.url}/pool/open?lang=en`);
    await dealer.getByLabel('Host username').fill('bakery001');
    await dealer.getByLabel('Web space (MB)').fill('1200');
    await dealer.getByLabel('Database space (MB)').fill('100');
    await dealer.getByRole('button', { name: 'Create host' }).click();
    await dealer.getByRole('alert').getByText('1000 MB of 1000 MB left').waitFor();
    await dealer.getByLabel('Web space (MB)').fill('700');
    await dealer.getByRole('button', { name: 'Create host' }).click();
    await dealer.getByRole('heading', { name: 'Host created' }).waitFor();
    expect(await dealer.locator('code').innerText()).toHaveLength(16);
    await dealer.getByRole('link', { name: 'Manage host' }).click();
    await dealer.getByRole('button', { name: 'Pause' }).click();
    await dealer.getByRole('status').getByText('Paused.').waitFor();
    await dealer.getByRole('button', { name: 'Resume' }).click();
    await dealer.getByRole('button', { name: 'Reset' }).click();
    await dealer.getByText('shown only once:').waitFor();
    const host = new URL(dealer.url()).pathname.replace(/\/[a-z]+$/, '');
    await looked(dealer, host, 'pool-host');
    await looked(dealer, '/pool', 'pool-home');
    await looked(dealer, '/pool/password', 'pool-password');
  });

  it('the reseller sees the usage, adds a host and is told what exceeds the quota', async () => {
    expect(
      await panel.admin('addzj', { user: 'florist01', pass: 'secret-pass-1', btdh: 'local', webkj: '200', sqlkj: '50', ll: '1' }),
    ).toMatchObject({ success: true });
    await admin.goto(`${panel.url}${PAGES}list&lang=en`);
    await admin.getByRole('link', { name: 'Coast' }).click();
    await admin.locator('#members').getByText('bakery001').waitFor();
    await looked(admin, `${PAGES}hosts&pool=1`, 'pool-members');
    await looked(admin, `${PAGES}open&pool=1`, 'pool-open-admin');
    await admin.goto(`${panel.url}${PAGES}open&pool=1&lang=en`);
    await admin.getByLabel('Host username or ID').fill('florist01');
    await admin.getByRole('button', { name: 'Bind existing host' }).click();
    await admin.locator('#members').getByText('florist01').waitFor();
    expect(
      await panel.admin('p_respool_save', { id: '1', name: 'Coast', username: 'coast', web_space: '500', sql_space: '500' }),
    ).toMatchObject({ success: true });
    await looked(admin, `${PAGES}list`, 'pools');
    await looked(dealer, '/pool', 'pool-home-over');
  });

  it('the sub-reseller deletes a host after typing its name', async () => {
    await dealer.goto(`${panel.url}/pool?lang=en`);
    await dealer.getByRole('link', { name: 'bakery001' }).click();
    await dealer.getByLabel('Enter bakery001 to confirm').fill('bakery001');
    await dealer.getByRole('button', { name: 'Delete host' }).click();
    await dealer.getByRole('status').getByText('The host was deleted').waitFor();
    expect(await dealer.getByRole('link', { name: 'bakery001' }).count()).toBe(0);
    await dealer.getByRole('button', { name: 'Sign out' }).click();
    await dealer.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
