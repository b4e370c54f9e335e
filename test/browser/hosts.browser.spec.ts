/** What a reseller does with many hosts at once, and connecting a shop, in a browser, in both languages and sizes. */
import { text } from 'node:stream/consumers';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HostingService } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('the reseller in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ API_KEY: 'planted-api-key-0123456789' });
    const hosting = panel.get(HostingService);
    for (const [user, expiresOn] of [
      ['first001', '2031-01-01'],
      ['second01', null],
      ['third001', '2030-06-30'],
    ] as const)
      await hosting.provision({ node: 'local', user, password: 'secret-pass-1', expiresOn, webMb: 500 }, 'admin');
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  it('exports what is filtered, and nothing else', async () => {
    await admin.setViewportSize({ width: 1280, height: 800 });
    await admin.goto(`${panel.url}/admin/hosts?btdh=local`);
    await admin.getByRole('searchbox').fill('second01');
    await admin.getByRole('searchbox').press('Enter');
    await admin.getByText('1 in total').waitFor();
    const [download] = await Promise.all([admin.waitForEvent('download'), admin.locator('a[download]').click()]);
    expect(download.suggestedFilename()).toBe('hosts.csv');
    const csv = await text(await download.createReadStream());
    expect(csv).toContain('second01');
    expect(csv).not.toContain('first001');
    expect(csv.trim().split('\r\n')).toHaveLength(2);
  });

  it('ticks hosts, renews them by days, and sees what came of each', async () => {
    await lookAt(admin, `${panel.url}/admin/hosts?btdh=local`, 'hosts-filtered', async () => {
      await admin.locator('[data-choose]').first().waitFor();
    });
    await admin.goto(`${panel.url}/admin/hosts?btdh=local`);
    await admin.locator('[data-choose-all]').check();
    await admin.locator('[data-bulk-dialog=renew-hosts]').click();
    await expect.poll(() => admin.locator('#renew-hosts [data-text=n]').innerText()).toBe('3');
    await admin.locator('#renew-hosts [type=submit]').click();
    await admin.locator('#renew-hosts [data-form-error]:visible, #renew-hosts .invalid-feedback:visible').first().waitFor();
    await admin.fill('#renew-days', '30');
    await admin.locator('#renew-hosts [type=submit]').click();
    await admin.waitForURL(/\/admin\/host-bulk\?rw=/);
    await admin.locator('.badge', { hasText: 'Not done' }).waitFor();
    expect(await admin.locator('.badge', { hasText: /^Done$/ }).count()).toBe(2);
    const address = admin.url();
    await lookAt(admin, address, 'host-bulk', async () => {
      await admin.getByText('second01').waitFor();
    });
    await admin.goto(`${panel.url}/admin/hosts`);
    await admin.locator('[data-choose]').first().check();
    await admin.locator('[data-bulk]', { hasText: 'Pause' }).click();
    await admin.locator('dialog.confirm').getByRole('button').last().click();
    await admin.waitForURL(/\/admin\/host-bulk\?rw=/);
    await admin.locator('.badge', { hasText: /^Done$/ }).waitFor();
  });

  it('looks at one host', async () => {
    await lookAt(admin, `${panel.url}/admin/host?id=1`, 'host', async (language) => {
      await admin.getByText(language === 'en' ? 'Limits and use' : '额度与用量').waitFor();
    });
  });

  it('connects a shop', async () => {
    await lookAt(admin, `${panel.url}/admin/connect-shop`, 'connect-shop', async (language) => {
      await admin.getByText(language === 'en' ? 'What goes where' : '各系统填写位置').waitFor();
    });
    await admin.goto(`${panel.url}/admin/connect-shop?lang=en`);
    await admin.fill('#shop-key', 'wrong');
    await admin.locator('form[data-ajax=djcs] [type=submit]').click();
    await admin.getByText('The API key in the shop is not right', { exact: false }).first().waitFor();
    await admin.fill('#shop-key', '');
    await admin.locator('form[data-ajax=djcs] [type=submit]').click();
    await admin.getByText('It works', { exact: false }).waitFor();
    await admin.locator('[data-ajax=btmyck]').click();
    await admin.locator('#server-key.show').waitFor();
    expect(await admin.locator('#server-key-value').inputValue()).toMatch(/^[0-9a-f]{32}$/);
  });
});
