/**
 * The journey of a buyer of a site, from the shop to the end of the month's traffic, with a certificate from Debian's `pebble` (`apt
 * install pebble`; without it nothing is tested here, and in CI it always runs).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { HostingAccount, SiteTraffic } from '../../src/hosting/index.js';
import { hasBrowser, launchBrowser, newPage, picture, signInAsUser, SIZES } from '../support/browser.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { hasPebble, Pebble, PEBBLE_TRUST } from '../support/pebble.js';
import { freePort, ServerProcess } from '../support/server-process.js';

const BUYER = { user: 'journey01', password: 'a-password-of-my-own' };
const NAME = 'www.bread.example.com';
const GB = 1024 ** 3;
/** In the page: every chart exists, in its full width. */
const CHARTS_ARE_DRAWN =
  '[...document.querySelectorAll("[data-chart] canvas")].every((at) => ' +
  'Math.abs((window.Chart?.getChart(at)?.width ?? 0) - at.parentElement.clientWidth) < 3)';

describe.skipIf(!hasBrowser || !hasPebble)('the journey of a buyer', () => {
  let place: TestPlace;
  let database: Database;
  let pebble: Pebble;
  let panel: ServerProcess;
  let admin: DemoVisitor;
  let browser: Browser;
  /** The panel, on a desktop, and the site as its visitors see it. */
  let owner: Page;
  let visitor: Page;
  let tlsPort: number;
  const problems: string[] = [];
  const mine = mkdtempSync(join(tmpdir(), 'svc-my-site-'));

  beforeAll(async () => {
    mkdirSync(join(mine, 'site/css'), { recursive: true });
    writeFileSync(join(mine, 'site/index.html'), '<!doctype html><link rel="stylesheet" href="css/look.css"><h1>Fresh bread</h1>\n');
    writeFileSync(join(mine, 'site/css/look.css'), 'h1 { color: #8a4b08 }\n');
    place = await createMigratedPlace();
    database = createDatabase(ormOptions(place.config));
    await database.dataSource.initialize();
    const ports: [number, number] = [await freePort(), await freePort()];
    tlsPort = await freePort();
    pebble = await Pebble.start(ports[1]);
    const env = { SITES_TLS_PORT: String(tlsPort), OUTBOUND_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: PEBBLE_TRUST };
    panel = await ServerProcess.start(place, env, ports);
    await panel.ready();
    admin = new DemoVisitor(panel.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    for (const slug of ['sandbox', 'hosting_shop']) {
      await admin.operate('admin', { gn: 'plugin_install', slug });
      await admin.operate('admin', { gn: 'plugin_enable', slug, enabled: 'true' });
    }
    const plan = { name: 'Starter', node: 'local', price: '9.90', web_mb: '100', database_mb: '0', traffic_gb: '1', domains: '3' };
    await admin.operate('admin', { gn: 'p_hosting_shop_plan_save', ...plan, description: 'For a first site' });
    await admin.operate('admin', { gn: 'zssz', kg: 'true', ty: 'true', ml: pebble.directory, yx: 'me@example.com' });
    browser = await launchBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`]);
    owner = await newPage(browser, 'en-US', problems);
    // It is a test authority, and a site over its limit returns an error.
    visitor = await newPage(browser, { locale: 'en-US', ignoreHTTPSErrors: true }, problems, /status of (404|5\d\d)/);
  }, 120_000);
  afterAll(async () => {
    rmSync(mine, { recursive: true, force: true });
    await browser?.close();
    await panel?.stop('SIGKILL');
    pebble?.stop();
    await database?.dataSource.destroy();
    await place?.dispose();
  });

  const row = (text: string) => owner.locator('[data-row]', { hasText: text });
  const open = async (path: string): Promise<void> => void (await owner.goto(panel.url + path));
  const plain = (path = '/') => `http://${NAME}:${panel.sitesPort}${path}`;
  const secure = (path = '/') => `https://${NAME}:${tlsPort}${path}`;
  /** What a visitor sees at an address, ignoring the browser's cache. */
  const finds = (url: string, text: string) =>
    expect
      .poll(async () => {
        await visitor.goto(url, { waitUntil: 'load' });
        return visitor.locator('body').innerText();
      })
      .toContain(text);
  /** A screenshot on a desktop and on a phone, where nothing overflows sideways. */
  async function pictures(page: Page, name: string): Promise<void> {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await expect.poll(() => page.evaluate(CHARTS_ARE_DRAWN)).toBe(true);
      await picture(page, `journey-${name}-${size}`, { fullPage: true });
      expect([name, size, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, size, viewport.width]);
    }
    await page.setViewportSize(SIZES.desktop);
  }
  /** As displayed now in English, and reopened in Chinese. Ends in English, reopened. */
  async function show(page: Page, name: string): Promise<void> {
    await pictures(page, `${name}-en`);
    for (const language of ['zh-CN', 'en']) {
      const address = new URL(page.url());
      address.searchParams.set('lang', language);
      await page.goto(address.href, { waitUntil: 'load' });
      if (language === 'en') continue;
      expect([name, await page.locator('html').getAttribute('lang')]).toEqual([name, 'zh-CN']);
      await pictures(page, `${name}-zh-CN`);
    }
  }

  it('buys a site in the shop', async () => {
    await open('/shop');
    await show(owner, '1-shop');
    await owner.getByRole('link', { name: 'Order', exact: true }).first().click();
    await owner.fill('[name=username]', BUYER.user);
    await owner.fill('[name=password]', BUYER.password);
    await owner.getByRole('button', { name: 'Continue to payment' }).click();
    await owner.waitForURL(/\/pay\/order\//);
    await owner.locator('[name=type]').first().check({ force: true });
    await owner.locator('form [type=submit]').first().click();
    await owner.waitForURL(/\/pay\/sandbox\/checkout/);
    await owner.locator('[name=decision][value=pay]').click();
    await owner.waitForURL(/\/(pay\/order|shop\/status)\//);
    await owner.locator('a[href^="/shop/status/"]').click();
    await owner.getByRole('link', { name: new RegExp(`${BUYER.user}\\.localhost`) }).waitFor();
    await show(owner, '2-bought');
    await signInAsUser(owner, panel.url, BUYER.user, BUYER.password);
    await show(owner, '3-dashboard');
  });

  it('uploads a folder, and makes it the site visitors see', async () => {
    await owner.getByRole('link', { name: 'Files' }).first().click();
    await owner.waitForURL(/\/user\/files/, { waitUntil: 'load' });
    await owner.setInputFiles('[data-upload-folder]', join(mine, 'site'));
    await row('site').waitFor();
    await show(owner, '4-files');
    await open('/user/site-settings?tab=pages');
    await owner.fill('form[data-ajax=setyxml] [name=wb]', '/site');
    await owner.locator('form[data-ajax=setyxml] [type=submit]').click();
    await finds(`http://${BUYER.user}.localhost:${panel.sitesPort}/`, 'Fresh bread');
  });

  it('binds a domain', async () => {
    await open('/user/domains');
    await owner.getByRole('button', { name: 'Bind a domain' }).first().click();
    await owner.fill('#domain-url', NAME);
    await owner.locator('#bind-domain').getByRole('button', { name: 'Bind a domain' }).click();
    await owner.locator('#domains').getByText(NAME).first().waitFor();
    await show(owner, '5-domains');
    await finds(plain(), 'Fresh bread');
  });

  it('orders a certificate, and redirects everyone to https', async () => {
    await open('/user/certificate');
    await show(owner, '6-no-certificate');
    await owner.getByRole('button', { name: 'Order certificate' }).click();
    await owner.getByText('Auto-renewal').waitFor({ timeout: 60_000 });
    await owner.getByRole('button', { name: 'Redirect to https://' }).click();
    await owner.getByRole('button', { name: 'Stop redirecting' }).waitFor();
    await show(owner, '7-certificate');
    await finds(plain(), 'Fresh bread');
    expect(visitor.url()).toBe(secure());
    await picture(visitor, 'journey-8-https');
  });

  it('edits a page', async () => {
    await open('/user/file-edit?path=/site/index.html');
    await owner.locator('.cm-content').click();
    await owner.keyboard.press('Control+End');
    await owner.keyboard.type('<p>Every day from seven</p>');
    await pictures(owner, '9-edit-unsaved-en');
    await owner.keyboard.press('Control+s');
    await owner.getByText('Saved', { exact: true }).waitFor();
    await show(owner, '9-edit');
    await finds(secure(), 'Every day from seven');
  });

  it('makes a backup, breaks the site, and restores it', async () => {
    await open('/user/backups');
    await owner.getByRole('button', { name: 'Back up now' }).click();
    await row('Complete').waitFor();
    await open('/user/files');
    await row('site').locator('[data-choose]').check();
    await owner.getByRole('button', { name: 'Delete', exact: true }).locator('visible=true').last().click();
    await owner.locator('#delete-files.show [type=submit]').click();
    await row('site').waitFor({ state: 'detached' });
    await visitor.goto(secure());
    expect(await visitor.locator('body').innerText()).not.toContain('Fresh bread');
    await open('/user/backups');
    await row('Manual').getByRole('button', { name: 'Restore' }).click();
    await owner.locator('dialog.confirm').getByRole('button').last().click();
    await row('Restored on').waitFor();
    await show(owner, '10-backups');
    await finds(secure(), 'Every day from seven');
  });

  it('sees the visitors', { timeout: 150_000 }, async () => {
    for (let n = 0; n < 5; n += 1) await visitor.goto(secure(`/?visit=${n}`));
    // Logged visits are counted once a minute; here immediately.
    await expect
      .poll(() =>
        admin.operate('admin', { gn: 'jhrun', id: 'core:site-statistics' }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect
      .poll(
        async () => {
          await open('/user/statistics');
          return owner.locator('main').innerText();
        },
        { timeout: 120_000, interval: 3_000 },
      )
      .toContain('Top pages');
    await show(owner, '11-statistics');
  });

  it('has used up the month’s traffic, and is notified, as are the visitors', async () => {
    const { id } = await database.repository(HostingAccount).findOneByOrFail({ username: BUYER.user });
    await database.repository(SiteTraffic).update({ accountId: id }, { bytes: GB + 1 });
    await database.repository(HostingAccount).update({ id }, { trafficUsedBytes: GB + 1 });
    await finds(secure(), 'This site has used up its traffic');
    await picture(visitor, 'journey-12-traffic-en');
    const chinese = await newPage(
      browser,
      { locale: 'zh-CN', ignoreHTTPSErrors: true, viewport: SIZES.phone },
      problems,
      /status of 5\d\d/,
    );
    await chinese.goto(secure());
    await chinese.getByText('本月流量已用完').waitFor();
    await picture(chinese, 'journey-12-traffic-zh-CN');
    await chinese.close();
    await open('/user/');
    await owner.getByText('visitors see a notice until the first of next month').waitFor();
    await owner.getByText('Traffic used up').waitFor();
    await show(owner, '13-dashboard');
    expect(problems).toEqual([]);
  });
});
