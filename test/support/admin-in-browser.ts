import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { launchBrowser, newPage, signInAsAdmin } from './browser.js';
import { TestPanel } from './panel.js';

/** Panel, and a browser page in English with its administrator signed in. */
export interface AdminInBrowser {
  readonly panel: TestPanel;
  readonly browser: Browser;
  readonly page: Page;
}

/**
 * Starts both before the tests of a `describe` and closes them afterwards.
 *
 * @param opened receives them
 * @param prepare prepares the panel before the administrator signs in
 * @param env environment variables of the panel
 * @returns errors of the page, appended as they occur
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
