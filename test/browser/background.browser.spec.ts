import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { BackgroundQueue, TaskRegistry, type TaskTurn } from '../../src/jobs/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('background work', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser((opened) => ({ panel, page } = opened));

  it('shows a progress bar that moves without a reload, and ends a task on a click', async () => {
    const queue = panel.get(BackgroundQueue);
    const handlers = panel.get(TaskRegistry);
    let tell!: TaskTurn['progress'];
    handlers.add({
      name: 'test.import',
      run: (_payload, turn: TaskTurn) =>
        new Promise((_resolve, reject) => {
          tell = turn.progress;
          turn.signal.addEventListener('abort', () => reject(turn.signal.reason as Error));
        }),
    });
    handlers.add({ name: 'test.broken', attempts: 1, run: () => Promise.reject(new Error('The mail server refused the sender.')) });
    const broken = await queue.add('test.broken', null);
    await queue.add('test.nobody', null);
    const id = await queue.add('test.import', null, { by: 'admin' });
    await expect.poll(() => tell).toBeDefined();
    await expect.poll(async () => (await queue.find(broken))?.state).toBe('failed');
    tell(40, 100, 'host 40');
    await expect.poll(async () => (await queue.find(id))?.progress?.done).toBe(40);
    await lookAt(page, `${panel.url}/admin/background`, 'background', async () => {
      await page.locator(`[data-row="${id}"] progress[value="40"]`).waitFor();
    });
    // From here on nothing is reloaded.
    await page.evaluate("document.body.dataset.same = 'yes'");
    tell(80, 100, 'host 80');
    await page.locator(`[data-row="${id}"] progress[value="80"]`).waitFor();
    await page.locator(`[data-row="${id}"] [data-ajax="rwqx"]`).click();
    await page.locator('dialog[open] [value=yes]').click();
    await page.locator(`[data-row="${id}"] [data-ajax="rwcs"]`).waitFor();
    expect(await page.evaluate('document.body.dataset.same')).toBe('yes');
    expect(problems).toEqual([]);
  });
});
