import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt, newPage, picture, signInAsUser, SIZES } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

/** A theme that hides everything except one line, as poorly made ones do. */
const BARE = {
  'theme.json': JSON.stringify({
    ...{ title: 'Bare', version: '2.0.0', description: 'One line and nothing else.', author: 'Somebody' },
    scripts: [{ file: 'scripts/count.js', sides: ['home'], purpose: 'Counts to one' }],
  }),
  'scripts/count.js': 'document.body.dataset.count = 1;\n',
  'home/index.liquid': '<!doctype html><title>Bare</title><p id="bare">A bare home page</p>',
  'admin/index.liquid': '<!doctype html><title>Bare</title><p id="bare">No menu at all</p>',
  'user/login.liquid': '{% if %}',
};

/** A picture of one pixel. */
const PIXELS = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe.skipIf(!hasBrowser)('themes', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async ({ dataDir }) => {
      for (const [path, content] of Object.entries(BARE)) {
        const file = join(dataDir, 'themes/bare', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    },
  );
  const card = () => page.locator('#theme-card-bare');
  const open = () => page.goto(`${panel.url}/admin/themes`);
  const yes = () => page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();

  it('are previewed, enabled for everyone, and disabled again on a page that always works', async () => {
    const visitor = await newPage(browser, 'en-US', problems);
    await open();
    await card().getByRole('button', { name: 'Preview' }).click();
    await page.getByText('You are previewing “Bare”').waitFor();
    for (const [name, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await picture(page, `themes-${name}`);
    }
    await page.setViewportSize(SIZES.desktop);
    await page.goto(panel.url);
    await page.locator('#bare').waitFor();
    await visitor.goto(panel.url);
    expect(await visitor.locator('#bare').count()).toBe(0);

    await open();
    await page.getByRole('button', { name: 'End preview' }).click();
    await page.getByText('You are previewing').waitFor({ state: 'detached' });
    await card().getByRole('button', { name: 'Enable' }).click();
    await yes();
    await card().getByText('Home page: in use').waitFor();
    await visitor.goto(panel.url);
    await visitor.locator('#bare').waitFor();
    // Its broken view is replaced, and named.
    await visitor.goto(`${panel.url}/user/login`);
    await visitor.locator('#username').waitFor();
    await page.goto(`${panel.url}/admin/`);
    await page.locator('#bare').waitFor();
    await open();
    await card().getByText('user/login').waitFor();

    await page.locator('#theme-card-default').getByRole('button', { name: 'Enable' }).click();
    await yes();
    await page.locator('#theme-card-default').getByText('Home page: in use').waitFor();
    await visitor.goto(panel.url);
    expect(await visitor.locator('#bare').count()).toBe(0);
    await visitor.close();
    expect(problems).toEqual([]);
  });

  it('have settings previewed while typing by the person who sets them, and applied for everyone once saved', async () => {
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'horizon' });
    const visitor = await newPage(browser, 'en-US', problems);
    const band = (where: Page): Promise<string> =>
      where.evaluate("getComputedStyle(document.querySelector('.horizon-band')).backgroundImage");
    await lookAt(page, `${panel.url}/admin/theme?name=horizon`, 'theme-settings', async () =>
      expect(await seriousFindings(page)).toEqual([]),
    );
    await page.setViewportSize(SIZES.desktop);
    await page.goto(`${panel.url}/admin/theme?name=horizon&lang=en`);
    const preview = page.frameLocator('#theme-preview');
    await preview.locator('.horizon-steps').waitFor();
    await page.getByLabel('Text below the title (in English)').fill('Hosting at the sea');
    await page.getByLabel('Left colour of the band').fill('#ffee88');
    await page.getByLabel('Show the three steps').uncheck();
    await preview.getByText('Hosting at the sea').waitFor();
    await preview.locator('.horizon-steps').waitFor({ state: 'detached' });
    await page.getByLabel('Picture in the band').setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: PIXELS });
    await preview.locator('.horizon-band img').waitFor();
    await picture(page, 'theme-settings-preview');
    await visitor.goto(panel.url);
    expect(await visitor.getByText('Hosting at the sea').count()).toBe(0);
    const before = await band(visitor);

    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForEvent('load');
    await visitor.reload();
    await visitor.getByText('Hosting at the sea').waitFor();
    await visitor.locator('.horizon-band img').waitFor();
    expect(await band(visitor)).not.toBe(before);
    expect(await seriousFindings(visitor)).toEqual([]);

    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
    await page.waitForEvent('load');
    await visitor.reload();
    expect(await band(visitor)).toBe(before);
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
    await visitor.close();
    expect(problems).toEqual([]);
  });

  it('have scripts that run after they were read and approved', async () => {
    await open();
    await card().getByText('1 script of this theme does not run').waitFor();
    await card().getByRole('link', { name: 'Scripts' }).click();
    await page.getByText('Counts to one').waitFor();
    await lookAt(page, page.url(), 'theme-scripts', async () => expect(await seriousFindings(page)).toEqual([]));
    await page.setViewportSize(SIZES.desktop);
    await page.goto(`${panel.url}/admin/theme-scripts?name=bare&lang=en`);
    await page.getByText('Read script').click();
    await page.getByText('document.body.dataset.count = 1;').waitFor();
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Grant', exact: true }).click();
    await page.getByText('runs, except on pages with money or passwords').waitFor();
    await picture(page, 'theme-scripts-granted');
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'bare' });
    const visitor = await newPage(browser, 'en-US', problems);
    await visitor.goto(panel.url);
    await visitor.locator('body[data-count="1"]').waitFor();
    await page.getByRole('button', { name: 'Revoke grant' }).click();
    await page.getByText('does not run', { exact: true }).waitFor();
    await visitor.reload();
    expect(await visitor.locator('body[data-count]').count()).toBe(0);
    await visitor.close();
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
    expect(problems).toEqual([]);
  });

  it.each(['horizon', 'horizon-night'])('included with the panel fit every size, light and dark: %s', async (theme) => {
    await panel.signInUser();
    await panel.admin('settheme', { usertheme: theme, admintheme: 'default', hometheme: theme });
    const visitor = await newPage(browser, 'en-US', problems);
    await lookAt(visitor, panel.url, theme, async () => {
      expect(await visitor.locator('.horizon-band h1').count()).toBe(1);
      // axe does not check text on a gradient: all of it uses the text colour of the band.
      const inks = await visitor.evaluate<string[]>(
        "['', ' h1', ' p'].map((part) => getComputedStyle(document.querySelector('.horizon-band' + part)).color)",
      );
      expect(new Set(inks).size).toBe(1);
      expect(await seriousFindings(visitor)).toEqual([]);
    });
    // The user side has a menu across the page, which is opened on a phone.
    await signInAsUser(visitor, panel.url);
    await lookAt(visitor, `${panel.url}/user/files`, `${theme}-files`, async (language) => {
      if (language === 'zh-CN') await visitor.getByRole('button', { name: '展开或收起菜单' }).click();
      await visitor.locator('.horizon-menu .active').first().waitFor();
      expect(await seriousFindings(visitor)).toEqual([]);
    });
    await visitor.close();
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
    expect(problems).toEqual([]);
  });
});
