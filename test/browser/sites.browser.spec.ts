/** Domains and settings of a site in a browser, in both languages and sizes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DomainRecords, HostingNode } from '../../src/hosting/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

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

  it('bind a domain, say what is wrong with another, and look at the name servers', async () => {
    await user.goto(`${panel.url}/user/domains`);
    await user.getByRole('button', { name: 'Bind a domain' }).first().click();
    await user.fill('#domain-url', '10.0.0.1');
    await user.locator('#bind-domain').getByRole('button', { name: 'Bind a domain' }).click();
    await user.locator('#bind-domain').getByText('is an IP address').first().waitFor();
    await user.fill('#domain-url', 'WWW.Example.com');
    await user.locator('#bind-domain').getByRole('button', { name: 'Bind a domain' }).click();
    await user.locator('#domains').getByText('www.example.com').first().waitFor();
    await user.getByRole('button', { name: 'Check' }).first().click();
    await user.getByText('www.example.com leads here').first().waitFor();
    await lookAt(user, `${panel.url}/user/domains`, 'domains', async () => expect(await seriousFindings(user)).toEqual([]));
  });

  it.each(['pages', 'redirects', 'passwords', 'hotlink', 'speed'])('set how the site is served: %s', async (tab) => {
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
});
