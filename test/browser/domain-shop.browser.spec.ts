/**
 * The journey of a name in a browser: the reseller sets provider, zone and price, a customer buys a name for his host, it serves his site,
 * and he adds a record, renews the name and releases it.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { Database } from '../../src/database/index.js';
import { HostingNode, SitesAddress } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { FakeDns } from '../support/fake-dns.js';
import { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const NAME = 'bakery.names.example.com';

describe.skipIf(!hasBrowser)('the domain shop in a browser', () => {
  let panel: TestPanel;
  let fake: FakeDns;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
    await panel.signInUser();
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: '192.0.2.10' });
    for (const slug of ['sandbox', 'domain_shop']) await panel.enable(slug);
    fake = await FakeDns.start('powerdns');
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    // A rejected order returns 422 with its form.
    user = await newPage(browser, 'en-US', problems, /status of 422/);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await fake?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });
  const looked = (page: Page, path: string, name: string) =>
    lookAt(page, `${panel.url}${path}`, name, async () => expect(await seriousFindings(page)).toEqual([]));

  /** Pays with the free test gateway, and continues where the payment page leads. */
  async function pay(): Promise<void> {
    await user.waitForURL(/\/pay\/order\//);
    await user.locator('form [type=submit]').first().click();
    await user.waitForURL(/\/pay\/sandbox\/checkout/);
    await user.locator('button[value=pay]').click();
    await user.getByRole('heading', { name: 'Payment received' }).waitFor();
    await user.getByRole('link', { name: 'View the order' }).click();
    await user.waitForURL(/\/domain\/status\//);
  }

  it('the reseller sets a provider, a domain and its price', async () => {
    await admin.goto(`${panel.url}/admin/dns-provider?type=powerdns`);
    await admin.getByLabel('API address').fill(fake.address);
    await admin.locator('input[type=password]').first().fill(fake.settings.api_key!);
    await admin.getByRole('button', { name: 'Save' }).click();
    await admin.locator('#dns-providers').getByText('not tested').waitFor();
    await admin.goto(`${panel.url}/admin/zones`);
    await admin.getByRole('button', { name: 'Add domain' }).first().click();
    const dialog = admin.locator('#add-zone');
    await dialog.getByLabel('Domain', { exact: true }).fill('names.example.com');
    await dialog.getByLabel('Price').fill('12.50');
    await dialog.getByLabel('Period (months)').fill('12');
    await dialog.getByLabel('DNS records').selectOption({ index: 1 });
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await admin.locator('#zones').getByText('12.50').first().waitFor();
    await looked(admin, '/admin/zones', 'domain-zones');
    await looked(admin, '/admin/plugin.php?p=domain_shop&page=sales', 'domain-sales-empty');
  });

  it('a customer searches for a name, buys it for his host, and it serves his site', async () => {
    await user.goto(`${panel.url}/user/names`);
    await user.getByRole('link', { name: 'Buy subdomain' }).first().click();
    await user.getByLabel('Prefix').fill('Bakery');
    await user.getByRole('button', { name: 'Check', exact: true }).click();
    await user.getByText('Available', { exact: true }).waitFor();
    await looked(user, '/domain?prefix=bakery', 'domain-list');
    await user.goto(`${panel.url}/domain?prefix=www`);
    await user.getByText('Reserved. Choose another prefix.').waitFor();
    await user.goto(`${panel.url}/domain?prefix=bakery`);
    await user.getByRole('link', { name: 'Order' }).click();
    await user.locator('aside').getByText('¥12.50').first().waitFor();
    await looked(user, `${new URL(user.url()).pathname}${new URL(user.url()).search}`, 'domain-order');
    await user.getByRole('button', { name: 'Continue to payment' }).click();
    await pay();
    await user.getByText('The subdomain is yours.').waitFor();
    await looked(user, new URL(user.url()).pathname, 'domain-status');
    await user.getByRole('link', { name: 'My subdomains' }).last().click();
    await user.getByText('shows owner01').waitFor();
    await looked(user, '/domain/mine', 'domain-mine');
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(fake.of(NAME)).toEqual(['A 192.0.2.10']);
    const { status } = await new DemoVisitor(panel.url).site(panel.get(SitesAddress).port, NAME);
    const { status: nobody } = await new DemoVisitor(panel.url).site(panel.get(SitesAddress).port, 'other.names.example.com');
    expect([status, nobody]).toEqual([200, 404]);
    await user.goto(`${panel.url}/user/names`);
    await user.locator('#names').getByText('active', { exact: true }).waitFor();
    await looked(user, '/user/names', 'domain-names');
  });

  it('he adds a record, sees its state, and changes it', async () => {
    await user.goto(`${panel.url}/user/dns-records?domain=${NAME}`);
    await user.getByRole('button', { name: 'Add record' }).click();
    const dialog = user.locator('#add-record');
    await dialog.getByLabel('Value').fill('v=spf1 -all');
    await dialog.getByLabel('Type').selectOption('A');
    await dialog.getByRole('button', { name: 'Add record' }).click();
    await dialog.getByText('The value does not match the record type').filter({ visible: true }).first().waitFor();
    await dialog.getByLabel('Type').selectOption('TXT');
    await dialog.getByRole('button', { name: 'Add record' }).click();
    await user.locator('#own-records').getByText('v=spf1 -all').first().waitFor();
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(fake.of(NAME).sort()).toEqual(['A 192.0.2.10', 'TXT "v=spf1 -all"']);
    await looked(user, `/user/dns-records?domain=${NAME}`, 'dns-records');
  });

  it('he renews it, and the reseller sees both orders', async () => {
    await user.goto(`${panel.url}/domain/mine`);
    await user.getByRole('link', { name: 'Renew' }).first().click();
    await user.getByLabel('Duration').selectOption('2');
    await user.getByRole('button', { name: 'Show price' }).click();
    await user.locator('aside').getByText('¥25.00').first().waitFor();
    await looked(user, new URL(user.url()).pathname, 'domain-renew');
    await user.getByRole('button', { name: 'Continue to payment' }).click();
    await pay();
    await user.getByText('The subdomain is renewed.').waitFor();
    const rows = async () =>
      ((await panel.admin('p_domain_sales')).rows as unknown as { kind: string; state: string }[]).map(
        ({ kind, state }) => `${kind} ${state}`,
      );
    await expect.poll(rows, { timeout: 20_000 }).toEqual(['renew done', 'buy done']);
    await looked(admin, '/admin/plugin.php?p=domain_shop&page=sales', 'domain-sales');
  });

  it('he releases it: it no longer resolves, and its records are removed', async () => {
    await user.goto(`${panel.url}/domain/mine`);
    await user.getByText('Release', { exact: true }).first().click();
    await user.getByText('There is no refund').waitFor();
    await user.getByRole('button', { name: 'Release' }).click();
    await user.getByText('You have no subdomains yet').waitFor();
    await looked(user, '/domain/mine', 'domain-given-up');
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(fake.of(NAME)).toEqual([]);
    expect((await new DemoVisitor(panel.url).site(panel.get(SitesAddress).port, NAME)).status).toBe(404);
    await user.goto(`${panel.url}/domain?prefix=bakery`);
    await user.getByText('Recently released').waitFor();
  });
});
