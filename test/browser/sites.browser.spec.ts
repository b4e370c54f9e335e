/** Domains and settings of a site in a browser, in both languages and sizes. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { legacyTime } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { DomainRecords, HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { logLine, logTime } from '../../src/hosting/embedded/logs/log-line.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

describe.skipIf(!hasBrowser)('the pages of a site', () => {
  let panel: TestPanel;
  let browser: Browser;
  let user: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.signInUser();
    panel.get(DomainRecords).lookup = () => Promise.resolve(['203.0.113.9']);
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: 'sites.example.org' });
    browser = await launchBrowser();
    user = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
  });

  it('bind a domain, report errors of another, and check the name servers', async () => {
    await user.goto(`${panel.url}/user/domains`);
    await user.getByRole('button', { name: 'Bind a domain' }).first().click();
    await user.fill('#domain-url', '10.0.0.1');
    await user.locator('#bind-domain').getByRole('button', { name: 'Bind a domain' }).click();
    await user.locator('#bind-domain').getByText('is an IP address').first().waitFor();
    await user.fill('#domain-url', 'WWW.Example.com');
    await user.locator('#bind-domain').getByRole('button', { name: 'Bind a domain' }).click();
    await user.locator('#domains').getByText('www.example.com').first().waitFor();
    await user.getByRole('button', { name: 'Check' }).first().click();
    await user.getByText('www.example.com points here').first().waitFor();
    await lookAt(user, `${panel.url}/user/domains`, 'domains', async () => expect(await seriousFindings(user)).toEqual([]));
  });

  it('show visits as charts, tables and raw logs', async () => {
    const { siteName } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    await lookAt(user, `${panel.url}/user/statistics`, 'statistics-empty', async () => expect(await seriousFindings(user)).toEqual([]));
    const zone = panel.place.config.timezone;
    for (let hour = 0; hour < 60; hour += 1) {
      const moment = new Date(Date.now() - hour * 3_600_000);
      const local = legacyTime(moment, zone);
      const lines = Array.from({ length: 40 - (hour % 24) }, (_, n) =>
        logLine({
          address: `203.0.113.${n % 9}`,
          time: logTime(moment, local),
          method: n % 11 === 0 ? 'POST' : 'GET',
          url: ['/', '/shop/', '/logo.png', '/<script>alert(1)</script>', `/very/long/${'path/'.repeat(30)}`][n % 5]!,
          httpVersion: '1.1',
          status: n % 7 === 0 ? 404 : n % 13 === 0 ? 503 : 200,
          bytes: 25_000,
          referrer: n % 3 ? undefined : 'https://www.example.net/review',
          agent: n % 4 ? 'Mozilla/5.0 Firefox/130.0' : 'Mozilla/5.0 (compatible; Baiduspider/2.0)',
        }),
      );
      const folder = join(panel.dataDir, 'site-logs', local.slice(0, 10));
      mkdirSync(folder, { recursive: true });
      appendFileSync(join(folder, `${siteName}.log`), lines.join(''));
    }
    await runJob(panel.get(JobRegistry), 'site-statistics');
    await user.goto(`${panel.url}/user/statistics?lang=en`);
    await user.getByText('/<script>alert(1)</script>').first().waitFor();
    await user.getByRole('link', { name: '7 days' }).click();
    await user.getByText('Visits · 7 days').first().waitFor();
    const [file] = await Promise.all([
      user.waitForEvent('download'),
      user.locator('#site-logs').getByRole('button', { name: 'Download' }).first().click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^owner01-\d{4}-\d\d-\d\d\.log$/);
    for (const range of ['24h', '7d'])
      await lookAt(user, `${panel.url}/user/statistics?range=${range}`, `statistics-${range}`, async () =>
        expect(await seriousFindings(user)).toEqual([]),
      );
    expect(problems).toEqual([]);
  });

  it('measure the usage', async () => {
    await user.goto(`${panel.url}/user/?lang=en`);
    await user.getByRole('button', { name: 'Refresh' }).click();
    await user.getByText(/^Measured /).waitFor();
    await lookAt(user, `${panel.url}/user/`, 'dashboard-measured', async () => expect(await seriousFindings(user)).toEqual([]));
  });

  it.each(['pages', 'redirects', 'passwords', 'hotlink', 'speed'])('configure how the site is served: %s', async (tab) => {
    const url = `${panel.url}/user/site-settings?tab=${tab}`;
    await user.goto(`${url}&lang=en`);
    if (tab === 'redirects') {
      await user.fill('#redirect-from', '/old/*');
      await user.fill('#redirect-to', '/new');
      await user.locator('form[data-ajax=cdxtj]').getByRole('button', { name: 'Add' }).click();
      await user.locator('#redirects').getByText('/old/*').first().waitFor();
    }
    await lookAt(user, url, `site-settings-${tab}`, async () => expect(await seriousFindings(user)).toEqual([]));
    expect(problems).toEqual([]);
  });

  it('offer the same to administrators, from the host page', async () => {
    const admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    await admin.goto(`${panel.url}/admin/host?id=${id}`);
    await admin.getByRole('link', { name: 'Site settings' }).click();
    await admin.getByText('Site settings of owner01').first().waitFor();
    await admin.fill('#site-indexes', 'start.html,index.html');
    await admin.locator('form[data-ajax=xgmrwd]').getByRole('button').click();
    await admin.waitForLoadState('networkidle');
    await admin.goto(`${panel.url}/admin/host-settings?id=${id}`);
    expect(await admin.inputValue('#site-indexes')).toBe('start.html,index.html');
    await admin.goto(`${panel.url}/admin/host-settings?id=${id}&tab=redirects`);
    await admin.locator('#redirects').getByText('/old/*').first().waitFor();
    await admin.locator('#redirects').getByRole('button', { name: 'Remove' }).first().click();
    await admin.locator('dialog.confirm').getByRole('button').last().click();
    await admin.locator('#redirects').getByText('/old/*').waitFor({ state: 'detached' });
    for (const [address, name] of [
      [`host?id=${id}`, 'host'],
      [`host-settings?id=${id}`, 'host-settings'],
      [`host-settings?id=${id}&tab=passwords`, 'host-settings-passwords'],
    ] as const)
      await lookAt(admin, `${panel.url}/admin/${address}`, name, async () => expect(await seriousFindings(admin)).toEqual([]));
    await lookAt(user, `${panel.url}/user/history`, 'history', async () => expect(await seriousFindings(user)).toEqual([]));
    expect(problems).toEqual([]);
  });
});
