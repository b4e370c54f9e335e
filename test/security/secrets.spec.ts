import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Administrator } from '../../src/auth/index.js';
import { startPanel, type Panel } from '../support/start-panel.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { HostingAccount, HostingNode } from '../../src/hosting/entities/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { OperationLog, OperationRegistry } from '../../src/operations/index.js';
import { Orders } from '../../src/payment/index.js';
import { createAgentNode } from '../support/agent.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient } from '../support/panel-client.js';

const PASSWORD = 'planted-admin-pass';
const HOST_PASSWORD = 'planted-host-pass';
const API_KEY = 'planted-api-key-0123456789';
const NODE_SECRETS = { sealedPanelKey: 'planted-btmy', openKey: 'planted-ktmy', signatureKey: 'planted-qmk' };
const AGENT_SECRETS = {
  secret: 'planted-node-secret',
  platformSecret: 'planted-platform-secret',
  previousSecret: 'planted-old-secret',
  previousPlatformSecret: 'planted-old-platform',
};
const SCRIPT = '<script>alert("planted")</script><img src=x onerror=alert(1)>';
const ADMIN_PAGES = [
  '/admin/',
  '/admin/hosts',
  '/admin/servers',
  '/admin/agents',
  '/admin/scans',
  '/admin/settings?tab=user',
  '/admin/settings?tab=scans',
  '/admin/orders',
  '/admin/plugins',
  '/admin/events',
  '/admin/sessions',
  '/admin/log',
  '/admin/settings',
  '/admin/settings?tab=account',
  '/admin/settings?tab=api',
  '/admin/settings?tab=payments',
  '/admin/none',
];
const USER_PAGES = ['/user/', '/user/orders', '/user/sessions', '/user/password', '/user/none'];
/** Targets of a page's forms: gateways where a payment is chosen, any site with TLS in pages of plugins, otherwise only the panel. */
const formsOf = (path: string): string => {
  if (path === payPage || path === '/user/programs') return "form-action 'self' https: http:";
  return path.includes('plugin.php?') || path.startsWith('/secrets/') ? "form-action 'self' https:" : "form-action 'self'";
};
const OPEN_PAGES = ['/', '/admin/login', '/user/login', '/missing', '/pay/order/none'];
/** Those declared free of money and passwords: only these may be framed. */
const PLAIN_PAGES = ['/admin/scans', '/user/', '/'];

let place: TestPlace;
let panel: Panel;
let admin: PanelClient;
let user: PanelClient;
let payPage: string;

beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off', ADMIN_PASSWORD: PASSWORD, API_KEY });
  panel = await startPanel(place.config);
  await panel.database.repository(HostingNode).update({ code: 'local' }, NODE_SECRETS);
  await panel.app.get(HostingService).provision({ node: 'local', user: 'planted1', password: HOST_PASSWORD, expiresOn: null }, 'admin');
  const order = await panel.app
    .get(Orders)
    .create({ user: 'planted1', scene: 'test_scene', name: SCRIPT, amount: 100, type: '', context: {} });
  await panel.app.get(Orders).create({ user: SCRIPT, scene: 'test_scene', name: 'Thing', amount: 100, type: '', context: {} });
  await createAgentNode(panel.database, 'planted-node', { name: SCRIPT, ...AGENT_SECRETS, previousUntil: new Date('2030-01-01') });
  payPage = `/pay/order/${order.number}?k=${order.accessKey}`;
  admin = new PanelClient(panel.url);
  expect((await admin.ajax('admin', { gn: 'login', user: 'admin', pass: PASSWORD }, { 'user-agent': SCRIPT })).json).toMatchObject({
    success: true,
  });
  await admin.ajax('admin', { gn: 'setwz', name: SCRIPT, gg: `<b>bold</b>${SCRIPT}<a href="javascript:alert(1)">x</a>`, qq: SCRIPT });
  user = new PanelClient(panel.url);
  expect((await user.ajax('user', { gn: 'login', user: 'planted1', pass: HOST_PASSWORD }, { 'user-agent': SCRIPT })).json).toMatchObject({
    success: true,
  });
});
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

