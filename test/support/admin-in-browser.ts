import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { launchBrowser, newPage, signInAsAdmin } from './browser.js';
import { TestPanel } from './panel.js';

/** A panel, and its administrator in an English browser. */
export interface AdminInBrowser {
  readonly panel: TestPanel;
  readonly browser: Browser;
  readonly page: Page;
}

/**
 * Opens them before the tests of a `describe` and closes them afterwards.
 *
 * @param opened takes them
 * @param prepare what the panel has before anybody signs in
 * @param env of the panel
 * @returns what the browser complains about, filled as it does
 */
export function adminInBrowser(
  opened: (parts: AdminInBrowser) => void,
  prepare?: (panel: TestPanel) => Promise<void>,
  env: NodeJS.ProcessEnv = {},
): string[] {
  const problems: string[] = [];
  let panel: TestPanel | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    panel = await TestPanel.start(env);
    await prepare?.(panel);
    browser = await launchBrowser();
    const page = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(page, panel.url);
    opened({ panel, browser, page });
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
  });
  return problems;
}
