import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, picture } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('tabs of the settings', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, page } = opened));

  it.each([390, 800, 1_100, 1_280])('show the current one, and on larger screens all of them, at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${panel.url}/admin/settings?tab=site`);
    const names = await page.locator('[data-tabs] a').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    expect(names.length).toBeGreaterThan(8);
    for (const href of [names[0]!, names.at(-1)!]) {
      await page.goto(panel.url + href);
      // Complete, within the row and the window.
      const isSeen = () =>
        page.locator('[data-tabs] [aria-current]').evaluate((tab, most) => {
          const [own, row] = [tab.getBoundingClientRect(), tab.closest('.card-header')!.getBoundingClientRect()];
          return own.left >= row.left - 1 && own.right <= row.right + 1 && own.right <= most;
        }, width);
      await expect.poll(isSeen).toBe(true);
    }
    if (width >= 768) {
      const ends = await page.locator('[data-tabs] a').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().right));
      expect(Math.max(...ends)).toBeLessThanOrEqual(width);
    }
    await picture(page, `settings-tabs-${width}`);
    expect(problems).toEqual([]);
  });
});
