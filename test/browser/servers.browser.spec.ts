/** Servers as administrators use them: one of a plugin's kind is added, and differences on it are found and repaired. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingNode, HostingService } from '../../src/hosting/index.js';
import { PluginTables } from '../../src/plugin-registry/tables/plugin-tables.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { writeBoxPlugin } from '../support/box-plugin.js';
import { hasBrowser, lookAt, picture } from '../support/browser.js';
import { FAKE_PANEL_KEY, FakeBaota } from '../support/fake-baota.js';
import { type TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('servers in a browser', () => {
  let panel: TestPanel;
  let page: Page;
  adminInBrowser(
    (opened) => ({ panel, page } = opened),
    async (panel) => {
      writeBoxPlugin(panel.dataDir);
      await panel.enable('box');
    },
    { OUTBOUND_ALLOW: '127.0.0.0/8' },
  );
  const row = (text: string) => page.locator('tbody tr', { hasText: text });

  it('asks for the fields that the kind of server declares', async () => {
    await page.goto(`${panel.url}/admin/servers`);
    await page.getByRole('button', { name: 'Add' }).first().click();
    const dialog = page.locator('#add-server');
    await dialog.getByLabel('Code').fill('box1');
    expect(await dialog.getByLabel('Token').isVisible()).toBe(false);
    const unused = dialog.locator('[data-unenforced=ftpdz]');
    expect(await unused.isVisible()).toBe(false);
    const ofPanels = ['Port', 'Protocol', 'System'].map((label) => dialog.getByLabel(label, { exact: true }));
    const visible = (): Promise<boolean[]> => Promise.all([...ofPanels, dialog.locator('#add-key')].map((field) => field.isVisible()));
    expect(await visible()).toEqual([true, true, true, true]);
    // An agent has no address: the fields for it are hidden.
    await dialog.locator('#add-driver').selectOption('agent');
    expect(await visible()).toEqual([false, false, false, false]);
    expect(await dialog.locator('#add-key').isDisabled()).toBe(true);
    // Another kind can still be selected.
    expect(await dialog.locator('#add-driver option[hidden]').count()).toBe(0);
    await dialog.locator('#add-driver').selectOption('box:box');
    await unused.waitFor();
    await picture(page, 'server-add');
    await dialog.getByLabel('Token').fill('wrong');
    await dialog.locator('[type=submit]').click();
    await dialog.getByText('The token is not right.').waitFor();
    await dialog.getByLabel('Token').fill('box-secret-1');
    await dialog.locator('[type=submit]').click();
    await row('box1').getByText('Box', { exact: true }).waitFor();
    await row('local').getByText('disk').waitFor();
    await picture(page, 'servers');
  });

  it('shows the features of one', async () => {
    const { id } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'box1' });
    await lookAt(page, `${panel.url}/admin/server?id=${id}`, 'server', () => page.getByLabel('Token').waitFor());
  });

  it('shows the data saved by a test, in the comparison', async () => {
    const fake = await FakeBaota.start({ secure: true });
    try {
      const server = {
        bh: 'bt1',
        driver: 'baota',
        ip: '127.0.0.1',
        dk: String(fake.port),
        xieyi: 'true',
        key: FAKE_PANEL_KEY,
        kg: 'false',
      };
      expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
      const { id } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'bt1' });
      await page.goto(`${panel.url}/admin/server?id=${id}&lang=en`);
      expect(await page.getByLabel('Fingerprint').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByText('What the server presented is saved below').waitFor();
      expect(await page.getByLabel('Fingerprint').inputValue()).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
      await picture(page, 'server-tested');
      // The second test reports nothing new.
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByText('The connection works', { exact: true }).waitFor();
    } finally {
      await fake.close();
    }
  });

  it('compares one with the panel, and repairs differences', async () => {
    const { id } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'box1' });
    for (const user of ['gone0001', 'paused01', 'fine0001'])
      await panel.get(HostingService).provision({ node: 'box1', user, password: 'secret-pass-1', expiresOn: null }, 'admin');
    const tables = panel.get(PluginTables).forPlugin('box');
    await tables.run('DELETE FROM {site} WHERE username = ?', ['gone0001']);
    await tables.run('UPDATE {site} SET suspended = 1 WHERE username = ?', ['paused01']);
    await page.goto(`${panel.url}/admin/server-drift?id=${id}&lang=en`);
    await page.getByText('has not been compared').waitFor();
    await page.getByRole('button', { name: 'Compare now' }).click();
    await row('gone0001').getByText('Not on the server').waitFor();
    await row('paused01').getByText('Different run state').waitFor();
    await lookAt(page, `${panel.url}/admin/server-drift?id=${id}`, 'server-drift', () => row('gone0001').waitFor());
    await page.goto(`${panel.url}/admin/server-drift?id=${id}&lang=en`);
    await row('paused01').getByRole('button', { name: 'Repair' }).click();
    await row('paused01').getByText('Repaired').waitFor();
    await page.getByRole('button', { name: 'Repair all' }).click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await row('gone0001').getByText('Repaired').waitFor();
  });

  it('takes over a site on it that has no owner', async () => {
    const { id } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    const host = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'orphan01', password: 'secret-pass-1', expiresOn: null }, 'admin');
    await panel.get(Database).repository(HostingAccount).delete({ id: host.id });
    await page.goto(`${panel.url}/admin/server-drift?id=${id}&lang=en`);
    await page.getByRole('button', { name: 'Compare now' }).click();
    await row('orphan01').getByText('Unknown to the panel').waitFor();
    await row('orphan01').getByRole('button', { name: 'Take over…' }).click();
    await page.locator('#adopt-site.show').waitFor();
    expect(await page.inputValue('#adopt-user')).toBe('orphan01');
    await page.fill('#adopt-user', 'no/such1');
    await page.fill('#adopt-pass', 'secret-pass-2');
    await page.locator('#adopt-site [type=submit]').click();
    await page.locator('#adopt-site .invalid-feedback:visible').first().waitFor();
    await picture(page, 'server-adopt');
    await page.fill('#adopt-user', 'adopted1');
    await page.locator('#adopt-site [type=submit]').click();
    await row('orphan01').getByText('Repaired').waitFor();
    await lookAt(page, `${panel.url}/admin/server-drift?id=${id}`, 'server-adopted', () => row('orphan01').waitFor());
    expect(await panel.get(HostingService).get('adopted1')).toMatchObject({ status: 'active' });
  });
});
