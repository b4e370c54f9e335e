/** Bulk actions on hosts and connecting a shop, by a reseller in a browser, in both languages and sizes. */
import { text } from 'node:stream/consumers';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingService, SiteStatistic } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin } from '../support/browser.js';
import { addCustomer } from '../support/customers.js';
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

  it('exports exactly the filtered hosts', async () => {
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

  it('selects hosts, renews them by days, and sees each result', async () => {
    await lookAt(admin, `${panel.url}/admin/hosts?btdh=local`, 'hosts-filtered', async () => {
      await admin.locator('[data-choose]').first().waitFor();
    });
    await admin.goto(`${panel.url}/admin/hosts?btdh=local`);
    await admin.locator('thead [data-choose-all]').check();
    await admin.locator('[data-bulk-dialog=renew-hosts]').click();
    await expect.poll(() => admin.locator('#renew-hosts [data-text=n]').innerText()).toBe('3');
    await admin.locator('#renew-hosts [type=submit]').click();
    await admin.locator('#renew-hosts [data-form-error]:visible, #renew-hosts .invalid-feedback:visible').first().waitFor();
    await admin.fill('#renew-days', '30');
    await admin.locator('#renew-hosts [type=submit]').click();
    await admin.waitForURL(/\/admin\/host-bulk\?rw=/);
    await admin.locator('.badge', { hasText: 'Failed' }).waitFor();
    expect(await admin.locator('.badge', { hasText: /^Done$/ }).count()).toBe(2);
    const address = admin.url();
    await lookAt(admin, address, 'host-bulk', async () => {
      await admin.getByText('second01').waitFor();
    });
    await admin.goto(`${panel.url}/admin/hosts`);
    await admin.locator('[data-choose]').first().check();
    await admin.locator('[data-bulk]', { hasText: 'Pause' }).click();
    await expect.poll(() => admin.locator('#pause-hosts [data-text=n]').innerText()).toBe('1');
    await admin.fill('#pause-hosts-why', 'Not paid');
    await admin.locator('#pause-hosts [type=submit]').click();
    await admin.waitForURL(/\/admin\/host-bulk\?rw=/);
    await admin.locator('.badge', { hasText: /^Done$/ }).waitFor();
  });

  it('views one host', async () => {
    await lookAt(admin, `${panel.url}/admin/host?id=1`, 'host', async (language) => {
      await admin.getByText(language === 'en' ? 'Limits and usage' : '额度与用量').waitFor();
    });
  });

  it('puts one on hold, stops and starts its site, and assigns it to a customer', async () => {
    await addCustomer(panel, 'buyer001');
    await admin.goto(`${panel.url}/admin/host?id=2&lang=en`);
    await admin.getByRole('button', { name: 'Hold…' }).click();
    await admin.locator('#hold-host.show').waitFor();
    await admin.fill('#hold-date', '2020-01-01');
    await admin.locator('#hold-host [type=submit]').click();
    await admin.locator('#hold-host .invalid-feedback:visible, #hold-host [data-form-error]:visible').first().waitFor();
    await picture(admin, 'host-hold-refused');
    await admin.fill('#hold-date', '2030-01-01');
    await admin.locator('#hold-host [type=submit]').click();
    await admin.getByText('No automatic pause until').first().waitFor();
    await admin.getByRole('button', { name: 'Stop site' }).click();
    await admin.getByRole('dialog').getByRole('button').last().click();
    await admin.locator('.badge', { hasText: 'Site stopped' }).waitFor();
    await admin.getByRole('button', { name: 'Assign…' }).click();
    await admin.locator('#assign-host.show').waitFor();
    await admin.fill('#assign-name', 'buyer001');
    await admin.locator('#assign-host [type=submit]').click();
    await admin.getByText('#1', { exact: true }).waitFor();
    await lookAt(admin, `${panel.url}/admin/host?id=2`, 'host-held', async (language) => {
      await admin
        .getByText(language === 'en' ? 'Site stopped' : '网站已停止')
        .first()
        .waitFor();
    });
    await admin.goto(`${panel.url}/admin/host?id=2&lang=en`);
    await admin.getByRole('button', { name: 'Start site' }).click();
    await admin.getByRole('button', { name: 'Stop site' }).waitFor();
    await admin.goto(`${panel.url}/admin/hosts?lang=en`);
    const row = admin.locator('tbody tr', { hasText: 'second01' });
    await row.getByRole('button', { name: 'More' }).click();
    await row.getByRole('button', { name: 'Hold…' }).click();
    await admin.locator('#hold-host.show').waitFor();
    expect(await admin.inputValue('#hold-date')).toBe('2030-01-01');
    await picture(admin, 'host-hold');
    await admin.keyboard.press('Escape');
  });

  it('saves the selected hosts as a file', async () => {
    await admin.goto(`${panel.url}/admin/hosts?lang=en`);
    await admin.locator('tbody tr', { hasText: 'third001' }).locator('[data-choose]').check();
    await admin.locator('[data-bulk]', { hasText: 'Export' }).click();
    const [download] = await Promise.all([
      admin.waitForEvent('download'),
      admin.locator('dialog.confirm').getByRole('button').last().click(),
    ]);
    const csv = await text(await download.createReadStream());
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toContain('third001');
  });

  it('resets the statistics of a site', async () => {
    await lookAt(admin, `${panel.url}/admin/host-statistics?id=1`, 'host-statistics', async (language) => {
      await admin.getByRole('button', { name: language === 'en' ? 'Reset' : '重置统计' }).waitFor();
    });
    const counted = panel.get(Database).repository(SiteStatistic);
    await counted.insert({ accountId: 1, unit: 'd', at: '2026-11-20', detail: '', visitors: 1 } as never);
    await admin.goto(`${panel.url}/admin/host-statistics?id=1&lang=en`);
    await admin.getByRole('button', { name: 'Reset' }).click();
    await admin.getByRole('dialog').getByRole('button').last().click();
    await expect.poll(() => counted.countBy({ accountId: 1 })).toBe(0);
    // The page is reloaded, and another one is opened only after that.
    await admin.getByRole('dialog').waitFor({ state: 'detached' });
    await admin.waitForLoadState('networkidle');
  });

  it('connects a shop', async () => {
    await lookAt(admin, `${panel.url}/admin/connect-shop`, 'connect-shop', async (language) => {
      await admin.getByText(language === 'en' ? 'Where to enter them' : '各系统填写位置').waitFor();
    });
    await admin.goto(`${panel.url}/admin/connect-shop?lang=en`);
    await admin.fill('#shop-key', 'wrong');
    await admin.locator('form[data-ajax=djcs] [type=submit]').click();
    await admin.getByText('The API key in the shop is wrong', { exact: false }).first().waitFor();
    await admin.fill('#shop-key', '');
    await admin.locator('form[data-ajax=djcs] [type=submit]').click();
    await admin.getByText('It works', { exact: false }).waitFor();
    await admin.locator('[data-ajax=btmyck]').click();
    await admin.locator('#server-key.show').waitFor();
    expect(await admin.locator('#server-key-value').inputValue()).toMatch(/^[0-9a-f]{32}$/);
  });
});
