import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hasBrowser, launchBrowser, newPage, picture, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('F8 the page of the operation log', () => {
  let panel: TestPanel;
  let browser: Browser;
  const problems: string[] = [];
  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'on' });
    await panel.enable('sandbox');
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
  });

  it('marks a line caused from outside, with its input in quotation marks', async () => {
    await panel.fetch('/pay/sandbox/notify', { method: 'POST', body: new URLSearchParams({ out_trade_no: 'admin\n登陆 ok', sign: 'no' }) });
    const page = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(page, panel.url);
    await page.goto(`${panel.url}/admin/log`);
    const badge = page.locator('#log tbody .badge', { hasText: 'External: sandbox' });
    await badge.first().waitFor();
    expect(await badge.locator('xpath=ancestor::tr').first().innerText()).toMatch(/「.*」/);
    await picture(page, 'log');
    expect(problems).toEqual([]);
  });
});
