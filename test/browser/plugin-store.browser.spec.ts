/** A plugin's life by clicks: found in the store, installed, upgraded, rolled back automatically and manually, uploaded, uninstalled. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreWatch } from '../../src/plugin-store/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import type { TestPanel } from '../support/panel.js';
import { functionPlugin } from '../support/plugins.js';
import { formOf, submit, zipOf } from '../support/store-packages.js';
import { type StoreClient, TestStore } from '../support/store.js';

const SLUG = 'mail_report';
const zipFor = (version: string, body = '', manifest: object = {}): Promise<Buffer> =>
  zipOf(SLUG, {
    'plugin.json': JSON.stringify({ id: SLUG, name: 'Mail report', version, ...manifest }),
    'index.js': functionPlugin(`svc.svc_register_route('GET', '/report', () => '${version}'); ${body}`),
  });

const store = hasBrowser ? await TestStore.start() : null;

describe.skipIf(!hasBrowser)('the store inside the panel, in a browser', () => {
  let panel: TestPanel;
  let page: Page;
  let admin: StoreClient;
  let alice: StoreClient;
  let item = 0;
  const problems = adminInBrowser((opened) => ({ panel, page } = opened), undefined, {
    SERVICES: 'panel,worker',
    STORE_URL: store?.url,
  });
  beforeAll(async () => {
    [admin, alice] = [await store!.member('Root', 'admin'), await store!.member('Alice')];
    const fields = { name: 'Mail report', price: '9.90', category: '通知', description: '<p>Sends a <b>report</b> each week.</p>' };
    const { data } = await submit(alice, SLUG, fields, await zipFor('1.0.0', '', { permissions: ['customers', 'routes'] }));
    item = data.id;
    await approve();
    for (let at = 0; at < 14; at += 1) {
      const other = await submit(alice, `other_${at}`, { name: `Other ${at}`, description: '<p>Something else</p>' });
      await admin.call('PUT', `/admin/items/${other.data.id}/approve`);
    }
  });
  afterAll(async () => {
    await store?.close();
    expect(problems).toEqual([]);
  });

  const approve = async (): Promise<void> => expect((await admin.call('PUT', `/admin/items/${item}/approve`)).status).toBe(200);
  async function publish(version: string, body = ''): Promise<void> {
    const zip = await zipFor(version, body, { permissions: ['customers', 'routes'] });
    await alice.call('POST', `/developer/items/${item}/versions`, formOf({ version, changelog: `What is new in ${version}` }, zip));
    await approve();
    await panel.get(StoreWatch).check();
  }
  const looked = (path: string, name: string): Promise<void> =>
    lookAt(page, `${panel.url}${path}`, name, async () => expect(await seriousFindings(page)).toEqual([]));
  const served = async (): Promise<string> => (await panel.fetch('/report')).text();
  const row = () => page.locator('#plugins tr').filter({ has: page.getByText(SLUG, { exact: false }).or(page.getByText('Mail report')) });
  const confirm = (name: string): Promise<void> => page.getByRole('dialog').getByRole('button', { name }).click();

  /** An action of the plugin's row, whether it is a button or in its menu. */
  async function act(name: string): Promise<void> {
    const button = row().getByRole('button', { name, exact: true });
    if (!(await button.isVisible())) await row().getByRole('button', { name: 'More' }).click();
    await button.click();
    await confirm(name);
  }

  it('can be searched, and shows what a plugin is, costs and requires before it is installed', async () => {
    await page.goto(`${panel.url}/admin/plugins`);
    await page.getByRole('link', { name: 'Plugin store' }).first().click();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('2 / 2').waitFor();
    await looked('/admin/plugin-store', 'plugin-store');
    await page.goto(`${panel.url}/admin/plugin-store`);
    await page.getByRole('searchbox', { name: 'Search' }).fill('report');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Mail report' }).click();
    await looked(`/admin/plugin-store-item?slug=${SLUG}`, 'plugin-store-item');
    await page.goto(`${panel.url}/admin/plugin-store-item?slug=${SLUG}`);
    expect(await page.locator('#content').innerText()).toContain('The price is set by Alice');
    await page.getByRole('button', { name: 'Install 1.0.0' }).click();
    const question = await page.getByRole('dialog').innerText();
    expect(question).toContain('SHA-256');
    expect(question).toContain('It sees customers');
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.getByText('Installed', { exact: true }).first().waitFor();
    expect(await served()).toBe('1.0.0');
    // After the installation, its page has the setting for beta versions.
    await looked(`/admin/plugin-store-item?slug=${SLUG}`, 'plugin-store-item-installed');
    await page.goto(`${panel.url}/admin/plugin-store-item?slug=${SLUG}`);
    const betas = page.getByRole('combobox', { name: 'Betas' });
    expect((await betas.locator('option:checked').innerText()).trim()).toBe('Same as all plugins: not offered');
    await betas.selectOption('Offer betas');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save' }).click()]);
    expect(await betas.inputValue()).toBe('true');
  });

  it('is upgraded from the list, rolled back automatically when it does not start, and rolled back manually', async () => {
    await publish('2.0.0');
    await page.goto(`${panel.url}/admin/plugins`);
    expect(await row().innerText()).toContain('Version 2.0.0 is available');
    await looked('/admin/plugins', 'plugins-newer');
    await page.goto(`${panel.url}/admin/plugins`);
    await act('Upgrade');
    await expect.poll(served, { timeout: 30_000 }).toBe('2.0.0');
    await expect.poll(() => row().innerText(), { timeout: 30_000 }).not.toContain('is available');
    await publish('3.0.0', "throw new Error('It is raining.');");
    await page.goto(`${panel.url}/admin/plugins`);
    await act('Upgrade');
    await page.getByText('It is raining.').first().waitFor();
    expect(await served()).toBe('2.0.0');
    await act('Roll back');
    await expect.poll(served, { timeout: 30_000 }).toBe('1.0.0');
  });

  it('has themes as well, which are found, installed, listed in the history and enabled', async () => {
    const files = { 'theme.json': '{"name":"coast","title":"Coast","version":"1.0.0"}', 'home/index.liquid': 'The coast' };
    const { data } = await submit(alice, 'coast', { type: 'theme', name: 'Coast' }, await zipOf('coast', files));
    await admin.call('PUT', `/admin/items/${data.id}/approve`);
    await page.goto(`${panel.url}/admin/themes`);
    await page.getByRole('link', { name: 'Themes in the store' }).click();
    await looked('/admin/theme-store', 'theme-store');
    await page.goto(`${panel.url}/admin/theme-store`);
    await page.getByRole('link', { name: 'Coast' }).click();
    await looked('/admin/theme-store-item?slug=coast', 'theme-store-item');
    await page.goto(`${panel.url}/admin/theme-store-item?slug=coast`);
    await page.getByRole('button', { name: 'Install 1.0.0' }).click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.locator('#content').getByRole('link', { name: 'Installed themes' }).last().click();
    await page.locator('#theme-history').getByText('From the store').waitFor();
    await looked('/admin/themes', 'themes-history');
    // After the installation, its page has the setting for beta versions.
    await looked('/admin/theme-store-item?slug=coast', 'theme-store-item-installed');
    await page.goto(`${panel.url}/admin/theme-store-item?slug=coast`);
    await page.getByRole('combobox', { name: 'Betas' }).selectOption('Offer betas');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Save' }).click()]);
    expect(await page.getByRole('combobox', { name: 'Betas' }).inputValue()).toBe('true');
  });

  it('is checked for updates, and shows whose key it has', async () => {
    await page.goto(`${panel.url}/admin/plugin-store`);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Check for updates' }).click()]);
    await page.getByText("Has the store's key changed?").click();
    await page.getByLabel('New key').fill('0123456789abcdef');
    await page.getByRole('button', { name: 'Trust this key' }).click();
    await page.getByText('Compare it again').first().waitFor();
  });

  it('is uploaded as a ZIP, and uninstalled with its files', async () => {
    await page.goto(`${panel.url}/admin/plugins`);
    await page.getByRole('button', { name: 'Upload a ZIP' }).click();
    const zip = await zipFor('4.0.0', '', { permissions: ['customers', 'dns', 'routes'] });
    await page.getByLabel('ZIP', { exact: true }).setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: zip });
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click();
    await page.getByRole('dialog').getByText('permissions: dns').waitFor();
    await page.getByLabel('Allow the permissions it asks for').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).click();
    await expect.poll(served, { timeout: 30_000 }).toBe('4.0.0');
    await page.goto(`${panel.url}/admin/plugins`);
    await act('Disable');
    await expect.poll(() => row().innerText(), { timeout: 30_000 }).toContain('Disabled');
    await act('Uninstall and delete data');
    await expect.poll(() => row().count(), { timeout: 30_000 }).toBe(0);
  });
});
