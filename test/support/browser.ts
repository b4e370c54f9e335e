import { existsSync } from 'node:fs';

import { chromium, type Browser, type Page } from 'playwright-core';

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

/** Whether there is a browser to test with. */
export const hasBrowser = existsSync(CHROMIUM);

/** Starts Chromium. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A page in a context of its own; what the browser complains about lands in `problems`. */
export async function newPage(browser: Browser, locale: 'en-US' | 'zh-CN', problems: string[]): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, locale })).newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

/** Signs in as the administrator. */
export async function signInAsAdmin(page: Page, url: string, password = 'svc-panel-admin'): Promise<void> {
  await page.goto(`${url}/admin/login`);
  await page.fill('#username', 'admin');
  await page.fill('#password', password);
  await page.click('form [type=submit]');
  await page.waitForURL(`${url}/admin/`);
}
