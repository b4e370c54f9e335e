import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('logos of the site', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, browser, page } = opened));
  beforeAll(async () => {
    await panel.admin('setwz', { name: 'Sunny Hosting Company' });
  });

  const brand = () => page.locator('aside .navbar-brand');
  const isCutOff = () =>
    brand()
      .locator('.brand-name')
      .evaluate((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight);
  /** Whether the menu button, the brand and the account share one row. */
  const isOneRow = async () => {
    const boxes = await Promise.all(
      [page.locator('aside .navbar-toggler'), brand(), page.locator('aside').getByRole('button', { name: 'Account menu' })].map((part) =>
        part.boundingBox(),
      ),
    );
    return Math.max(...boxes.map((box) => box!.y)) < Math.min(...boxes.map((box) => box!.y + box!.height));
  };

  async function upload(width: number, height: number): Promise<void> {
    const logo = await sharp({ create: { width, height, channels: 3, background: '#e8590c' } })
      .png()
      .toBuffer();
    await page.setViewportSize(SIZES.desktop);
    await page.goto(`${panel.url}/admin/settings?tab=user`);
    for (const name of ['loa', 'lob', 'loc'])
      await page.setInputFiles(`#set-${name}`, { name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.getByRole('button', { name: 'Save pictures' }).click();
    await expect
      .poll(() =>
        page
          .evaluate(
            '(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector("aside img.brand-logo") ?? {})',
          )
          .catch(() => null),
      )
      .toEqual([width, height]);
  }

  it.each([
    ['none', 0, 0],
    ['wide', 480, 60],
    ['square', 120, 120],
    ['tall', 60, 480],
  ])('%s: the site’s name is complete on a desktop, and the header of a phone is one row', async (kind, width, height) => {
    if (width > 0) await upload(width, height);
    await page.goto(`${panel.url}/admin/settings?tab=user`);
    await picture(page, `logo-${kind}-desktop`);
    expect(await isCutOff()).toBe(false);
    await page.setViewportSize(SIZES.phone);
    await picture(page, `logo-${kind}-phone`);
    expect(await isOneRow()).toBe(true);
    expect(await isCutOff()).toBe(false);
    await page.goto(`${panel.url}/`);
    await picture(page, `logo-${kind}-home-phone`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SIZES.phone.width);
    await page.setViewportSize(SIZES.desktop);
    await picture(page, `logo-${kind}-home-desktop`);
  });

  it('are shown on the login page, and can be removed', async () => {
    const visitor = await newPage(browser, 'en-US', problems);
    await visitor.goto(`${panel.url}/user/login`);
    await visitor.locator('img.brand-logo').waitFor();
    await picture(visitor, 'logo-login');
    await visitor.close();
    await page.goto(`${panel.url}/admin/settings?tab=user`);
    for (const name of ['loa', 'lob', 'loc']) await page.locator(`[name=${name}sc]`).check();
    await page.getByRole('button', { name: 'Save pictures' }).click();
    await brand().locator('.brand-mark').waitFor();
    expect(await page.locator('.logo-preview').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
