/** DNS providers: one is added, tested, selected for a domain, and a customer's name is set up there; in both languages and sizes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { FakeDns } from '../support/fake-dns.js';
import { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

describe.skipIf(!hasBrowser)('DNS providers in a browser', () => {
  let panel: TestPanel;
  let fake: FakeDns;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32', SITES_DOMAIN: 'sites.example.com:80' });
    await panel.signInUser();
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: '192.0.2.10' });
    fake = await FakeDns.start('cloudflare');
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await fake?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });
  const run = () => runJob(panel.get(JobRegistry), 'dns-records');
  const looked = (page: Page, path: string, name: string) =>
    lookAt(page, `${panel.url}${path}`, name, async () => expect(await seriousFindings(page)).toEqual([]));

  it('a provider is added and tested; problems are described', async () => {
    await admin.goto(`${panel.url}/admin/zones`);
    await admin.getByRole('button', { name: 'Add domain' }).first().click();
    await admin
      .getByRole('link', { name: /add a DNS provider first/ })
      .first()
      .click();
    await admin.getByText('No DNS providers yet').waitFor();
    await looked(admin, '/admin/dns', 'dns-empty');
    await admin.goto(`${panel.url}/admin/dns`);
    await admin.getByRole('button', { name: 'Add provider' }).click();
    await admin.getByRole('link', { name: 'Cloudflare' }).click();
    await admin.getByLabel('Token').fill('not-the-token');
    await admin.getByLabel('API address').fill('nowhere');
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.getByText('Enter an address such as').waitFor();
    await admin.getByLabel('API address').fill(fake.address);
    await admin.getByRole('button', { name: 'Save' }).click();
    const row = admin.locator('#dns-providers tbody tr');
    await row.getByText('not tested').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await admin
      .locator('.toast-stack')
      .getByText(/does not accept the credentials/)
      .waitFor();
    await admin.reload();
    await row.getByText('not working').waitFor();
    await row.getByText(/does not accept the credentials.*Invalid access token/).waitFor();
    await looked(admin, '/admin/dns', 'dns-failing');
    await looked(admin, '/admin/dns-provider?id=1', 'dns-provider');
    await admin.goto(`${panel.url}/admin/dns-provider?id=1`);
    await admin.getByLabel('Name').fill('Our zones');
    await admin.getByLabel('Token').fill(fake.settings.token!);
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.locator('#dns-providers').getByText('Our zones').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await row.getByText('example.com').waitFor();
    await row.getByText('works', { exact: true }).waitFor();
  });

  it('a domain uses it, a customer gets a name, and both see its state', async () => {
    await admin.goto(`${panel.url}/admin/zones`);
    await admin.getByRole('button', { name: 'Add domain' }).first().click();
    const dialog = admin.locator('#add-zone');
    await dialog.getByLabel('Domain', { exact: true }).fill('names.example.com');
    await dialog.getByLabel('DNS records').selectOption({ label: 'Our zones' });
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await admin.locator('#zones').getByText('names.example.com').waitFor();
    fake.add('A', 'taken.names.example.com', '198.51.100.7');
    for (const prefix of ['shop', 'taken']) {
      await user.goto(`${panel.url}/user/names`);
      await user.getByRole('button', { name: 'Get subdomain' }).click();
      await user.locator('#get-name').getByLabel('Prefix').fill(prefix);
      await user.locator('#get-name').getByRole('button', { name: 'Get subdomain' }).click();
      await user.locator('#names').getByText(`${prefix}.names.example.com`).waitFor();
    }
    await user.locator('#names').getByText('pending').first().waitFor();
    await run();
    await user.goto(`${panel.url}/user/names`);
    await user.locator('#names').getByText('active', { exact: true }).waitFor();
    await user.locator('#names').getByText('failed, your provider was notified').waitFor();
    await looked(user, '/user/names', 'names-at-dns');
    await admin.goto(`${panel.url}/admin/dns`);
    await admin.locator('#dns-records').getByText('A 198.51.100.7').waitFor();
    await looked(admin, '/admin/dns', 'dns');
    fake.records.splice(0, 1);
    await admin.goto(`${panel.url}/admin/dns`);
    await admin.locator('#dns-records').getByRole('button', { name: 'Retry' }).click();
    await admin.getByText('will be retried within a minute').waitFor();
    await run();
    expect(fake.of('taken.names.example.com')).toEqual(['A 192.0.2.10']);
  });

  it('subdomains of sites are created there, until this is turned off', async () => {
    const choose = async (label: string, told: RegExp): Promise<void> => {
      await admin.goto(`${panel.url}/admin/dns`);
      await admin.getByLabel('Provider', { exact: true }).selectOption({ label });
      await admin.locator('form[data-ajax="p_dns_sites_save"]').getByRole('button', { name: 'Save' }).click();
      await admin.locator('.toast-stack').getByText(told).waitFor();
      await run();
    };
    await choose('Our zones', /Records will be set within two minutes/);
    const own = (await panel.get(Database).repository(HostingAccount).find()).map(({ userKey }) => `${userKey}.sites.example.com`);
    expect(own.map((name) => fake.of(name))).toEqual(own.map(() => ['A 192.0.2.10']));
    await looked(admin, '/admin/dns', 'dns-sites');
    await choose('none: *.sites.example.com is a wildcard record', /sites need a wildcard record/);
    expect(own.map((name) => fake.of(name))).toEqual(own.map(() => []));
  });

  it('the domain is switched to a wildcard record, and the provider is removed', async () => {
    await admin.goto(`${panel.url}/admin/dns`);
    const row = admin.locator('#dns-providers tbody tr');
    const remove = async (): Promise<void> => {
      await row.getByRole('button', { name: 'Remove' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    };
    await remove();
    await admin.getByText(/Subdomains of names.example.com use this provider/).waitFor();
    await looked(admin, '/admin/zones', 'zones-dns');
    await admin.goto(`${panel.url}/admin/zones`);
    await admin.locator('#zones').getByRole('button', { name: 'Edit' }).click();
    const dialog = admin.locator('#edit-zone');
    expect(await dialog.getByLabel('DNS records').inputValue()).toBe('1');
    await dialog.getByLabel('DNS records').selectOption('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await run();
    expect(fake.records).toEqual([]);
    await admin.goto(`${panel.url}/admin/dns`);
    await remove();
    await admin.getByText('No DNS providers yet').waitFor();
  });
});