const pages = (): [PanelClient, string][] => [
  ...ADMIN_PAGES.map((path): [PanelClient, string] => [admin, path]),
  ...USER_PAGES.map((path): [PanelClient, string] => [user, path]),
  ...[...OPEN_PAGES, payPage].map((path): [PanelClient, string] => [new PanelClient(panel.url), path]),
];

describe('secrets', () => {
  it('appear in no response and on no page', async () => {
    const hashes = [
      ...(await panel.database.repository(Administrator).find()).map((row) => row.passwordHash),
      ...(await panel.database.repository(HostingAccount).find()).map((row) => row.passwordHash),
    ];
    const secrets = [PASSWORD, HOST_PASSWORD, ...Object.values(NODE_SECRETS), ...Object.values(AGENT_SECRETS), ...hashes];
    const heard: [string, string][] = [];
    for (const { side, name, owner } of panel.app.get(OperationRegistry).all()) {
      if (owner === 'core' && (name.startsWith('list') || name === 'plugin_list' || name === 'zjxx'))
        heard.push([`${side} ${name}`, (await (side === 'admin' ? admin : user).ajax(side, { gn: name })).text]);
    }
    expect(heard.length).toBeGreaterThan(8);
    for (const [client, path] of pages()) heard.push([path, (await client.send(path)).text]);
    for (const [where, text] of heard)
      for (const secret of [...secrets, API_KEY]) expect([where, secret, text.includes(secret)]).toEqual([where, secret, false]);
  });

  it('the calling keys of a node are shown by dymy only', async () => {
    const [row] = (await admin.ajax('admin', { gn: 'listbt' })).json.rows as Record<string, unknown>[];
    expect(row!.dymy).toMatch(/^[0-9a-f]{32}$/);
    for (const name of ['btmy', 'ktmy', 'qmk']) expect(row).not.toHaveProperty(name);
  });

  it('are stored as hashes, and never reach the operation log', async () => {
    await admin.ajax('admin', { gn: 'setapi', apikey: 'planted-new-key-0123456789' });
    await admin.ajax('admin', { gn: 'gl', yuser: 'admin', ypass: PASSWORD, xpass: 'planted-next-pass' });
    const rows = JSON.stringify([
      await panel.database.repository(OperationLog).find(),
      await panel.database.repository(Administrator).find(),
      await panel.database.repository(HostingAccount).find(),
    ]);
    expect(rows).not.toMatch(/planted-(?!1)/);
    expect((await panel.database.repository(SiteConfig).findOneByOrFail({ id: 1 })).api).toBe('planted-new-key-0123456789');
  });
});

describe('pages', () => {
  it("show people's input as text, and carry policy and headers", async () => {
    const nonces = new Set<string>();
    for (const [client, path] of pages()) {
      const answer = await client.send(path);
      expect([path, answer.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      for (const raw of ['<script>alert(', '<img src=x', 'href="javascript:', 'onerror=alert(1)>'])
        expect([path, raw, answer.text.includes(raw)]).toEqual([path, raw, false]);
      expect([path, answer.text.includes('&lt;script&gt;')]).toEqual([path, true]);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      expect([path, typeof nonce]).toEqual([path, 'string']);
      nonces.add(nonce!);
      expect([path, /script-src[^;]*unsafe/.test(policy)]).toEqual([path, false]);
      expect([path, /form-action [^;]*/.exec(policy)?.[0]]).toEqual([path, formsOf(path)]);
      for (const [tag] of answer.text.matchAll(/<script\b[^>]*>/g))
        expect([path, tag, tag.includes(`nonce="${nonce!}"`) || / src="\//.test(tag) || /type="application\/json"/.test(tag)]).toEqual([
          path,
          tag,
          true,
        ]);
      expect([path, answer.text.match(/\son[a-z]+=["'][^"']/)?.[0]]).toEqual([path, undefined]);
      expect([path, answer.headers.get('x-frame-options')]).toEqual([path, PLAIN_PAGES.includes(path) ? 'SAMEORIGIN' : 'DENY']);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(answer.headers.get('cache-control')).toContain('no-store');
    }
    expect(nonces.size).toBe(pages().length);
    expect((await user.send('/user/')).text).toContain('<b>bold</b>');
  });
});
