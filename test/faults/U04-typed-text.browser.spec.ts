/** U2, U3 and U4 as people experience them: text typed into a form survives an error, another tab and a session that ended. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { HostingService } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, newPage, picture, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('U4 typed text', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'alice01', password: 'secret-1', expiresOn: null, webMb: 100 }, 'admin');
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(page, panel.url);
  });
  afterAll(async () => {
    expect(problems).toEqual([]);
    await browser.close();
    await panel.close();
  });
  beforeEach(() => panel.admin('setwz', { name: 'My panel', qq: '' }));

  const settings = (tab = 'site') => page.goto(`${panel.url}/admin/settings?tab=${tab}`);
  const save = () => page.locator('form [type=submit]:visible').first().click();
  /** The session ends elsewhere: the page does not know yet. */
  const endSession = () => page.context().clearCookies();
  const signInAgain = async () => {
    await page.waitForURL(/\/admin\/login\?next=/);
    await page.fill('#username', 'admin');
    await page.fill('#password', 'svc-panel-admin');
    await page.click('form [type=submit]');
  };
  const asksBeforeLeaving = () => page.evaluate("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))");
  const dialogOf = async (user: string) => {
    await page.goto(`${panel.url}/admin/hosts`);
    await page.locator('tr', { hasText: user }).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: `Edit ${user}` }).waitFor();
  };

  it('stays when another tab saved first: changes are shown at the field, and saving again works', async () => {
    await settings();
    await panel.admin('setwz', { name: 'Renamed elsewhere' });
    await page.fill('#set-name', 'My own name');
    await page.fill('#set-qq', '10001');
    await save();
    await page.getByText('Current value: Renamed elsewhere').waitFor();
    expect([await page.inputValue('#set-name'), await page.inputValue('#set-qq')]).toEqual(['My own name', '10001']);
    expect(await page.evaluate('document.activeElement.id')).toBe('set-name');
    await page.getByText('While you were editing').waitFor();
    await picture(page, 'form-other-tab');
    await save();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.getByText('While you were editing').isVisible()).toBe(false);
    // The open tab does not conflict with itself.
    await page.fill('#set-qq', '10002');
    await save();
    await expect.poll(async () => (await (await panel.adminFetch('/admin/settings')).text()).includes('value="10002"')).toBe(true);
  });

  it('stays in a dialog whose host was changed elsewhere', async () => {
    await dialogOf('alice01');
    const { id } = (await panel.get(HostingService).get('alice01'))!;
    await panel.admin('zjmode', { id: String(id), webkj: '300' });
    await page.fill('#edit-expires', '2031-05-01');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Current value: 300').waitFor();
    await page.locator('#edit-host').getByText('While you were editing').waitFor();
    expect(await page.inputValue('#edit-expires')).toBe('2031-05-01');
    await page.keyboard.press('Escape');
    await page.locator('#edit-host').waitFor({ state: 'hidden' });
    await expect.poll(asksBeforeLeaving).toBe(false);
  });

  it('triggers a question before the page is left, until it is saved', async () => {
    await settings();
    expect(await asksBeforeLeaving()).toBe(false);
    await page.fill('#set-qq', '10003');
    expect(await asksBeforeLeaving()).toBe(true);
    await save();
    await page.getByText('Saved').waitFor();
    expect(await asksBeforeLeaving()).toBe(false);
  });

  it('is restored after signing in, with the version it was typed against', async () => {
    await settings();
    await page.fill('#set-notice', 'Line one\nLine two');
    await page.getByText('captcha').first().click();
    const ticked = await page.isChecked('[name=yzm]');
    await endSession();
    await save();
    await signInAgain();
    await page.waitForURL(`${panel.url}/admin/settings?tab=site`);
    await page.getByText('has been restored').waitFor();
    expect([await page.inputValue('#set-notice'), await page.isChecked('[name=yzm]')]).toEqual(['Line one\nLine two', ticked]);
    expect(await asksBeforeLeaving()).toBe(true);
    await save();
    await page.getByText('Saved').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('is restored in its dialog, without the password', async () => {
    await dialogOf('alice01');
    await page.fill('#edit-expires', '2032-01-31');
    await page.fill('#edit-pass', 'planted-secret');
    // As a plugin's form may: readable fields can be secrets as well.
    await page.evaluate(`{
      const reveal = document.createElement('button');
      reveal.type = 'button';
      reveal.dataset.reveal = '#edit-pass';
      document.querySelector('#edit-pass').after(reveal);
      reveal.click();
    }`);
    expect(await page.getAttribute('#edit-pass', 'type')).toBe('text');
    await endSession();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/login/);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('planted-secret');
    await signInAgain();
    await page.getByRole('heading', { name: 'Edit alice01' }).waitFor();
    expect([await page.inputValue('#edit-expires'), await page.inputValue('#edit-pass')]).toEqual(['2032-01-31', '']);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('tr', { hasText: 'alice01' }).getByText('Jan 31, 2032').waitFor();
  });

  it('triggers no question when only a password was typed, which is not kept', async () => {
    await dialogOf('alice01');
    await page.fill('#edit-pass', 'planted-secret');
    await endSession();
    await page.getByRole('button', { name: 'Save' }).click();
    await signInAgain();
    await page.getByRole('heading', { name: 'Edit alice01' }).waitFor();
    expect([await page.inputValue('#edit-pass'), await asksBeforeLeaving()]).toEqual(['', false]);
  });

  it('belongs to one person: signing out discards it, and another account does not see it', async () => {
    await settings('api');
    await page.fill('#set-addresses', '192.0.2.99');
    await page.fill('#set-key', 'planted-api-key-0123456789');
    await endSession();
    await save();
    await page.waitForURL(/\/admin\/login/);
    const kept = String(await page.evaluate('JSON.stringify(sessionStorage)'));
    expect(kept).toContain('192.0.2.99');
    expect(kept).not.toContain('planted-api-key');
    await page.evaluate(`for (const name of Object.keys(sessionStorage))
      sessionStorage.setItem(name, sessionStorage.getItem(name).replace('"account":"admin"', '"account":"somebody"'))`);
    await signInAgain();
    await page.waitForURL(/\/admin\/settings/);
    expect([await page.inputValue('#set-addresses'), await page.evaluate('sessionStorage.length')]).toEqual(['', 0]);
    await page.evaluate("sessionStorage.setItem('svc-draft:/admin/x', '{}')");
    await page.getByRole('button', { name: 'Account menu' }).last().click();
    await page.getByRole('button', { name: 'Sign out' }).last().click();
    await page.waitForURL(/\/admin\/login/);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});
