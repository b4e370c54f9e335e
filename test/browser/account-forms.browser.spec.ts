/** Forms of account pages, which belong to a plugin: errors, input while a session ends, and leaving with unsaved changes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hasBrowser, launchBrowser, newPage } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

const PASSWORD = 'a-pass-word-1';

describe.skipIf(!hasBrowser)('forms of account pages', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'off' });
    for (const slug of ['accounts', 'hosting_shop', 'sandbox', 'resource_pool']) await panel.enable(slug);
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems, /status of 4\d\d/);
    await page.goto(`${panel.url}/account/register`);
    await page.fill('[name=username]', 'Buyer_1');
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=password2]', PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/\/account$/);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });

  const path = (): string => page.url().slice(panel.url.length);
  const save = (): Promise<void> => page.locator('main form .button').first().click();

  async function signIn(): Promise<void> {
    await page.waitForURL(/\/account\/login/);
    await page.fill('[name=username]', 'Buyer_1');
    await page.fill('[name=password]', PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('show errors at the first invalid field, and put the focus there', async () => {
    await page.goto(`${panel.url}/account/password`);
    for (const name of ['old_password', 'new_password', 'new_password2']) await page.fill(`[name=${name}]`, 'not-the-password');
    await save();
    const field = page.locator('[name=old_password]');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/password/i);
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await page.locator('[aria-invalid]').count()).toBe(1);
  });

  it('return to their page after a session that ended, with the input but without passwords', async () => {
    await page.goto(`${panel.url}/account/profile?saved=1`);
    await expect.poll(path).toBe('/account/profile');
    await page.fill('[name=qq]', '123456');
    await page.context().clearCookies();
    await save();
    await signIn();
    await page.getByText('What you typed before you were signed out has been restored').waitFor();
    expect([path(), await page.inputValue('[name=qq]'), await page.getByText('Saved', { exact: true }).count()]).toEqual([
      '/account/profile',
      '123456',
      0,
    ]);
    await save();
    await page.getByRole('status').waitFor();
    await page.goto(`${panel.url}/account/profile`);
    expect([await page.inputValue('[name=qq]'), await page.locator('.toast-stack').count()]).toEqual(['123456', 0]);

    await page.goto(`${panel.url}/account/password`);
    for (const name of ['old_password', 'new_password', 'new_password2']) await page.fill(`[name=${name}]`, 'typed-in-secret');
    await page.context().clearCookies();
    await save();
    await page.waitForURL(/\/account\/login/);
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('typed-in-secret');
    await signIn();
    await expect.poll(path).toBe('/account/password');
    expect(await page.inputValue('[name=old_password]')).toBe('');
  });

  it('ask before they are left with changes, and not when they are sent', async () => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${panel.url}/account/profile`);
    await page.click('[name=qq]');
    await page.keyboard.type('7');
    await page.goto(`${panel.url}/account/orders`);
    expect(asked).toEqual(['beforeunload']);
    await page.goto(`${panel.url}/account/profile`);
    await page.fill('[name=qq]', '654321');
    await save();
    await page.getByRole('status').waitFor();
    await page.goto(`${panel.url}/account`);
    expect(asked).toEqual(['beforeunload']);
    // Signing out discards the input, and asks as well.
    await page.goto(`${panel.url}/account/profile`);
    await page.click('[name=qq]');
    await page.keyboard.type('8');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn();
    await page.waitForURL(/\/account$/);
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
    await page.goto(`${panel.url}/account/profile`);
    expect(await page.inputValue('[name=qq]')).toBe('654321');
  });

  it('never show the input to anyone else', async () => {
    await page.goto(`${panel.url}/account/profile`);
    await page.fill('[name=qq]', '111222');
    await page.context().clearCookies();
    await save();
    await page.waitForURL(/\/account\/login/);
    await page.goto(`${panel.url}/account/register`);
    await page.fill('[name=username]', 'Buyer_2');
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=password2]', PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/\/account$/);
    await page.goto(`${panel.url}/account/profile`);
    expect(await page.inputValue('[name=qq]')).toBe('');
  });

  it('of the shop and of resource pools show errors at the field as well', async () => {
    const wrongIs = async (name: string, words: RegExp): Promise<void> => {
      const field = page.locator(`[name=${name}]`);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent()).toMatch(words);
      await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    };
    const { data } = (await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN)) as unknown as { data: { id: number } };
    await page.goto(`${panel.url}/shop/order/${data.id}`);
    await page.fill('[name=username]', 'has a blank');
    await page.fill('[name=password]', PASSWORD);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await wrongIs('username', /letters/i);
    expect(await page.inputValue('[name=username]')).toBe('has a blank');

    const pool = { name: 'East', username: 'dealer.forms', web_space: '1000', sql_space: '500', flow: '100', expire_date: '', nodes: '' };
    await panel.admin('p_respool_save', { ...pool, password: PASSWORD });
    await page.goto(`${panel.url}/pool/login`);
    await page.fill('[name=username]', 'dealer.forms');
    await page.fill('[name=password]', PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/pool$/);
    await page.goto(`${panel.url}/pool/password`);
    for (const [name, value] of [
      ['old_password', PASSWORD],
      ['new_password', 'another-pass-1'],
      ['new_password2', 'another-pass-2'],
    ])
      await page.fill(`[name=${name}]`, value!);
    await page.locator('main form .button').click();
    await wrongIs('new_password2', /password/i);
  });
});
