import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { hasBrowser, launchBrowser, newPage, picture } from '../support/browser.js';
import { createTestPlace, type TestPlace } from '../support/database.js';

/** Asked again and again from outside: waiting inside the page would be code from a string, which its policy refuses. */
const pictureLoaded = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate("document.querySelector('.captcha-image')?.naturalWidth > 0"), { timeout: 15_000 }).toBe(true);

describe.skipIf(!hasBrowser)('F10 captcha and work in a browser', () => {
  let place: TestPlace;
  let panel: Panel;
  let browser: Browser;
  const problems: string[] = [];
  beforeAll(async () => {
    place = await createTestPlace({ CAPTCHA: 'fixed:abcd', CAPTCHA_WORK: '10' });
    panel = await startPanel(place.config);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await panel.close();
    await place.dispose();
  });

  it('shows the picture on the login page, works while the characters are typed, and signs in', async () => {
    const page = await newPage(browser, 'en-US', problems);
    await page.goto(`${panel.url}/admin/login`);
    await pictureLoaded(page);
    await picture(page, 'login-with-work');
    await page.fill('#username', 'admin');
    await page.fill('#password', 'svc-panel-admin');
    await page.fill('#captcha', 'ABCD');
    await page.click('form [type=submit]');
    await page.waitForURL(`${panel.url}/admin/`);
    expect(problems).toEqual([]);
  });

  it('does so in the store', async () => {
    const page = await newPage(browser, 'zh-CN', problems);
    await page.goto(`${panel.url}/store/register`);
    await pictureLoaded(page);
    await page.fill('[name=username]', 'worker');
    await page.fill('[name=email]', 'worker@example.org');
    await page.fill('[name=password]', 'a-password-of-my-own');
    await page.fill('[name=captcha]', 'abcd');
    await page.click('form [type=submit]');
    await page.waitForURL((url) => url.pathname !== '/store/register');
    expect(problems).toEqual([]);
  });
});
