import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { chromium, type Browser, type BrowserContextOptions, type Page, type PageScreenshotOptions } from 'playwright-core';
import { expect } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';

const PICTURES = process.env.SCREENSHOTS;
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether a browser is installed. */
export const hasBrowser = existsSync(CHROMIUM);

/**
 * Starts Chromium.
 *
 * @param flags additional flags, such as `--host-resolver-rules=…`
 */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** Viewport sizes in which pages are checked. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
/** Language in which pages are checked. */
export type Language = 'zh-CN' | 'en';

/**
 * Opens a page in a new browser context and collects its errors in `problems`.
 *
 * @param wanted errors that the test itself causes
 */
export async function newPage(
  browser: Browser,
  options: 'en-US' | 'zh-CN' | BrowserContextOptions,
  problems: string[],
  wanted = /^(?!)/,
): Promise<Page> {
  const more = typeof options === 'string' ? { locale: options } : options;
  const page = await (await browser.newContext({ viewport: SIZES.desktop, ...more })).newPage();
  // Pages load slowly on a busy machine.
  page.setDefaultTimeout(30_000);
  overtakeReloads(page);
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !wanted.test(message.text())) problems.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

/** Retries `goto` if it was aborted because the page was just reloading after a saved form. */
function overtakeReloads(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = (...args) =>
    goto(...args).catch((error: Error) => {
      if (!error.message.includes('net::ERR_ABORTED')) throw error;
      return goto(...args);
    });
}

/** Saves a screenshot of a page to the folder `SCREENSHOTS`: `SCREENSHOTS=docs/screenshots npm run test:browser`. */
export async function picture(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (PICTURES) await page.screenshot({ path: resolve(PACKAGE_ROOT, PICTURES, `${name}.png`), ...options });
}

/** Language, the size in which a page is opened, and the size it is resized to. */
const LOOKS = [
  ['zh-CN', 'phone', 'desktop'],
  ['en', 'desktop', 'phone'],
] as const;

/**
 * Opens a page in both languages and sizes, saves screenshots, and fails if the page overflows horizontally. `check` runs once in each
 * language: in Chinese on a phone, in English on a desktop. Leaves the page in English on a desktop.
 */
export async function lookAt(page: Page, address: string, name: string, check: (language: Language) => Promise<void>): Promise<void> {
  for (const [language, first, then] of LOOKS) {
    await page.setViewportSize(SIZES[first]);
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
    await check(language);
    for (const size of [first, then]) {
      await page.setViewportSize(SIZES[size]);
      await picture(page, `${name}-${language}-${size}`, { fullPage: true });
      await expectToFit(page, size, address);
    }
  }
  await page.setViewportSize(SIZES.desktop);
}

/** Fails if the page overflows horizontally; polls, because charts are redrawn after a resize. */
async function expectToFit(page: Page, size: keyof typeof SIZES, address: string): Promise<void> {
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
  await expect.poll(width, { message: `${address} on a ${size}` }).toBe(SIZES[size].width);
}

/** Signs in as the administrator. */
export function signInAsAdmin(page: Page, url: string, password = 'svc-panel-admin'): Promise<void> {
  return signIn(page, `${url}/admin/`, 'admin', password);
}

/** Signs in as a customer with the form, by default the one `TestPanel.signInUser` creates. */
export function signInAsUser(page: Page, url: string, user = 'owner01', password = 'secret-pass-1'): Promise<void> {
  return signIn(page, `${url}/user/`, user, password);
}

async function signIn(page: Page, home: string, user: string, password: string): Promise<void> {
  await page.goto(`${home}login`);
  await page.fill('#username', user);
  await page.fill('#password', password);
  await page.click('form [type=submit]');
  await page.waitForURL(home);
}
