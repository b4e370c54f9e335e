/** Moving a site and emptying a server, in a browser, from the host page to the end of the old site. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { FakeServer, startFakeServer } from '../support/agent-server.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin } from '../support/browser.js';
import type { FakeAgent } from '../support/fake-agent.js';
import { OwnerClient } from '../support/owner-client.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('moving a site', () => {
  let browser: Browser;
  let panel: TestPanel;
  let page: Page;
  let host: string;
  const agents: FakeAgent[] = [];
  const [one, two] = [new FakeServer(), new FakeServer()];
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    agents.push(await startFakeServer(panel, 'one', one), await startFakeServer(panel, 'two', two));
    host = (await OwnerClient.open(panel, 'owner01', 'one')).id;
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(page, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(agents.map((agent) => agent.stopNow()));
    await panel?.close();
    one.dispose();
    two.dispose();
  });

  const on = async () =>
    (
      await panel
        .get(Database)
        .repository(HostingAccount)
        .findOneByOrFail({ id: Number(host) })
    ).nodeCode;
  const look = async (address: string, name: string): Promise<void> => {
    await lookAt(page, address, name, async () => {});
    expect([name, await seriousFindings(page)]).toEqual([name, []]);
    await page.goto(address);
  };
  const confirm = async (name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button').last().click();
  };

  it('starts from the host page: a preview, the move, and back within the week', async () => {
    await page.goto(`${panel.url}/admin/host?id=${host}`);
    await page.getByRole('link', { name: 'Move to another server' }).click();
    await page.selectOption('#move-target', 'local');
    await page.getByRole('button', { name: 'Check the move' }).click();
    await page.getByText('that server has no PHP').waitFor();
    await look(`${panel.url}/admin/host-move?id=${host}&btdh=local`, 'move-unfit');
    await page.selectOption('#move-target', 'two');
    await page.getByRole('button', { name: 'Check the move' }).click();
    await page.getByText('The old site is kept for 7 days').waitFor();
    await look(`${panel.url}/admin/host-move?id=${host}&btdh=two`, 'move-fits');
    await confirm('Move now');
    await expect.poll(on, { timeout: 20_000 }).toBe('two');
    await page.getByRole('button', { name: 'Roll back' }).waitFor();
    await look(`${panel.url}/admin/host-move?id=${host}`, 'move-kept');
    await confirm('Roll back');
    await expect.poll(on, { timeout: 20_000 }).toBe('one');
    await page.getByRole('button', { name: 'Remove old site now' }).waitFor();
    await confirm('Remove old site now');
    await page.getByText('Moved', { exact: true }).first().waitFor();
    await look(`${panel.url}/admin/moves`, 'moves');
  });

  it('includes all others when a server is emptied', async () => {
    const { id } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'one' });
    await page.goto(`${panel.url}/admin/server?id=${id}`);
    await page.getByRole('link', { name: 'Empty this server' }).click();
    await look(`${panel.url}/admin/server-emptying?id=${id}`, 'emptying');
    await page.selectOption('#emptying-target', 'two');
    await page.getByRole('button', { name: 'Empty the server' }).click();
    await expect.poll(on, { timeout: 20_000 }).toBe('two');
    await look(`${panel.url}/admin/server-emptying?id=${id}`, 'emptying-under-way');
    expect(problems).toEqual([]);
  });
});
