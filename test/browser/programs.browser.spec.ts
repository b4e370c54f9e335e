/** One-click programs in a browser: the reseller adds one and tries it out, an owner pays and installs it, and takes it back. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DeployProgram, HostingAccount } from '../../src/hosting/index.js';
import { Orders, Settlement } from '../../src/payment/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { zipOf } from '../support/program-zip.js';

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe.skipIf(!hasBrowser)('one-click programs in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];
  let program: string;

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
    await look(admin, '/admin/deploy-programs', 'programs-ours');
    await admin.goto(`${panel.url}/admin/deploy-programs`);
    await admin.getByRole('link', { name: 'Add a program' }).click();
    await admin.getByLabel('Name').fill('Poster');
    await admin.getByLabel('Price').fill('5');
    await admin.getByLabel('Description').fill('One page with a title');
    const file = { name: 'poster.zip', mimeType: 'application/zip', buffer: await zipOf({ 'index.html': '<h1>Poster</h1>' }) };
    await admin.getByLabel('ZIP file', { exact: true }).setInputFiles(file);
    const [form, steps] = [admin.locator('[data-rows=bdf]'), admin.locator('[data-rows=czf]')];
    const row = (rows: typeof form, number: number) => rows.locator('[data-row]').nth(number - 1);
    await form.getByRole('button', { name: 'Add a field' }).click();
    await row(form, 1).getByLabel('Display name').fill('Title');
    await row(form, 1).getByLabel('Variable').fill('title');
    await row(form, 1).getByLabel('Required').selectOption('Yes');
    await form.locator('[data-rows-kind]').selectOption('single choice');
    await form.getByRole('button', { name: 'Add a field' }).click();
    await row(form, 2).getByLabel('Display name').fill('Colour');
    await row(form, 2).getByLabel('Variable').fill('colour');
    await row(form, 2).getByLabel('Required').selectOption('Yes');
    await row(form, 2).getByLabel('Choices').fill('red\nblue');
    for (const [kind, name] of [
      ['create a folder', 'late'],
      ['write a file', 'title.txt'],
      ['create a file', 'needless.txt'],
    ] as const) {
      await steps.locator('[data-rows-kind]').selectOption(kind);
      await steps.getByRole('button', { name: 'Add a step' }).click();
      await steps.locator('[data-row]').last().getByLabel('Name', { exact: true }).fill(name);
    }
    await row(steps, 2).getByLabel('Text', { exact: true }).fill('[sf_nobody]');
    await row(steps, 3).getByRole('button', { name: 'Remove' }).click();
    await row(steps, 1).getByRole('button', { name: 'Down' }).click();
    await admin.getByRole('button', { name: 'Save' }).click();
    // What is wrong is said at its row, which has moved.
    await row(steps, 1).getByText('nothing fills [sf_nobody]').waitFor();
    await row(steps, 1).getByLabel('Text', { exact: true }).fill('[sf_title] in [sf_colour]');
    await steps.getByRole('button', { name: 'Edit as JSON' }).click();
    const written = JSON.parse(await admin.getByLabel('Steps (JSON)').inputValue()) as object[];
    expect(written).toMatchObject([
      { cz: 'setwj', name: 'title.txt', nr: '[sf_title] in [sf_colour]' },
      { cz: 'xjwjj', name: 'late' },
    ]);
    await steps.getByRole('button', { name: 'Edit as rows' }).click();
    await admin.getByLabel('Add a picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PICTURE });
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.waitForURL('**/admin/program?id=*');
    program = /id=(\d+)/.exec(admin.url())![1]!;
    expect(await row(form, 2).getByLabel('Choices').inputValue()).toBe('red\nblue');
    await look(admin, '/admin/deploy-programs', 'programs-catalogue');
    await look(admin, `/admin/program?id=${program}`, 'programs-edit');
  });

  it('an owner pays for it once, fills in the form and has it', async () => {
    await user.goto(`${panel.url}/user/programs`);
    await user.locator('#programs tr', { hasText: 'Poster' }).getByRole('link', { name: 'Choose' }).click();
    await look(user, `/user/program?id=${program}`, 'programs-pay');
    await user.goto(`${panel.url}/user/program?id=${program}`);
    await user.getByRole('button', { name: 'Order and pay' }).click();
    await user.waitForURL('**/pay/order/**');
    const number = /order\/(\d+)/.exec(user.url())![1]!;
    const { id, amount } = (await panel.get(Orders).get(number))!;
    await panel.get(Orders).chooseType(id, 'sandbox__test');
    await panel.get(Settlement).settle(number, 'sandbox', { trade_no: 'browser-1', amount });
    await expect.poll(async () => (await user.goto(`${panel.url}/user/program?id=${program}`), user.getByLabel('Title').count())).toBe(1);
    await look(user, `/user/program?id=${program}`, 'programs-install');
    await user.goto(`${panel.url}/user/program?id=${program}`);
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
    await admin.goto(`${panel.url}/admin/host?id=${id}`);
    await admin.getByRole('link', { name: 'One-click programs' }).last().click();
    await admin.waitForURL(`**/admin/host-programs?id=${id}`);
    await look(admin, `/admin/host-programs?id=${id}`, 'programs-of-host');
  });

  it('a large archive goes up in pieces, and programs go from one panel to another', async () => {
    const large = await zipOf({ 'index.html': '<h1>Large</h1>', 'noise.bin': randomBytes(9 * 1_048_576) });
    await admin.goto(`${panel.url}/admin/program?id=${program}`);
    await admin.getByLabel('ZIP file of up to 512 MB').setInputFiles({ name: 'large.zip', mimeType: 'application/zip', buffer: large });
    // The page is shown anew once the archive is whole.
    const anew = admin.waitForEvent('load');
    await admin.getByRole('button', { name: 'Upload', exact: true }).click();
    await anew;
    await expect
      .poll(
        async () =>
          (
            await panel
              .get(Database)
              .repository(DeployProgram)
              .findOneByOrFail({ id: Number(program) })
          ).archiveSize,
      )
      .toBe(large.length);
    await admin.goto(`${panel.url}/admin/deploy-programs`);
    const [download] = await Promise.all([admin.waitForEvent('download'), admin.getByRole('link', { name: 'Export all' }).click()]);
    const path = await download.path();
    await panel.admin('cxsc', { id: program });
    await admin.getByLabel('ZIP file of an export').setInputFiles(path);
    await admin.getByRole('button', { name: 'Import', exact: true }).click();
    // Those that are there already are told, and left alone.
    await admin.locator('[data-pieces-words]').getByText('1 programs were added.').waitFor();
    const back = await panel.get(Database).repository(DeployProgram).findOneByOrFail({ name: 'Poster' });
    expect(back).toMatchObject({ archiveSize: large.length, onShelf: false, price: 500 });
  });

  it('begins with the steps of WordPress, which fetches nothing before it is saved', async () => {
    await admin.goto(`${panel.url}/admin/program-new`);
    await admin.getByRole('link', { name: 'WordPress' }).click();
    await expect.poll(() => admin.getByLabel('Name', { exact: true }).first().inputValue()).toBe('WordPress');
    expect(await admin.locator('[data-rows=czf] [data-row]').count()).toBe(6);
    await look(admin, '/admin/program-new?of=wordpress', 'programs-wordpress');
  });
});
