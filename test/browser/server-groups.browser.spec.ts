/** Groups of servers in a browser: created, selected in a plan, shown on the server pages. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DriverRegistry } from '../../src/hosting/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin } from '../support/browser.js';
import { FakeDriver } from '../support/fake-driver.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('server groups in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    panel.get(DriverRegistry).register(new FakeDriver());
    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
    for (const bh of ['east', 'west']) await panel.admin('addbt', { bh, driver: 'fake', ip: '127.0.0.1', rl: '1' });
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  it('a group is added, selected for a plan and for a host, and shows how full it is', async () => {
    await admin.goto(`${panel.url}/admin/server-groups`);
    await admin.getByRole('button', { name: 'Add group' }).first().click();
    const dialog = admin.locator('#add-group');
    await dialog.getByLabel('Name').fill('Coast');
    await dialog.getByLabel('Code').fill('no spaces');
    await dialog.getByLabel('One after another').check();
    for (const code of ['east', 'west']) await dialog.getByRole('checkbox', { name: code }).check();
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByText('1 to 48 letters').first().waitFor();
    await dialog.getByLabel('Code').fill('coast');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await admin.locator('#server-groups').getByText('auto:coast').waitFor();

    await admin.goto(`${panel.url}/admin/plugin.php?p=hosting_shop&page=plan`);
    await admin.getByLabel('Server', { exact: true }).selectOption({ label: 'Group: Coast' });
    await admin.getByLabel('Name', { exact: true }).fill('Coastal');
    await admin.locator('#plan-price').fill('5');
    await admin.getByRole('button', { name: 'Save' }).first().click();
    await admin.locator('table').getByText('Coastal').waitFor();
    await admin.locator('table').getByText('Coast', { exact: true }).waitFor();

    await admin.goto(`${panel.url}/admin/hosts`);
    await admin.getByRole('button', { name: 'Add' }).first().click();
    const host = admin.locator('#add-host');
    await host.locator('#host-node').selectOption('auto:coast');
    await host.locator('#host-user').fill('seaside');
    await host.locator('#host-pass').fill('a-password-of-my-own');
    await host.locator('button[type=submit]').click();
    await admin.locator('#hosts').getByText('seaside').first().waitFor();
    await admin.locator('#hosts tbody tr', { hasText: 'seaside' }).getByText('east').waitFor();

    await admin.goto(`${panel.url}/admin/server-groups`);
    await admin.locator('#server-groups').getByRole('link', { name: 'Coast' }).first().click();
    await admin.locator('#group-servers').getByText('Full').waitFor();
    await admin.getByLabel('Name').fill('Seaboard');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByRole('heading', { name: 'Seaboard' }).waitFor();

    for (const [path, name, text] of [
      ['server-groups', 'groups', 'auto:coast'],
      ['server-group?id=1', 'group', 'auto:coast'],
      ['server?id=2', 'group-server', 'Seaboard'],
    ] as const)
      await lookAt(admin, `${panel.url}/admin/${path}`, `server-${name}`, async () => {
        await admin.getByText(text).first().waitFor();
        expect(await seriousFindings(admin)).toEqual([]);
      });
  });
});
