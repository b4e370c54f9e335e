import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DEFAULT_ADMIN_PASSWORD } from '../src/config/index.js';
import { Database } from '../src/database/index.js';
import { PaymentTransaction } from '../src/payment/index.js';

import { total, WeighingBrowser } from './support/page-weight.js';
import { TestPanel } from './support/panel.js';
import { functionPlugin, writePlugin } from './support/plugins.js';
import { StoreClient } from './support/store.js';
import { insertItem } from './support/store-items.js';

/** Maximum bytes of everything a page loads: on the first visit, and when coming from the previous page. */
const BARS = { first: 200_000, later: 30_000 };
const ROWS = 20;

let panel: TestPanel;
let owner: string;
let customer: string;
let reviewer: StoreClient;
beforeAll(async () => {
  panel = await TestPanel.start();
  owner = await panel.signInUser();
  for (let i = 1; i < ROWS; i++) await panel.admin('addzj', { user: `customer${i}`, pass: 'secret-pass-1', btdh: 'local' });
  // A dashboard with a chart is the heaviest.
  const { id } = (await panel.admin('adddd', { user: 'customer1', scene: 'hosting', name: 'Plan', rmb: '9.90' })).data;
  await panel
    .get(Database)
    .repository(PaymentTransaction)
    .insert({
      orderId: Number(id),
      gateway: 'sandbox',
      tradeNumber: '1',
      amount: 990,
      amountChecked: true,
      createdAt: new Date(),
    });
  for (const slug of ['accounts', 'hosting_shop', 'domain_shop', 'balance', 'resource_pool']) await panel.enable(slug);
  customer = await cookieOfCustomer();
  reviewer = new StoreClient(panel.url);
  await reviewer.login('admin', DEFAULT_ADMIN_PASSWORD);
  for (let i = 0; i < ROWS; i++) {
    const fields = { slug: `plugin-${i}`, authorId: 1, description: `<p>${'What it does, told in some length. '.repeat(20)}</p>` };
    await insertItem(panel.get(Database), fields);
  }
});
afterAll(() => panel.close());

const PAGES: [string, { cookie?: () => string }][] = [
  ['/', {}],
  ['/admin/login', {}],
  ['/admin/', { cookie: () => panel.adminCookie }],
  ['/admin/hosts', { cookie: () => panel.adminCookie }],
  ['/admin/settings', { cookie: () => panel.adminCookie }],
  ['/admin/monitors', { cookie: () => panel.adminCookie }],
  ['/user/login', {}],
  ['/user/', { cookie: () => owner }],
  ['/user/files', { cookie: () => owner }],
  ['/store/', {}],
  ['/store/plugin/plugin-1', {}],
  ['/store/developer/submit', { cookie: () => reviewer.cookie }],
  ['/store/review/', { cookie: () => reviewer.cookie }],
  // Of bundled plugins, which have their own assets.
  ['/shop', {}],
  ['/domain', {}],
  ['/balance', {}],
  ['/account/login', {}],
  ['/account/profile', { cookie: () => customer }],
  ['/pool/login', {}],
  ['/api/docs', {}],
];

/** Registers a customer with the form. */
async function cookieOfCustomer(): Promise<string> {
  const fields = { username: 'Weighed_1', password: 'secret-pass-1', password2: 'secret-pass-1' };
  const answer = await panel.fetch('/account/register', { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** The page that edits a file has an editor for many languages, which no other page loads: 200 kB more, once. */
const EDITOR = { first: 420_000, later: 30_000 };

describe('the total bytes of a page', () => {
  it.each(PAGES)('%s stays within the limits, at the first visit and later', async (path, { cookie }) => {
    const browser = new WeighingBrowser(panel.url, cookie?.());
    for (const [visit, most] of Object.entries(BARS)) {
      const bytes = await browser.open(path);
      const heaviest = [...bytes].sort((a, b) => b[1] - a[1]).slice(0, 5);
      expect(total(bytes), `${visit} visit to ${path}: ${JSON.stringify(heaviest)}`).toBeLessThanOrEqual(most);
    }
  });

  it('of the editor’s page stays within its limits', async () => {
    const browser = new WeighingBrowser(panel.url, owner);
    for (const [visit, most] of Object.entries(EDITOR)) {
      expect(total(await browser.open('/user/file-edit?path=/index.html')), visit).toBeLessThanOrEqual(most);
    }
  });

  it('has scripts of plugin pages with their dependencies, without the panel’s library', () => {
    const scripts = readdirSync('dist/plugins', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    const ofPages = scripts.filter((file) => file.includes('/assets/'));
    const sizes = ofPages.map((file) => [file, gzipSync(readFileSync(`dist/plugins/${file}`)).length] as const);
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.filter(([, bytes]) => bytes > 5_000)).toEqual([]);
  });

  it('includes the complete Tabler while a third-party plugin runs', async () => {
    const sheet = async () => /href="[^"]*\/(tabler[\w.]+css)"/.exec(await (await panel.adminFetch('/admin/')).text())?.[1];
    expect(await sheet()).toBe('tabler.used.css');
    writePlugin(panel.dataDir, 'of_others', functionPlugin(''));
    await panel.enable('of_others');
    expect(await sheet()).toBe('tabler.min.css');
    await panel.disable('of_others');
    expect(await sheet()).toBe('tabler.used.css');
  });
});
