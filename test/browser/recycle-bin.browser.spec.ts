/** The recycle bin as administrators use it: a host is deleted, restored under another name, and destroyed. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { DeletionCap } from '../../src/hosting/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

const PASS = 'secret-pass-1';

describe.skipIf(!hasBrowser)('the recycle bin in a browser', () => {
  let panel: TestPanel;
  let page: Page;
  adminInBrowser(
    (opened) => ({ panel, page } = opened),
    async (panel) => {
      for (const user of ['owner001', 'owner002', 'owner003'])
        await panel.admin('addzj', { user, pass: PASS, btdh: 'local', webkj: '100' });
    },
  );
  const row = (list: string, user: string) => page.locator(`#${list} tbody tr`, { hasText: user });
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  it('accepts deleted hosts and says so before', async () => {
    await page.goto(`${panel.url}/admin/hosts`);
    for (const user of ['owner001', 'owner002']) {
      await row('hosts', user).getByRole('button', { name: 'More' }).click();
      await row('hosts', user).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('goes to the recycle bin').waitFor();
      await confirm('Delete');
      await row('hosts', user).waitFor({ state: 'detached' });
    }
    await page.getByRole('link', { name: 'Recycle bin' }).click();
    await row('recycle-bin', 'owner001').getByText('kept').waitFor();
  });

  it('fits phone and desktop in both languages, also while deletions wait', async () => {
    await panel.get(DeletionCap).hold('idle', 12);
    await lookAt(page, `${panel.url}/admin/recycle-bin`, 'recycle-bin', () => row('recycle-bin', 'owner002').waitFor());
    await panel.get(DeletionCap).hold('idle', 0);
  });

  it('restores a site under another name when the old one is taken', async () => {
    await panel.admin('addzj', { user: 'owner001', pass: PASS, btdh: 'local' });
    await page.goto(`${panel.url}/admin/recycle-bin`);
    await row('recycle-bin', 'owner001').getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Account').inputValue()).toBe('');
    await dialog.getByLabel('New password').fill('another-pass-2');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText('This username is now taken').waitFor();
    await dialog.getByLabel('Account').fill('owner009');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await row('recycle-bin', 'owner001').waitFor({ state: 'detached' });
    expect(await (await page.goto(`${panel.url}/admin/hosts`))!.text()).toContain('owner009');
  });

  it('destroys after a confirmation with the name, and stores a setting', async () => {
    await page.goto(`${panel.url}/admin/recycle-bin`);
    await row('recycle-bin', 'owner002').getByRole('button', { name: 'Purge' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Purge owner002\? All its files on the server local/)
      .waitFor();
    await confirm('Purge');
    await page.getByText('The recycle bin is empty').waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Days to keep deleted sites').fill('14');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Deleted sites are kept for 14 days').waitFor();
  });
});
