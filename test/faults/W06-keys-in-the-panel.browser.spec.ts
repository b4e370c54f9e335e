import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { DriverRegistry } from '../../src/hosting/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, picture } from '../support/browser.js';
import { FakeDriver } from '../support/fake-driver.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('W6 keys in a browser', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, page } = opened));
  const shown = (id: string) => page.locator(`#${id}.show`);

  it('servers: test, show, renew, add, edit', async () => {
    panel.get(DriverRegistry).register(new FakeDriver());
    await page.goto(`${panel.url}/admin/servers`);
    const row = page.locator('tr', { hasText: 'local' });
    await row.waitFor();
    await picture(page, 'servers');
    const choose = async (name: string): Promise<void> => {
      await row.getByRole('button', { name: 'More' }).click();
      await row.getByRole('button', { name }).click();
    };
    await choose('Test');
    await page.locator('.toast-stack .alert-success').waitFor();
    await choose('Show key');
    await shown('server-key').waitFor();
    const key = await page.locator('#server-key-value').inputValue();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    await picture(page, 'server-key');
    await shown('server-key').getByRole('button', { name: 'Close' }).last().click();
    await shown('server-key').waitFor({ state: 'hidden' });
    await choose('Renew key');
    await shown('renew-key').waitFor();
    await picture(page, 'renew-key');
    await shown('renew-key').getByRole('button', { name: 'Renew key' }).click();
    await shown('server-key').waitFor();
    await expect.poll(() => page.locator('#server-key-value').inputValue()).not.toBe(key);
    await shown('server-key').getByRole('button', { name: 'Close' }).last().click();
    await row.getByText(/Old key valid until [A-Z][a-z]{2} \d{1,2}, \d{4}, |旧密钥有效至 \d{4}年\d{1,2}月\d{1,2}日 /).waitFor();
    await row.getByRole('button', { name: 'More' }).click();
    await row.getByRole('button', { name: 'Revoke old key' }).waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    await shown('edit-server').waitFor();
    await shown('edit-server').getByText('not enforced on this server').filter({ visible: true }).first().waitFor();
    await picture(page, 'edit-server');
    await page.fill('#edit-urlla', 'dns.example.com');
    await shown('edit-server').getByRole('button', { name: 'Save' }).click();
    await shown('edit-server').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add server' }).first().click();
    await shown('add-server').waitFor();
    await page.fill('#add-bh', 'second');
    await shown('add-server').getByRole('button', { name: 'Add server' }).click();
    await shown('add-server').getByText('Choose the server type.').waitFor();
    await page.selectOption('#add-driver', 'fake');
    await shown('add-server').getByRole('button', { name: 'Add server' }).click();
    await page.locator('tr', { hasText: 'second' }).waitFor();
  });

  it('the API key, against the password', async () => {
    await page.goto(`${panel.url}/admin/settings?tab=api`);
    await picture(page, 'api');
    await page.getByRole('button', { name: 'Show key' }).first().click();
    await shown('show-api-key').waitFor();
    await page.fill('#show-api-key-pass', 'wrong');
    await shown('show-api-key').getByRole('button', { name: 'Show key' }).click();
    await page.getByText('This is not your current password').first().waitFor();
    await page.fill('#show-api-key-pass', 'svc-panel-admin');
    await shown('show-api-key').getByRole('button', { name: 'Show key' }).click();
    await shown('api-key').waitFor();
    expect((await page.locator('#api-key-value').inputValue()).length).toBeGreaterThanOrEqual(16);
    await picture(page, 'api-key');
  });

  it('a host shows which limits its server does not enforce', async () => {
    await page.goto(`${panel.url}/admin/hosts`);
    await page.getByRole('button', { name: 'Add account' }).click();
    await shown('add-host').waitFor();
    await expect.poll(() => shown('add-host').getByText('not enforced on this server').filter({ visible: true }).count()).toBe(1);
    await picture(page, 'add-host');
    expect(problems).toEqual([]);
  });
});
