/** Lists of pages as people use them: search, order, back, selected rows, two tabs, a session that ended. */
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt, newPage, picture, SIZES } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('lists in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async (panel) => {
      for (let n = 1; n <= 23; n += 1)
        await panel.admin('addzj', { user: `owner${String(n).padStart(3, '0')}`, pass: 'secret-pass-1', btdh: 'local', webkj: String(n) });
    },
  );

  const rows = () => page.locator('#hosts tbody tr');
  const row = (user: string) => page.locator('#hosts tbody tr', { hasText: user });
  const hosts = (search = '') => page.goto(`${panel.url}/admin/hosts${search}`);

  it('fit phone and desktop in both languages', async () => {
    await lookAt(page, `${panel.url}/admin/hosts`, 'list-hosts', () => row('owner023').waitFor());
  });

  it('keep the search in the address: reload, back and forward show it again', async () => {
    await hosts();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.waitForURL(/sort=user/);
    await expect.poll(() => rows().first().innerText()).toContain('owner001');
    await page.getByRole('searchbox').fill('owner02');
    await page.getByRole('searchbox').press('Enter');
    await expect.poll(() => rows().count()).toBe(4);
    const found = page.url();
    await page.reload();
    expect(await rows().count()).toBe(4);
    expect(await page.getByRole('searchbox').inputValue()).toBe('owner02');
    await page.goBack();
    await expect.poll(() => rows().count()).toBe(20);
    expect(await page.locator('th[aria-sort]').innerText()).toMatch(/account/i);
    await page.goForward();
    await expect.poll(() => page.url()).toBe(found);
    await expect.poll(() => rows().count()).toBe(4);
    await page.getByLabel('Status').selectOption({ label: 'Paused' });
    await page.getByText('No results').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => rows().count()).toBe(20);
  });

  it('act on a row and show it, without leaving the list’s page', async () => {
    await hosts('?q=owner01&in=user&sort=user');
    await row('owner011').getByRole('button', { name: 'More' }).click();
    await row('owner011').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Pause owner011' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await row('owner011').getByText('Paused').waitFor();
    expect(page.url()).toContain('q=owner01');
    await row('owner011').getByRole('button', { name: 'More' }).click();
    expect(await row('owner011').locator('.dropdown-menu .dropdown-item').allInnerTexts()).toEqual([
      'Certificate',
      'Domains',
      'Renew',
      'Plan',
      'Files',
      'Backups',
      'Move to another server',
      'Hold…',
      'Resume',
      'Delete',
    ]);
    await page.keyboard.press('Escape');
    await row('owner011').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit owner011' }).waitFor();
    expect([await page.inputValue('#edit-web'), await page.inputValue('#edit-expires'), await page.inputValue('#edit-pass')]).toEqual([
      '11',
      '0',
      '',
    ]);
    await page.fill('#edit-web', '512');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('owner011').getByText('512 MB').waitFor();
  });

  it('act on the selected rows, after a confirmation', async () => {
    await hosts('?q=owner00&in=user&sort=user');
    await row('owner001').getByRole('checkbox').check();
    await row('owner002').getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await picture(page, 'list-chosen');
    await page.locator('[data-bulk-bar]').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('Delete 2 accounts').waitFor();
    await page.keyboard.press('Escape');
    expect(await rows().count()).toBe(9);
    await page.locator('[data-bulk-bar]').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    // Many take a while: each result is shown, and the list is where it was.
    await page.waitForURL(/\/admin\/host-bulk\?rw=/);
    await expect.poll(() => page.locator('tbody tr', { hasText: /Deleted|Done/ }).count()).toBe(2);
    await hosts('?q=owner00&in=user&sort=user');
    await expect.poll(() => rows().count()).toBe(7);
    expect(await page.locator('[data-bulk-bar]').isVisible()).toBe(false);
    await page.getByLabel('Select all rows on this page').check();
    await page.getByText('7 selected').waitFor();
  });

  it('keep the focus where it was, after typing, choosing or following a link', async () => {
    await hosts();
    const focused = (what: string): Promise<string> => page.evaluate(`String(document.activeElement.${what})`);
    /** Does something with the keyboard, and waits until the list has changed. */
    const reload = async (act: () => Promise<unknown>): Promise<void> => {
      await page.evaluate("document.getElementById('hosts').dataset.before = ''");
      await act();
      await page.locator('#hosts:not([data-before])').waitFor();
    };
    await page.getByRole('searchbox').fill('owner0');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await reload(() => page.keyboard.press('Enter'));
    await expect.poll(() => focused('name')).toBe('q');
    expect([await focused('selectionStart'), await focused('selectionEnd')]).toEqual(['4', '4']);
    await page.getByRole('link', { name: 'Account', exact: true }).focus();
    await reload(() => page.keyboard.press('Enter'));
    await expect.poll(() => focused('textContent')).toMatch(/Account/);
    await page.getByRole('link', { name: 'Page 2' }).focus();
    await reload(() => page.keyboard.press('Enter'));
    await expect.poll(() => focused("getAttribute('aria-label')")).toBe('Page 2');
    await page.getByLabel('Status').focus();
    await reload(() => page.getByLabel('Status').selectOption({ label: 'Paused' }));
    await expect.poll(() => focused('name')).toBe('zjzt');
    // The followed link is gone with its row: the list has the focus.
    await hosts('?q=nobody');
    await page.getByRole('link', { name: 'Show all' }).focus();
    await reload(() => page.keyboard.press('Enter'));
    await expect.poll(() => focused('id')).toBe('hosts');
  });

  it('can be sorted and selected from on a phone as well', async () => {
    await page.setViewportSize(SIZES.phone);
    await hosts('?q=owner00&in=user&size=50');
    await page.getByLabel('Sort by').focus();
    await page.getByLabel('Sort by').selectOption({ label: 'Account, descending' });
    await page.waitForURL(/sort=-user/);
    expect(page.url()).toMatch(/(?=.*q=owner00)(?=.*size=50)/);
    await expect.poll(() => rows().first().innerText()).toContain('owner009');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('sort');
    expect(await page.getByLabel('Sort by').inputValue()).toBe('-user');
    const all = page.getByLabel('Select all', { exact: true });
    await all.check();
    await page.getByText(`${await rows().count()} selected`).waitFor();
    await rows().first().getByRole('checkbox').uncheck();
    expect(await page.evaluate("document.querySelector('.d-md-none [data-choose-all]').indeterminate")).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize(SIZES.desktop);
    expect([await page.getByLabel('Sort by').isVisible(), await all.isVisible()]).toEqual([false, false]);
  });

  it('work without a script: links and the search are plain', async () => {
    const plain = await newPage(
      browser,
      { locale: 'en-US', javaScriptEnabled: false, storageState: await page.context().storageState() },
      problems,
    );
    await plain.goto(`${panel.url}/admin/hosts`);
    await plain.getByRole('link', { name: 'Page 2' }).click();
    await plain.getByText('page 2 of 2').waitFor();
    await plain.getByRole('searchbox').fill('owner023');
    await plain.getByRole('button', { name: 'Search' }).click();
    await plain.waitForURL(/q=owner023/);
    expect(await plain.locator('#hosts tbody tr').count()).toBe(1);
    await plain.context().close();
  });

  it('lead to the login page and back to the same rows when the session ended meanwhile', async () => {
    await hosts('?size=50');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Server', exact: true }).click();
    await page.waitForURL(/\/admin\/login\?next=/);
    await page.fill('#username', 'admin');
    await page.fill('#password', 'svc-panel-admin');
    await page.click('form [type=submit]');
    await page.waitForURL(/\/admin\/hosts\?size=50&sort=ssbt/);
    expect(problems).toEqual([]);
  });
});
