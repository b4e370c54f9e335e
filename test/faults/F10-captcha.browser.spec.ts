import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { hasBrowser, launchBrowser, newPage, picture } from '../support/browser.js';
import { createTestPlace, type TestPlace } from '../support/database.js';

/** Polled from outside: waiting inside the page would need code from a string, which its policy refuses. */
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

  it('shows the picture on the login page, computes the work while the characters are typed, and signs in', async () => {
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

  it('does the same where customers and sub-resellers sign in', async () => {
    const page = await newPage(browser, 'en-US', problems);
    await page.goto(`${panel.url}/admin/login`);
    await pictureLoaded(page);
    await page.fill('#username', 'admin');
    await page.fill('#password', 'svc-panel-admin');
    await page.fill('#captcha', 'abcd');
    await page.click('form [type=submit]');
    await page.waitForURL(`${panel.url}/admin/`);
    const admin = async (form: Record<string, string>): Promise<void> =>
      expect(await (await page.request.post(`${panel.url}/admin/ajax.php`, { form })).json()).toMatchObject({ success: true });
    await admin({ gn: 'plugin_enable', slug: 'resource_pool', enabled: 'true' });
    await admin({ gn: 'p_respool_save', name: 'North', username: 'dealer', password: 'dealer-pass-1' });
    await admin({ gn: 'plugin_enable', slug: 'accounts', enabled: 'true' });
    for (const [path, told] of [
      ['/pool/login', 'No hosts yet'],
      // There is no such customer, which is reported after a correct captcha.
      ['/account/login', 'The user does not exist or the password is wrong.'],
    ] as const) {
      const visitor = await newPage(browser, 'en-US', problems, /status of 422/);
      await visitor.goto(`${panel.url}${path}`);
      await expect.poll(() => visitor.evaluate("document.querySelector('.captcha img')?.naturalWidth > 0"), { timeout: 15_000 }).toBe(true);
      await picture(visitor, `captcha${path.replaceAll('/', '-')}`);
      await visitor.fill('[name=username]', 'dealer');
      await visitor.fill('[name=password]', 'dealer-pass-1');
      await visitor.fill('[name=captcha]', 'abcd');
      await visitor.click('form.narrow .button');
      await visitor.getByText(told).waitFor();
    }
    expect(problems).toEqual([]);
  });

  it('does the same in the store', async () => {
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
