/**
 * Receipts as people see them: the seller enters business details, the buyer creates and prints a receipt, the seller records the invoice.
 */
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Orders, payPagePath } from '../../src/payment/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt, newPage, picture } from '../support/browser.js';
import type { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('receipts', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, browser, page } = opened));

  it('name the seller, are created and printed by the buyer, and end with an invoice', async () => {
    await page.goto(`${panel.url}/admin/orders`);
    await page.getByRole('link', { name: 'Receipts' }).click();
    await page.getByText('without seller details').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'receipts-empty-en', { fullPage: true });
    await page.fill('#seller-name', 'Anna Shop Ltd.');
    await page.fill('#seller-tax', '91310000X');
    await page.fill('#seller-address', 'Main Street 1, Springfield');
    await page.fill('#seller-contact', 'anna@example.org');
    await page.fill('#seller-footer', 'Thank you for your trust.');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save', exact: true }).last().click()]);
    expect(await page.getByText('without seller details').count()).toBe(0);

    const values = {
      user: 'kim',
      owner: null,
      name: 'Starter, a year',
      amount: 9_900,
      type: '',
      scene: 'other',
      context: {},
      ip: '127.0.0.1',
    };
    const order = await panel.get(Orders).create(values);
    await panel.admin('ddbz', { id: String(order.id), yy: 'cash' });
    // Missing input in the form returns 422.
    const buyer = await newPage(browser, 'en-US', problems, /422/);
    await buyer.goto(`${panel.url}${payPagePath(order)}`);
    await buyer.getByRole('link', { name: 'Receipt' }).click();
    expect(await seriousFindings(buyer)).toEqual([]);
    await buyer.fill('#receipt-name', '');
    await buyer.evaluate('document.querySelector("form").noValidate = true');
    await buyer.getByRole('button', { name: 'Create receipt' }).click();
    await buyer.locator('.is-invalid').waitFor();
    await picture(buyer, 'receipt-form-wrong-en', { fullPage: true });
    await buyer.fill('#receipt-name', 'Kim & Sons');
    await buyer.fill('#receipt-address', 'Side Street 2');
    await buyer.getByLabel('I also want an invoice').check();
    await buyer.getByRole('button', { name: 'Create receipt' }).click();
    await buyer.getByText('Anna Shop Ltd.').waitFor();
    expect(await seriousFindings(buyer)).toEqual([]);
    await picture(buyer, 'receipt-en', { fullPage: true });
    await buyer.emulateMedia({ media: 'print' });
    expect(await buyer.getByText('Print this page').isVisible()).toBe(false);
    await picture(buyer, 'receipt-print-en', { fullPage: true });
    await buyer.emulateMedia({ media: 'screen' });

    await page.goto(`${panel.url}/admin/receipts?fp=asked`);
    await page.getByRole('button', { name: 'Record invoice' }).click();
    await page.fill('#receipt-invoice-number', 'INV-2026-77');
    await page.locator('#receipt-invoice').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Invoice INV-2026-77 was recorded').first().waitFor();
    await page.goto(`${panel.url}/admin/receipts`);
    expect(await page.getByText('INV-2026-77').count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'receipts-en', { fullPage: true });
    const other = await panel.get(Orders).create({ ...values, name: 'Large, a month', amount: 1_990 });
    await panel.admin('ddbz', { id: String(other.id), yy: 'cash' });
    await page.getByRole('button', { name: 'Create missing' }).click();
    await picture(page, 'receipts-make-en');
    await page.locator('#receipts-make').getByRole('button', { name: 'Create receipts' }).click();
    await page.locator('#receipts').getByText(other.number).first().waitFor();
    await page.fill('#receipts-from', await page.inputValue('#make-to'));
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/from=/);
    await lookAt(page, page.url(), 'receipts-days', async () => expect(await seriousFindings(page)).toEqual([]));
    await page.getByRole('link', { name: 'Print these' }).click();
    await page.getByText('Large, a month').waitFor();
    await page.emulateMedia({ media: 'print' });
    await picture(page, 'receipts-printed-en', { fullPage: true });
    await page.emulateMedia({ media: 'screen' });
    await buyer.reload();
    await buyer.getByText('Invoice INV-2026-77').waitFor();
    await buyer.close();
    const chinese = await newPage(browser, 'zh-CN', problems);
    await chinese.setViewportSize({ width: 390, height: 844 });
    await chinese.goto(`${panel.url}${payPagePath(order, '/receipt')}`);
    await picture(chinese, 'receipt-phone-zh', { fullPage: true });
    await chinese.close();
    expect(problems).toEqual([]);
  });
});
