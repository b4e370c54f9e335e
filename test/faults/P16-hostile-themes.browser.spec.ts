import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser } from '../support/browser.js';
import { SCRIPTS } from '../support/hostile-themes.js';
import type { TestPanel } from '../support/panel.js';

const PAGE = `<!doctype html><html lang="en"><head>{% partial 'head' %}</head>
<body {% partial 'body_data' %}><p id="mine">mine</p>${SCRIPTS}</body></html>`;

/** Puts a theme into the installation's folder manually. */
function put(dataDir: string, name: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(dataDir, 'themes', name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Reads every password typed on its page, and reports how often it ran. */
const WATCHER = `
window.ran = (window.ran || 0) + 1;
addEventListener('input', ({ target }) => { if (target.type === 'password') window.stolen = target.value; });
`;
const WATCHING = PAGE.replace(SCRIPTS, '<a id="in" href="/user/login" hx-get="/user/login" hx-target="#mine">Sign in</a>');
const SIGNING_IN = PAGE.replace(SCRIPTS, '<label>Password<input id="password" type="password"></label>');

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
      put(dataDir, 'thief', files);
      put(dataDir, 'watcher', {
        'theme.json': JSON.stringify({ title: 'Watcher', scripts: [{ file: 'scripts/watch.js' }] }),
        'home/index.liquid': WATCHING,
        'user/login.liquid': SIGNING_IN,
        'scripts/watch.js': WATCHER,
      });
    },
  );

  it('runs none of its scripts, however they are written', async () => {
    expect(await panel.admin('settheme', { usertheme: 'thief', admintheme: 'default', hometheme: 'thief' })).toMatchObject({
      success: true,
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const path of ['/', '/user/login']) {
      await page.goto(panel.url + path);
      await page.locator('#mine').waitFor();
      // The page script has run: its libraries have done everything they would do for the theme.
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

  it('with a granted script reads no password, wherever its pages lead', async () => {
    const name = 'watcher';
    await panel.admin('settheme', { usertheme: name, admintheme: 'default', hometheme: name });
    const { sha256 } = (await panel.admin('theme_scripts', { name })).rows[0] as unknown as { sha256: string };
    const grant = (pages: string) => panel.admin('theme_script_grant', { name, file: 'scripts/watch.js', sha256, pages });
    const context = await browser.newContext();
    const page = await context.newPage();
    const ran = (where: Page = page): Promise<unknown> => where.evaluate('[window.ran ?? 0, window.stolen ?? null]');
    const type = async (where: Page): Promise<void> => {
      await where.locator('#password').fill('s3cret');
      await where.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    };
    const home = async (): Promise<void> => {
      await page.goto(panel.url);
      await page.waitForFunction('window.htmx');
    };
    await home();
    expect(await ran()).toEqual([0, null]);
    expect(await grant('plain')).toMatchObject({ success: true });
    await home();
    expect(await ran()).toEqual([1, null]);

    // htmx would put the form into the page on which the script runs.
    await page.locator('#in').click();
    await page.waitForURL('**/user/login');
    await type(page);
    expect(await ran()).toEqual([0, null]);
    // Back, and meanwhile in another tab.
    const other = await context.newPage();
    await other.goto(`${panel.url}/user/login`);
    await page.goBack();
    await page.locator('#in').waitFor();
    await type(other);
    expect(await ran(other)).toEqual([0, null]);
    expect(await page.evaluate('window.stolen ?? null')).toBeNull();

    // A frame or window of its page shows nothing it could read.
    await home();
    await page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: '/user/login', onload: resolve });
      document.body.append(frame);
    })`);
    expect(await page.evaluate("document.querySelector('iframe').contentDocument?.querySelector('#password') ?? null")).toBeNull();
    const opened = context.waitForEvent('page');
    await page.evaluate("void (window.own = window.open('/user/login'))");
    await type(await opened);
    const reach = "window.own.closed ? null : window.own.document.querySelector('#password').value";
    expect(await page.evaluate(`(() => { try { return ${reach}; } catch { return null; } })()`)).toBeNull();
    expect(await (await opened).evaluate('window.opener')).toBeNull();

    // Only a second grant permits the script there; without any grant it is removed.
    expect(await grant('all')).toMatchObject({ success: true });
    await page.goto(`${panel.url}/user/login`);
    await type(page);
    expect(await ran()).toEqual([1, 's3cret']);
    await panel.admin('theme_script_revoke', { name, file: 'scripts/watch.js' });
    for (const path of ['/', '/user/login']) {
      await page.goto(panel.url + path);
      expect(await ran()).toEqual([0, null]);
    }
    await context.close();
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
  });
});
