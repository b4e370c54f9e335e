import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount, SiteCertificate, SitesAddress } from '../../src/hosting/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { AcmeAuthority, fetchAs } from '../support/acme-authority.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('certificates of a site', () => {
  let browser: Browser;
  let panel: TestPanel;
  let page: Page;
  let id: number;
  let authority: AcmeAuthority;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start({ SITES_TLS_PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' });
    authority = await AcmeAuthority.start(() => panel.get(SitesAddress).port);
    await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'local' });
    id = (await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' })).id;
    await panel.admin('tjurl', { id: String(id), url: 'www.example.com' });
    const { directory } = authority;
    await panel.get(SiteSettings).change({ acmeOn: true, acmeDirectory: directory, acmeAgreed: directory });
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    await signInAsUser(page, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    authority?.close();
    await panel?.close();
  });

  const confirmed = async (): Promise<void> => void (await page.locator('dialog.confirm').getByRole('button').last().click());

  it('are ordered with a button, shown while they are issued, and redirect visitors to https', async () => {
    const address = `${panel.url}/user/certificate`;
    await lookAt(page, address, 'certificate-none', async () => {});
    authority.mood = 'busy';
    await page.getByRole('button', { name: 'Order certificate' }).click();
    await page.getByText('Continues automatically after').waitFor();
    await lookAt(page, address, 'certificate-waits', async () => {});
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await confirmed();
    await page.getByText('This site has no certificate yet').waitFor();
    authority.mood = 'fine';
    await page.getByRole('button', { name: 'Order certificate' }).click();
    await page.getByText('Ordered here').waitFor();
    await page.getByRole('button', { name: 'Redirect to https://' }).click();
    await page.getByRole('button', { name: 'Stop redirecting' }).waitFor();
    expect(await fetchAs(panel.get(SitesAddress).port, 'www.example.com', '/')).toMatchObject({ status: 301 });
    await lookAt(page, address, 'certificate', async () => {});
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('are viewed, renewed and set by administrators, and removed by their owner', async () => {
    const admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    for (const [path, name] of [
      ['certificates', 'certificates-all'],
      [`host-certificate?id=${id}`, 'certificate-of-host'],
      ['settings?tab=certificates', 'certificate-settings'],
    ] as const) {
      await lookAt(admin, `${panel.url}/admin/${path}`, name, async () => {});
      expect([path, await seriousFindings(admin)]).toEqual([path, []]);
    }
    await page.getByRole('button', { name: 'Remove certificate' }).click();
    await confirmed();
    await page.getByText('This site has no certificate yet').waitFor();
    expect(await panel.get(Database).repository(SiteCertificate).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
