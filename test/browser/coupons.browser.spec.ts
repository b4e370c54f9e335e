/** Coupons and redeem codes in a browser: the reseller's pages, and what buyers see of them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HookRegistry } from '../../src/hooks/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import type { RenewalOffer } from '../../src/sdk/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('coupons and codes in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    for (const slug of ['sandbox', 'balance', 'hosting_shop']) await panel.enable(slug);
    await panel.signInUser();
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  it('a coupon is created, used for a renewal and shown on the pay page', async () => {
    await admin.goto(`${panel.url}/admin/coupons`);
    await admin.getByRole('link', { name: 'New coupon' }).click();
    await admin.getByLabel('Code').fill('spring');
    await admin.getByLabel('Discount').selectOption('percent');
    await admin.getByLabel('Percent', { exact: true }).fill('20');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.locator('#coupons').getByText('SPRING').waitFor();
    const offers: RenewalOffer[] = [{ months: 1, amount: 990, name: 'Starter' }];
    const undo = panel.get(HookRegistry).addFilter('host.renewal.offers', () => offers, { owner: 'core' });
    await panel.get(Database).repository(HostingAccount).update({ state: 'active' }, { expiresOn: '2031-01-31' });
    await user.goto(`${panel.url}/user/renew`);
    await user.getByLabel('Coupon').fill('nobody');
    await user.getByRole('button', { name: 'Apply' }).click();
    await user.getByText('This coupon does not exist').waitFor();
    await user.getByLabel('Coupon').fill('Spring');
    await user.getByRole('button', { name: 'Apply' }).click();
    await user.getByText('¥7.92').waitFor();
    await lookAt(user, `${panel.url}/user/renew?yhq=Spring`, 'coupon-renew', async () => {
      await user.getByText('¥7.92').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.goto(`${panel.url}/user/renew?yhq=Spring`);
    await user.locator('form[data-ajax=xdd] button').click();
    await user.waitForURL('**/pay/order/**');
    await lookAt(user, user.url(), 'coupon-pay', async () => {
      await user.getByText('SPRING').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    undo();
    await lookAt(admin, `${panel.url}/admin/coupons`, 'coupons', async () => {
      await admin.locator('#coupons').getByText('SPRING').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await lookAt(admin, `${panel.url}/admin/coupon?id=1`, 'coupon', async () => {
      await admin.locator('#coupon-code').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
  });

  it('codes are created, shown once, redeemed on the credit page, and revoked', async () => {
    await admin.goto(`${panel.url}/admin/codes`);
    await admin.getByRole('link', { name: 'New batch' }).click();
    await admin.getByLabel('Amount per code').fill('12.50');
    await admin.getByLabel('Quantity').fill('3');
    await admin.getByRole('button', { name: 'Create codes' }).click();
    const told = admin.locator('#new-codes-value');
    await told.waitFor();
    const codes = (await told.inputValue()).split('\n');
    expect(codes).toHaveLength(3);
    await user.goto(`${panel.url}/user/credit`);
    await user.getByLabel('Redeem a code').fill('nothing');
    await user.getByRole('button', { name: 'Redeem' }).click();
    await user.locator('#redeem-code-error').waitFor();
    await user.getByLabel('Redeem a code').fill(codes[0]!.toLowerCase());
    await user.getByRole('button', { name: 'Redeem' }).click();
    await user.getByText('+12.50').waitFor();
    await lookAt(user, `${panel.url}/user/credit`, 'code-redeem', async () => {
      await user.getByText('+12.50').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    for (const [path, name] of [
      ['code-new', 'code-new'],
      ['codes', 'codes'],
      ['code-batch?id=1', 'code-batch'],
    ] as const)
      await lookAt(admin, `${panel.url}/admin/${path}`, name, async () => {
        await admin.locator('main h1, h1').first().waitFor();
        expect(await seriousFindings(admin)).toEqual([]);
      });
    expect(await (await panel.adminFetch('/admin/code-batch?id=1')).text()).not.toContain(codes[1]!);
  });
});
