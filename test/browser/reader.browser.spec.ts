/** Pages adapt to their reader: time zone, and light or dark. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { hasBrowser, launchBrowser, newPage, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

const NEW_YORK = { timeZone: 'America/New_York', dateStyle: 'medium', timeStyle: 'short' } as const;

let panel: TestPanel;
let browser: Browser;
const problems: string[] = [];
beforeAll(async () => {
  if (!hasBrowser) return;
  panel = await TestPanel.start();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await panel?.close();
  expect(problems).toEqual([]);
});

const scheme = (page: Page): Promise<string> => page.evaluate<string>('document.documentElement.dataset.bsTheme');

it.skipIf(!hasBrowser)('shows times in the format and time zone of the reader, with the zone on request', async () => {
  const page = await newPage(browser, { locale: 'en-US', timezoneId: NEW_YORK.timeZone }, problems);
  await signInAsAdmin(page, panel.url);
  for (const [language, zone] of [
    ['en', 'EST|EDT|GMT-[45]'],
    ['zh-CN', 'GMT-[45]'],
  ] as const) {
    await page.goto(`${panel.url}/admin/log?lang=${language}`);
    const time = page.locator('#log time').first();
    const at = new Date((await time.getAttribute('datetime'))!);
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(600_000);
    await expect.poll(() => time.textContent()).toBe(new Intl.DateTimeFormat(language, NEW_YORK).format(at));
    expect(await time.getAttribute('title')).toMatch(new RegExp(zone));
  }
  await page.context().close();
});

it.skipIf(!hasBrowser)('follows the system’s light or dark mode, also when it changes, until the reader chooses otherwise', async () => {
  const page = await newPage(browser, { locale: 'en-US', colorScheme: 'light' }, problems);
  await page.goto(`${panel.url}/admin/login`);
  expect(await scheme(page)).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => scheme(page)).toBe('dark');
  // Light, unlike the system: that is a choice, and stays.
  await page.locator('[data-theme-toggle]').click();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await scheme(page)).toBe('light');
  await page.reload();
  expect(await scheme(page)).toBe('light');
  // Another tab is informed; the same as the system is no longer a choice.
  const other = await page.context().newPage();
  await other.emulateMedia({ colorScheme: 'dark' });
  await other.goto(`${panel.url}/shop`);
  await expect.poll(() => scheme(other)).toBe('light');
  await page.locator('[data-theme-toggle]').click();
  await expect.poll(() => scheme(other)).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => scheme(page)).toBe('light');
  await page.context().close();
});
