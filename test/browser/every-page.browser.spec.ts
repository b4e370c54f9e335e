/**
 * Every page in the registries, a part of them in each turn of CI: it opens, fits every size, has exactly one top-level heading, shows no
 * text keys, and axe finds nothing serious, light and dark.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CORE_OWNER } from '../../src/common/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { Routes } from '../../src/operations/index.js';
import { STORE_PAGES, type StorePageDeclaration } from '../../src/store/web/page-declaration.js';
import { PageRegistry, type PageDeclaration } from '../../src/web/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, newPage, picture, signInAsAdmin, signInAsUser, SIZES } from '../support/browser.js';
import { furnish, furnishStore, type PageFields } from '../support/furnished-panel.js';
import { TestPanel } from '../support/panel.js';
import { inTurn } from '../support/turns.js';

/** Whether a table must be scrolled to be seen completely. */
const WIDE_TABLE = "[...document.querySelectorAll('.table-responsive')].some((box) => box.scrollWidth > box.clientWidth + 1)";
/** Addresses of plugins for one item. */
const PLACES: Readonly<Record<string, string>> = { '{plan_id}': '1', '{key}': 'a'.repeat(32) };
/** Addresses that report an incomplete link: without one, people see how to continue. */
const WITHOUT_LINK: Readonly<Record<string, number>> = {
  '/account/enter': 410,
  '/account/reset': 410,
  '/pay/manual/transfer': 404,
  '/pay/sandbox/checkout': 400,
  '/pay/wechatpay/jsapi': 400,
  [`/shop/status/${PLACES['{key}']}`]: 404,
};
/** Messages the browser logs about them. */
const LINKS_THAT_FAIL = /status of (?:400|404|410)/;
/** Times in fields of the panel, in its time zone: those for people are in their own time zone. A time with a zone is taken literally. */
const TIMES_OF_THE_PANEL = /\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?(?![:\d]| UTC| \()/g;
/** There are many pages: a minute or two, and ten times that on a busy machine. */
const PATIENCE = 1_200_000;

describe.skipIf(!hasBrowser)('every page', { timeout: PATIENCE }, () => {
  let panel: TestPanel;
  let browser: Browser;
  let fields: PageFields;
  let store: Awaited<ReturnType<typeof furnishStore>>;
  const problems: string[] = [];

  beforeAll(async () => {
    panel = await TestPanel.start();
    fields = await furnish(panel, await panel.signInUser());
    store = await furnishStore(panel, DEFAULT_ADMIN_PASSWORD);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  const pagesOf = (side: string, ofPlugins: boolean): PageDeclaration[] =>
    panel
      .get(PageRegistry)
      .list()
      .filter(({ owner, record }) => record.side === side && (owner !== CORE_OWNER) === ofPlugins)
      .map(({ record }) => record);
  const addressesOf = (side: string, open = false): string[] =>
    pagesOf(side, false)
      .filter((page) => (page.open ?? false) === open)
      .map(({ path }) => {
        const more = fields[`${side}/${path}`];
        return `/${side}/${path}${more ? `?${more}` : ''}`;
      });
  const pluginPages = (side: string): string[] =>
    pagesOf(side, true).map(({ path }) => {
      const more = fields[`${side}/${path}`];
      return `/${side}/${path}${more ? `&${more}` : ''}`;
    });

  /** The problems of a page, in words. */
  async function faultsOf(page: Page, address: string): Promise<string[]> {
    await page.setViewportSize(SIZES.desktop);
    const response = await page.goto(panel.url + address);
    const found: string[] = [];
    const note = (fault: string): unknown => found.push(`${address}: ${fault}`);
    if (response?.status() !== (WITHOUT_LINK[address] ?? 200)) note(`answered ${response?.status()}`);
    const name = address.replace(/[^a-z0-9-]+/gi, '_').slice(1, 80);
    await picture(page, `${name}-desktop`);
    const text = await page.evaluate<string>('document.body.innerText');
    // Data from a gateway is shown as received.
    if (!address.startsWith('/admin/rejected-payment'))
      for (const [time] of text.matchAll(TIMES_OF_THE_PANEL)) note(`shows the time ${time} as programs have it`);
    for (const [raw] of text.matchAll(/\b(?:theme|web|hosting|payment|notify)\.[a-z_.]+[a-z]\b|\[object Object\]|\bundefined\b|\bNaN\b/g))
      note(`shows ${raw}`);
    const headings = await page.evaluate<number>("document.querySelectorAll('h1').length");
    if (headings !== 1) note(`has ${headings} headings of the first rank`);
    // The actions of a row are at its end.
    if (await page.evaluate<boolean>(WIDE_TABLE)) note('has a table that is wider than the page');
    // The menu is the same on every page.
    (await seriousFindings(page, '.page-wrapper')).forEach(note);
    await page.setViewportSize(SIZES.phone);
    // Charts are redrawn in a moment.
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    const fits = expect.poll(width, { timeout: 5_000 }).toBeLessThanOrEqual(SIZES.phone.width);
    await fits.catch((error: unknown) => note(`sticks out on a phone: ${String(error)}`));
    await picture(page, `${name}-phone`);
    return found;
  }

  async function expectFaultless(page: Page, addresses: readonly string[]): Promise<void> {
    const found: string[] = [];
    for (const address of addresses.length < 8 ? addresses : inTurn(addresses)) found.push(...(await faultsOf(page, address)));
    expect(addresses.length).toBeGreaterThan(2);
    expect(found).toEqual([]);
    await page.context().close();
  }

  it('of the admin side, with settings and plugins', async () => {
    const page = await newPage(browser, 'en-US', problems, LINKS_THAT_FAIL);
    await signInAsAdmin(page, panel.url);
    await page.goto(`${panel.url}/admin/settings`);
    const tabs = await page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll('main a[href*="tab="]')].map((link) => link.getAttribute('href')))]`,
    );
    await expectFaultless(page, [...addressesOf('admin'), ...tabs, ...pluginPages('admin')]);
  });

  it('of the user side, with plugins', async () => {
    const page = await newPage(browser, 'en-US', problems, LINKS_THAT_FAIL);
    await signInAsUser(page, panel.url);
    await expectFaultless(page, [...addressesOf('user'), ...pluginPages('user')]);
  });

  it('for visitors who are not signed in, with addresses of plugins', async () => {
    const page = await newPage(browser, 'en-US', problems, LINKS_THAT_FAIL);
    const routes = panel
      .get(Routes)
      .list()
      .filter(({ method, path, handler }) => method === 'GET' && !handler.auth && !path.includes('/api/'))
      .map(({ path }) => path.replace(/\{\w+\}/g, (place) => PLACES[place]!));
    await expectFaultless(page, ['/', ...addressesOf('admin', true), ...addressesOf('user', true), '/status/acme', fields.pay!, ...routes]);
  });

  it('of the store', async () => {
    const { reviewer, places } = store;
    const page = await newPage(browser, 'en-US', problems, LINKS_THAT_FAIL);
    const [name, value] = reviewer.cookie.split('=') as [string, string];
    await page.context().addCookies([{ name, value, url: panel.url }]);
    const pages = panel.get<readonly StorePageDeclaration[]>(STORE_PAGES as never);
    const addresses = pages.map(({ path }) => {
      const [kind] = path.split('/') as [string];
      const address = `/store/${path.replace(/:(\w+)/g, (_, place: string) => places[place === 'slug' ? kind : place]!)}`;
      return path.endsWith('/diff') ? `${address}?from=1.0.0&to=1.1.0` : address;
    });
    await expectFaultless(page, addresses);
  });
});
