import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';

import { HostingAccount, HostingService } from '../../src/hosting/index.js';
import { Database } from '../../src/database/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, picture } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('U1 dialogs', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, page } = opened),
    async (panel) => {
      for (const user of ['alice01', 'bob0001'])
        await panel.get(HostingService).provision({ node: 'local', user, password: 'secret-1', expiresOn: null }, 'admin');
    },
  );
  beforeEach(async () => {
    await page.goto(`${panel.url}/admin/hosts`);
  });

  const hosts = () => panel.get(Database).repository(HostingAccount).count();
  const rowOf = (user: string) => page.locator('tr', { hasText: user });
  const focused = () => page.evaluate('document.activeElement?.ariaLabel || document.activeElement?.textContent?.trim()');
  /** An action in the menu of a row. */
  const inMenuOf = async (user: string, name: string) => {
    await rowOf(user).getByRole('button', { name: 'More' }).click();
    return rowOf(user).getByRole('button', { name });
  };

  it("Enter, Enter on 'Delete' deletes nothing; focus returns to where it was", async () => {
    await (await inMenuOf('alice01', 'Delete')).focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog.confirm').waitFor();
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await page.locator('dialog.confirm').waitFor({ state: 'detached' });
    expect(await focused()).toBe('More');
    expect(await hosts()).toBe(2);
  });

  it('Esc closes it and does nothing', async () => {
    await (await inMenuOf('alice01', 'Stop site')).click();
    await page.locator('dialog.confirm').waitFor();
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Escape');
    await page.locator('dialog.confirm').waitFor({ state: 'detached' });
    expect(await focused()).toBe('More');
    const { rows } = (await panel.admin('listzj')) as unknown as { rows: { user: string; wzqk: string }[] };
    expect(rows.find(({ user }) => user === 'alice01')?.wzqk).toBe('true');
  });

  it('closes after a save that is faster than its opening animation', async () => {
    await rowOf('alice01').waitFor();
    await page.evaluate(`{
      document.querySelector('[data-bs-target="#edit-host"]').click();
      const space = document.querySelector('#edit-host [name=webkj]');
      space.value = '77';
      space.form.requestSubmit();
    }`);
    await page.getByText('77 MB').waitFor();
    await page.locator('#edit-host.show').waitFor({ state: 'hidden' });
  });

  it('has padding around its text, and a delete button looks like one', async () => {
    await (await inMenuOf('alice01', 'Delete')).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const [outer, text] = await Promise.all([dialog.boundingBox(), dialog.locator('p').boundingBox()]);
    expect(text!.x - outer!.x).toBeGreaterThanOrEqual(16);
    expect(text!.y - outer!.y).toBeGreaterThanOrEqual(16);
    const colour = (name: string): Promise<string> =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('dialog ` +
          `button')].find((button) => button.textContent === '${name}')).backgroundColor`,
      );
    const red = await colour('Delete');
    await picture(page, 'dialog');
    expect(await colour('Cancel')).not.toBe(red);
    await page.keyboard.press('Escape');
    await (await inMenuOf('alice01', 'Stop site')).click();
    expect(await colour('Stop site')).not.toBe(red);
    await page.keyboard.press('Escape');
  });

  it('deletes on confirmation, and keyboard focus continues in the list', async () => {
    await (await inMenuOf('bob0001', 'Delete')).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rowOf('bob0001').waitFor({ state: 'detached' });
    expect(await hosts()).toBe(1);
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('hosts');
  });

  it('every question of every page starts on the button that does nothing', async () => {
    await panel.admin('plugin_install', { slug: 'sandbox' });
    for (const [path, name] of [
      ['/admin/plugins', 'Uninstall'],
      ['/admin/log', 'Delete old entries'],
      ['/admin/sessions', 'Sign out everywhere else'],
    ] as const) {
      await page.goto(panel.url + path);
      await page.getByRole('button', { name }).first().click();
      await page.locator('dialog.confirm').waitFor();
      expect([path, await focused()]).toEqual([path, 'Cancel']);
      await page.keyboard.press('Escape');
    }
    expect(problems).toEqual([]);
  });
});
