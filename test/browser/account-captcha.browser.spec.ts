/** The captcha of the account pages, which belong to a plugin: its picture, its proof of work, and the light or dark switch next to it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppConfig } from '../../src/config/index.js';
import { Customer } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { hasBrowser, launchBrowser, newPage } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('the captcha of account pages', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.enable('accounts');
    Object.assign(panel.get(AppConfig), { captcha: { kind: 'fixed', answer: 'abcd' }, captchaWork: 12 });
    await panel.get(SiteSettings).change({ userCaptcha: true });
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems, /status of 4\d\d/);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });

  const shown = (): Promise<string | null> => page.locator('.captcha img').getAttribute('src');
  async function register(characters: string): Promise<void> {
    await page.fill('[name=username]', 'Buyer_1');
    await page.fill('[name=password]', 'a-pass-word-1');
    await page.fill('[name=password2]', 'a-pass-word-1');
    await page.fill('[name=captcha]', characters);
    await page.getByRole('button', { name: 'Register' }).click();
  }

  it('shows another picture on a click, and empties the field', async () => {
    await page.goto(`${panel.url}/account/register`);
    await expect.poll(shown).toMatch(/^data:image\/svg\+xml/);
    const first = await shown();
    await page.fill('[name=captcha]', 'typed');
    await page.locator('[data-renew]').click();
    await expect.poll(shown).not.toBe(first);
    expect(await page.inputValue('[name=captcha]')).toBe('');
  });

  it('shows the latest picture, however often and quickly it is refreshed', async () => {
    const given: string[] = [];
    let waits = 300;
    await page.route('**/user/code.php', async (route) => {
      const answer = await route.fetch();
      given.push(await answer.text());
      // Each response is sent sooner than the previous one.
      await new Promise((resolve) => setTimeout(resolve, (waits -= 100)));
      await route.fulfill({ response: answer });
    });
    await page.goto(`${panel.url}/account/register`);
    for (let click = 0; click < 4; click += 1) await page.locator('[data-renew]').dispatchEvent('click');
    const isLast = async (): Promise<boolean> => atob((await shown())?.split(',')[1] ?? '') === given.at(-1);
    await expect.poll(isLast).toBe(true);
    await page.waitForTimeout(500);
    expect([given.length, await isLast()]).toEqual([2, true]);
    await page.unroute('**/user/code.php');
  });

  it('reports errors, then sends the characters with the proof of work', async () => {
    await register('zzzz');
    await page.getByRole('alert').waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await register('abcd');
    expect(new URLSearchParams((await sent).postData() ?? '').get('captcha')).toMatch(/^abcd\.[0-9a-z]+$/);
    await expect.poll(() => panel.get(Database).repository(Customer).count()).toBe(1);
  });

  it('switches to dark on a click, like the pages of the panel', async () => {
    await page.goto(`${panel.url}/account/login`);
    const scheme = (): Promise<string | null> => page.locator('html').getAttribute('data-bs-theme');
    const before = await scheme();
    await page.locator('[data-appearance]').click();
    const after = before === 'dark' ? 'light' : 'dark';
    expect(await scheme()).toBe(after);
    await page.goto(`${panel.url}/user/login`);
    expect(await scheme()).toBe(after);
  });
});
