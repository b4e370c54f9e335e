import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { Restored } from '../../src/jobs/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('backups', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, page } = opened));

  it('are set up by creating the key, made, and shown until they are complete', async () => {
    await page.goto(`${panel.url}/admin/backups`);
    await page.getByRole('button', { name: 'Create recovery key' }).first().click();
    await page.fill('#recovery-key-pass', 'svc-panel-admin');
    await page.locator('#make-recovery-key button[type=submit]').click();
    await page.locator('#recovery-key.show').waitFor();
    expect(await page.inputValue('#recovery-key-value')).toMatch(/^AGE-SECRET-KEY-1/);
    await page.locator('#recovery-key .btn-primary').click();
    await page.goto(`${panel.url}/admin/backups`);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('Complete', { exact: true }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toMatch(/^svc-.*\.tar\.gz\.age$/);
    await lookAt(page, `${panel.url}/admin/backups`, 'backups', async () => {});
    expect(problems).toEqual([]);
  });

  it('are checked completely, and prepared for a restore at the next start', async () => {
    await page.goto(`${panel.url}/admin/backups`);
    await page.locator('[data-bs-target="#make-recovery-key"]').first().click();
    await page.fill('#recovery-key-pass', 'svc-panel-admin');
    await page.locator('#make-recovery-key button[type=submit]').click();
    await page.locator('#recovery-key.show').waitFor();
    const key = await page.inputValue('#recovery-key-value');
    await page.locator('#recovery-key .btn-primary').click();
    await page.goto(`${panel.url}/admin/backups`);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await expect.poll(() => page.getByText('Complete', { exact: true }).count(), { timeout: 20_000 }).toBe(2);
    await page.getByText('Check or restore').first().click();
    await page.fill('#check-key', key);
    await page.locator('form[data-ajax=bfjc] button[type=submit]').click();
    await page.getByText('every byte was read').waitFor();
    await lookAt(page, page.url(), 'backup-checked', async () => {});
    await page.fill('#restore-key', key);
    await page.locator('form[data-ajax=bfhf] button[type=submit]').click();
    await page.locator('dialog.confirm').getByRole('button').last().click();
    await page.getByText('Ready: restart the panel now').waitFor();
    await lookAt(page, page.url(), 'backup-ready', async () => {});
    await page.locator('[data-ajax=bfhfqx]').click();
    await page.locator('dialog.confirm').getByRole('button').last().click();
    await page.getByText('Ready: restart the panel now').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('that were restored wait for approval, and say so on every page', async () => {
    const now = new Date();
    await panel
      .get(Database)
      .repository(Restored)
      .insert({ madeAt: new Date(now.getTime() - 5 * 3_600_000), restoredAt: now, panel: '1.84.0' });
    // The open page polls the progress, which would fail while the panel restarts.
    await page.goto('about:blank');
    await panel.restart();
    await page.goto(`${panel.url}/admin/`);
    await page.getByText('See the differences').first().click();
    await lookAt(page, `${panel.url}/admin/restored`, 'restored', async () => {});
    await page.goto(`${panel.url}/admin/restored`);
    await page.locator('[data-ajax=bffx]').click();
    await page.locator('dialog.confirm').getByRole('button').last().click();
    await page.waitForURL(`${panel.url}/admin/backups`);
    expect(problems).toEqual([]);
  });
});
