import '../config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.LOG_LEVEL ??= 'fatal';
const { startPanel } = await import('../app/index.js');
const { AppConfig } = await import('../config/index.js');
const { DemoVisitor } = await import('./demo-visitor.js');
const { errorMessage } = await import('../common/index.js');

/** The account purchased in the demo. */
const BUYER = { username: 'demo-shop', password: 'a-password-of-my-own' };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

let steps = 0;
function step(text: string): void {
  steps += 1;
  say(`\n${steps}. ${text}`);
}

function check(condition: boolean, expectation: string): void {
  if (!condition) throw new Error(`Expected ${expectation}.`);
  say(`   ok: ${expectation}`);
}

const dataDir = mkdtempSync(join(tmpdir(), 'svc-panel-demo-'));
const config = new AppConfig({ DATA_DIR: dataDir, PORT: '0', SITES_PORT: '0', CAPTCHA: 'off', ADMIN_PASSWORD: 'demo-password' });
const panel = await startPanel(config).catch((error: unknown) => {
  rmSync(dataDir, { recursive: true, force: true });
  say(`The demo panel could not be started: ${errorMessage(error)}`);
  process.exit(1);
});
say(`The demo panel runs on ${panel.url}, its sites on port ${panel.sitesPort}; its data is in ${dataDir}.`);

try {
  const admin = new DemoVisitor(panel.url);
  step('The administrator signs in and enables two plugins.');
  await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'demo-password' });
  for (const slug of ['sandbox', 'hosting_shop']) {
    await admin.operate('admin', { gn: 'plugin_install', slug });
    await admin.operate('admin', { gn: 'plugin_enable', slug, enabled: 'true' });
    say(`   ${slug} is active`);
  }

  step('The administrator puts a plan on sale.');
  const plan = await admin.operate('admin', {
    gn: 'p_hosting_shop_plan_save',
    name: 'Starter',
    node: 'local',
    price: '9.90',
    web_mb: '1024',
    database_mb: '256',
    traffic_gb: '0',
    domains: '5',
    description: 'For a first site',
  });
  say(`   plan ${String((plan.data as { id: number }).id)}: Starter, 9.90 a month`);

  step('A visitor orders it in the shop.');
  const visitor = new DemoVisitor(panel.url);
  const shop = await visitor.json('GET', '/shop/api/plans');
  const [offer] = shop.plans as { id: number; name: string }[];
  const order = await visitor.json('POST', '/shop/api/create_order', { plan_id: String(offer!.id), period: 'month', ...BUYER });
  const orderNumber = String(order.order_no);
  say(`   order ${orderNumber} for ${offer!.name}`);

  step('The visitor chooses the sandbox on the pay page and pays at its cashier.');
  const cashier = await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' });
  say(`   the panel redirects to ${cashier.split('?')[0]}`);
  const cashierForm = await visitor.form(cashier);
  await visitor.redirect('POST', '/pay/sandbox/checkout', { ...cashierForm, decision: 'pay' });
  say('   the cashier sent its signed notification to the panel');

  step('The notification arrives a second time, as gateways do.');
  await visitor.redirect('POST', '/pay/sandbox/checkout', { ...cashierForm, decision: 'pay' });
  const orders = await admin.operate('admin', { gn: 'listdd' });
  const rows = (orders.rows as { ddh: string; qk: string }[]).filter((row) => row.ddh === orderNumber);
  check(rows.length === 1 && rows[0]!.qk === 'paid', 'the order to be paid, once');
  const log = await admin.operate('admin', { gn: 'listlog', where: JSON.stringify({ name: 'lx', type: '1', value: '支付回调' }) });
  for (const entry of log.rows as { lr: string; qk: string }[]) say(`   payment log: ${entry.lr}`);

  step('The shop opens the hosting account.');
  await visitor.waitFor(String(order.status_url), (page) => page.includes(`${BUYER.username}.localhost`), 'the shop to show the new site');
  const hosts = await admin.operate('admin', { gn: 'listzj' });
  const hostRows = hosts.rows as { user: string; url: string; datae: string }[];
  check(hostRows.length === 1 && hostRows[0]!.user === BUYER.username, `exactly one account, ${BUYER.username}`);
  say(`   it runs until ${hostRows[0]!.datae} at ${hostRows[0]!.url}`);

  step('Its site is served.');
  const site = await visitor.site(panel.sitesPort, `${BUYER.username}.localhost`);
  check(site.status === 200 && site.body.includes(BUYER.username), 'the welcome page of the site');

  step('The owner signs in.');
  const owner = new DemoVisitor(panel.url);
  await owner.operate('user', { gn: 'login', user: BUYER.username, pass: BUYER.password });
  const card = await owner.operate('user', { gn: 'zjxx' });
  check(JSON.stringify(card).includes(BUYER.username), 'the owner to see the account');

  say(`\nDone: one order, paid once, one live site, in ${steps} steps.`);
} catch (error) {
  say(`\nThe demo failed: ${errorMessage(error)}`);
  process.exitCode = 1;
} finally {
  await panel.close();
  rmSync(dataDir, { recursive: true, force: true });
}
