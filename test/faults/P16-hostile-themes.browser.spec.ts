import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser } from '../support/browser.js';
import { SCRIPTS } from '../support/hostile-themes.js';
import type { TestPanel } from '../support/panel.js';

const PAGE = `<!doctype html><html lang="en"><head>{% partial 'head' %}</head>
<body {% partial 'body_data' %}><p id="mine">mine</p>${SCRIPTS}</body></html>`;

describe.skipIf(!hasBrowser)('a hostile theme in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  adminInBrowser(
    (opened) => ({ panel, browser } = opened),
    async ({ dataDir }) => {
      const files = {
        'theme.json': '{"title":"Thief"}',
        'home/index.liquid': PAGE,
        'user/login.liquid': PAGE,
        'assets/own.js': 'window.stolen=1',
      };
      for (const [path, content] of Object.entries(files)) {
        const file = join(dataDir, 'themes/thief', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    },
  );

  it('runs no script of its own, however it is written', async () => {
    expect(await panel.admin('settheme', { usertheme: 'thief', admintheme: 'default', hometheme: 'thief' })).toMatchObject({
      success: true,
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const path of ['/', '/user/login']) {
      await page.goto(panel.url + path);
      await page.locator('#mine').waitFor();
      // The script of pages has run: what its libraries would have done for the theme is done.
      await page.waitForFunction('window.htmx && window.Alpine');
      await page.locator('#link').click();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
      expect(await page.evaluate('window.stolen ?? null')).toBeNull();
    }
    await context.close();
    expect(await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' })).toMatchObject({
      success: true,
    });
  });
});
