/** An alarm as people see it, from the mail server's settings to the site's recovery: everything with pages. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { BackgroundQueue } from '../../src/jobs/index.js';
import { MonitorTask } from '../../src/monitor/entities/index.js';

import { hasBrowser, launchBrowser, lookAt, newPage, picture, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { serveHttp, type LoopbackServer } from '../support/loopback-server.js';
import { startMailServer, type TestMailServer } from '../support/mail-server.js';
import { lookOnceIn } from '../support/monitor-runs.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('an alarm', () => {
  let panel: TestPanel;
  let mailServer: TestMailServer;
  let shop: LoopbackServer;
  let status = 200;
  let browser: Browser;
  let user: Page;
  let visitor: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    shop = await serveHttp((_request, response) => void response.writeHead(status).end('shop'));
    mailServer = await startMailServer();
    panel = await TestPanel.start({ MONITOR_ALLOW: '127.0.0.1' });
    await panel.signInUser();
    await panel.get(Database).repository(HostingAccount).update({ username: 'owner01' }, { email: 'owner@mail.test' });
    browser = await launchBrowser();
    user = await newPage(browser, 'zh-CN', problems);
    visitor = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    await mailServer.close();
    await shop.close();
    expect(problems).toEqual([]);
  });

  /** The next check, immediately. */
  async function check(answers: number): Promise<void> {
    status = answers;
    await panel
      .get(Database)
      .repository(MonitorTask)
      .update({ name: 'Shop' }, { nextRunAt: new Date(0) });
    await lookOnceIn(panel);
    await panel.get(BackgroundQueue).idle();
  }
  const lookAtMonitor = (name: string, state: { en: string; zh: string }) =>
    lookAt(user, monitor, name, (language) =>
      user
        .locator('#monitor-now')
        .getByText(language === 'en' ? state.en : state.zh, { exact: true })
        .waitFor(),
    );
  /** Percent of the last day; the panel's own clock may have checked once more. */
  const uptime = async () => Number(/([\d.]+)\s*%/.exec(await user.locator('.card', { hasText: '24 h' }).first().innerText())?.[1]);
  let monitor: string;

  it('has a destination: mail server, monitor and public page are set up', async () => {
    const admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    await admin.goto(`${panel.url}/admin/settings?tab=mail`);
    await admin.fill('#mail-host', '127.0.0.1');
    await admin.selectOption('#mail-tls', 'none');
    await admin.fill('#mail-port', String(mailServer.port));
    await admin.fill('#mail-from', 'panel@sail.test');
    await admin.locator('form[data-ajax=mailmode] [type=submit]').click();
    await admin.fill('#mail-to', 'admin@mail.test');
    await admin.locator('form[data-ajax=mailcs] [type=submit]').click();
    await expect.poll(() => mailServer.mails.map(({ to }) => to)).toEqual(['admin@mail.test']);

    await user.goto(`${panel.url}/user/monitor-form?kind=url&lang=en`);
    await user.fill('#monitor-name', 'Shop');
    await user.fill('#monitor-url', `http://127.0.0.1:${shop.port}/`);
    await user.fill('#monitor-fails', '2');
    await user.click('form.card [type=submit]');
    await user.waitForURL(`${panel.url}/user/monitors`);
    monitor = new URL((await user.getByRole('link', { name: 'Shop' }).first().getAttribute('href'))!, panel.url).href;
    await user.goto(`${panel.url}/user/status`);
    await user.fill('#status-title', 'Acme');
    await user.fill('#status-slug', 'acme');
    await user.locator('[name=is_public]').check();
    await user.locator('form.card [type=submit]').click();
    await user.getByRole('link', { name: 'Open page' }).waitFor();
    await user.locator('tr', { hasText: 'Shop' }).getByRole('button', { name: 'Show', exact: true }).click();
    await user.locator('#status-show [type=submit]').click();
    await user.locator('tr', { hasText: 'Shop' }).getByRole('button', { name: 'Hide', exact: true }).waitFor();
  });

  it('waits for the second failure, then arrives by email, on the page and at the bell, and the public page shows it', async () => {
    await check(200);
    await check(503);
    expect(mailServer.mails).toHaveLength(1);
    await user.goto(`${panel.url}/user/monitors?lang=en`);
    await check(503);
    // The page updates automatically.
    await user.locator('tbody').getByText('Down', { exact: true }).first().waitFor();
    await picture(user, 'alarm-list');
    expect(mailServer.mails.map(({ to }) => to)).toEqual(['admin@mail.test', 'owner@mail.test']);
    await lookAtMonitor('alarm-down', { en: 'Down', zh: '异常' });
    const low = await uptime();
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(100);
    expect(await user.locator('canvas').count()).toBe(1);
    await lookAt(user, `${panel.url}/user/notices`, 'alarm-notices', () => user.getByText('Shop').first().waitFor());
    await lookAt(visitor, `${panel.url}/status/acme`, 'alarm-status', (language) =>
      visitor
        .getByText(language === 'en' ? 'Some services are down' : '部分服务异常')
        .first()
        .waitFor(),
    );
  });

  it('ends with a notice and without an email when the site recovers', async () => {
    await check(200);
    await lookAtMonitor('alarm-over', { en: 'Up', zh: '正常' });
    expect(await uptime()).toBeGreaterThan(0);
    expect(mailServer.mails).toHaveLength(2);
    await user.goto(`${panel.url}/user/notices?lang=en`);
    await expect.poll(() => user.getByText('Shop').count()).toBeGreaterThan(1);
    await picture(user, 'alarm-over-notices');
    // Public data is cached for some seconds.
    await expect
      .poll(async () => {
        await visitor.goto(`${panel.url}/status/acme?lang=en`);
        return visitor.locator('main').innerText();
      })
      .toContain('All systems operational');
    await picture(visitor, 'alarm-over-status');
  });
});
