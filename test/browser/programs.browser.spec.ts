/** One-click programs in a browser: the reseller adds one and tries it out, an owner pays and installs it, and takes it back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { Orders, Settlement } from '../../src/payment/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { zipOf } from '../support/program-zip.js';

const FORM =
  '[{"cz":"input","ltaler":"Title","blx":"title","bt":"是"},{"cz":"dxk","ltaler":"Colour","blx":"colour","bt":"是","xknr":"red,blue"}]';
const STEPS = '[{"cz":"setwj","ml":"/","name":"title.txt","nr":"[sf_title] in [sf_colour]"}]';

describe.skipIf(!hasBrowser)('one-click programs in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    await panel.enable('sandbox');
    await panel.signInUser();
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });

  const look = (page: Page, path: string, name: string) =>
    lookAt(page, panel.url + path, name, async () => expect(await seriousFindings(page)).toEqual([]));

  it('the reseller adds a program, is told what is wrong with its steps, and offers it', async () => {
    await look(admin, '/admin/deploy-programs', 'programs-none');
    await admin.goto(`${panel.url}/admin/deploy-programs`);
    await admin.getByRole('link', { name: 'Add a program' }).click();
    await admin.getByLabel('Name').fill('Poster');
    await admin.getByLabel('Price').fill('5');
    await admin.getByLabel('Description').fill('One page with a title');
    const file = { name: 'poster.zip', mimeType: 'application/zip', buffer: await zipOf({ 'index.html': '<h1>Poster</h1>' }) };
    await admin.getByLabel('ZIP file', { exact: true }).setInputFiles(file);
    await admin.getByLabel('Form (JSON)').fill(FORM);
    await admin.getByLabel('Steps (JSON)').fill('[{"cz":"sudo"}]');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByText('Step 1: "sudo" is no step this panel knows.').first().waitFor();
    await admin.getByLabel('Steps (JSON)').fill(STEPS);
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.waitForURL('**/admin/program?id=1');
    await look(admin, '/admin/deploy-programs', 'programs-catalogue');
    await look(admin, '/admin/program?id=1', 'programs-edit');
  });

  it('an owner pays for it once, fills in the form and has it', async () => {
    await user.goto(`${panel.url}/user/programs`);
    await user.locator('#programs').getByRole('link', { name: 'Choose' }).click();
    await look(user, '/user/program?id=1', 'programs-pay');
    await user.goto(`${panel.url}/user/program?id=1`);
    await user.getByRole('button', { name: 'Order and pay' }).click();
    await user.waitForURL('**/pay/order/**');
    const number = /order\/(\d+)/.exec(user.url())![1]!;
    const { id, amount } = (await panel.get(Orders).get(number))!;
    await panel.get(Orders).chooseType(id, 'sandbox__test');
    await panel.get(Settlement).settle(number, 'sandbox', { trade_no: 'browser-1', amount });
    await expect.poll(async () => (await user.goto(`${panel.url}/user/program?id=1`), user.getByLabel('Title').count())).toBe(1);
    await look(user, '/user/program?id=1', 'programs-install');
    await user.goto(`${panel.url}/user/program?id=1`);
    await user.getByLabel('Title').fill('Fresh bread');
    await user.getByLabel('Colour').selectOption('blue');
    await user.getByRole('button', { name: 'Install' }).click();
    await user.locator('dialog[open], .modal.show').getByRole('button').last().click();
    await user.waitForURL('**/user/programs');
    await user.locator('#deployments').getByText('Installed', { exact: true }).waitFor();
    const { siteName } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    const title = () => readFileSync(join(panel.dataDir, 'sites', siteName, 'public', 'title.txt'), 'utf8');
    expect(title()).toBe('Fresh bread in blue');
    await look(user, '/user/programs', 'programs-installed');
  });

  it('takes it back: the site is what it was', async () => {
    await user.goto(`${panel.url}/user/programs`);
    await user.locator('#deployments').getByRole('button', { name: 'Take back' }).click();
    await user.locator('dialog[open], .modal.show').getByRole('button').last().click();
    await user.locator('#deployments').getByText('Taken back', { exact: true }).waitFor({ timeout: 15_000 });
    const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    await look(admin, `/admin/host-programs?id=${id}`, 'programs-of-host');
  });
});
