/**
 * Bad plugins of every kind against one panel, which keeps serving, names the culprit, and is recovered with the buttons of the Plugins
 * page. Cases that need their own process (endless loops, crashes) are in P03 and P06; docs/operating.md has the whole table.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { CallDeadlines } from '../../src/common/index.js';
import { handmadeZip } from '../../src/packaging/testing/handmade-zip.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { CALLBACKS, hostilePlugin, letGo, MISBEHAVIOURS, type CallbackKind } from '../support/hostile-plugins.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import type { AjaxAnswer, TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { overlookStalls, watchForStalls } from '../support/stalls.js';
import { zipOf } from '../support/store-packages.js';

const SLUG = 'hostile';
let both: PanelWithStore;
let panel: TestPanel;

beforeAll(async () => {
  await watchForStalls();
  both = await PanelWithStore.start();
  ({ panel } = both);
  Object.assign(panel.get(CallDeadlines), { page: 150, operation: 150, route: 150, payment: 150, action: 150, breakerMisses: 1_000 });
  Object.assign(panel.get(RuntimeLimits), { drain: 20 });
  writePlugin(panel.dataDir, 'healthy', functionPlugin("svc.svc_register_route('GET', '/healthy', () => 'well');"));
  await panel.enable('healthy');
});
afterAll(async () => {
  await both?.close();
  overlookStalls();
});
beforeEach(() => {
  both.between.meddle = null;
});

/** Requests for the pages of the panel and its healthy plugin are served. */
async function expectServing(): Promise<void> {
  const answers = await Promise.all([...['/admin/', '/admin/plugins'].map((path) => panel.adminFetch(path)), panel.fetch('/healthy')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await answers[2]!.text()).toBe('well');
  expect((await panel.fetch('/readyz')).status).toBe(200);
}

/** The plugin list shows in English what is wrong with the culprit: its error, or its warnings. */
async function said(): Promise<string> {
  const init = { method: 'POST', body: new URLSearchParams({ gn: 'plugin_list' }), headers: { 'Accept-Language': 'en' } };
  const { rows } = (await (await panel.adminFetch('/admin/ajax.php', init)).json()) as {
    rows: { slug: string; error: string; warnings: string[] }[];
  };
  const row = rows.find(({ slug }) => slug === SLUG)!;
  return [row.error, ...row.warnings].join('\n');
}

const ask = (gn: string): Promise<Response> => panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }) });
const everywhere = (Object.keys(CALLBACKS) as CallbackKind[]).filter((kind) => !/^(order|host|cron|boot|dispatch|payment)/.test(kind));
const operation = (body: string): string =>
  functionPlugin(`svc.svc_register_ajax('user', 'p_hostile', async () => { ${body} return { code: 'ok' }; });`);

interface Case {
  /** `index.js` of the plugin. */
  readonly code: string;
  /** Actions once it is enabled. */
  readonly action?: () => Promise<unknown>;
  /** Its entry in the plugin list. */
  readonly named: RegExp;
}

const CASES: Record<string, Case> = {
  'hangs everywhere': {
    code: hostilePlugin('hang', ...everywhere),
    action: () => Promise.all([panel.adminFetch('/admin/'), panel.fetch('/hostile'), ask('p_hostile')]),
    named: /no response within 0\.15 s/,
  },
  'throws everywhere': {
    code: hostilePlugin('throws', ...everywhere),
    action: () => Promise.all([panel.adminFetch('/admin/'), panel.fetch('/hostile'), ask('p_hostile')]),
    named: /hostile/,
  },
  'keeps the thread': {
    code: operation(MISBEHAVIOURS.busy),
    action: () => ask('p_hostile'),
    named: /p_hostile: the panel was blocked for \d+ ms/,
  },
  'leaks timers and listeners': {
    code: operation(
      `for (let n = 0; n < 200; n += 1) { setInterval(() => { throw new Error('leaked'); }, 5); process.on('SIGUSR2', () => {}); }`,
    ),
    action: () => ask('p_hostile'),
    named: /leaked/,
  },
  'ends the process': {
    code: operation('process.exit(1);'),
    action: () => ask('p_hostile'),
    named: /process\.exit\(\) is not allowed/,
  },
  'changes what all share': {
    code: functionPlugin(`Array.prototype.map = function () { return []; }; globalThis.fetch = () => Promise.reject(new Error('mine'));
      require('node:fs').readFileSync = () => ''; Object.prototype.polluted = true; JSON.parse = () => ({});`),
    named: /globalThis\.fetch.*Array\.prototype\.map.*JSON\.parse.*fs\.readFileSync.*Object\.prototype\.polluted/,
  },
  'takes a route of another one': {
    code: functionPlugin("svc.svc_register_route('GET', '/healthy', () => 'mine', 50);"),
    named: /GET \/healthy/,
  },
  'asks for nothing and uses everything': {
    code: operation(`const refused = [];
      for (const call of [() => svc.customers.find(1), () => svc.credit.balance(1), () => svc.names.list(),
        () => svc.svc_register_host_driver('x', { title: 'X', can: [], fields: [] }), 
        () => svc.svc_register_dns_driver('x', { title: 'X', fields: [] })])
        try { await call(); } catch (error) { refused.push(error.message); }
      if (refused.length === 5) throw new Error(refused.join(' ; '));`),
    action: () => ask('p_hostile'),
    named: /customers.*credit.*names.*host_driver.*dns/s,
  },
  'empties the menu': {
    code: functionPlugin(`svc.svc_add_action('menu.admin', (menu) => { menu.length = 0; throw new Error('menu gone'); }, 99);`),
    action: async () => expect(await (await panel.adminFetch('/admin/')).text()).toContain('href="/admin/plugins"'),
    named: /menu gone/,
  },
  'answers without end': { code: hostilePlugin('hugeResult', ...everywhere), named: /^$/ },
};

it.each(Object.keys(CASES))('a plugin that %s', async (name) => {
  const { code, action, named } = CASES[name]!;
  writePlugin(panel.dataDir, SLUG, code);
  await panel.enable(SLUG);
  const answer = await action?.();
  for (const one of [answer].flat()) if (one instanceof Response) await one.arrayBuffer();
  await expect.poll(said, { timeout: 5_000 }).toMatch(named);
  await expectServing();
  // The buttons of the page: disable, and uninstall with its data.
  expect(await panel.disable(SLUG)).toMatchObject({ success: true });
  expect(await panel.admin('plugin_uninstall', { slug: SLUG, data: 'drop' })).toMatchObject({ success: true });
  expect(letGo()).toBe(0);
  expect(panel.registrations(SLUG)).toEqual({});
  await expectServing();
});

it('a plugin that claims any address gets no request for one of the panel', async () => {
  const paths = ['/admin/plugins', '/admin/login', '/admin/unused', '/user/login', '/healthz', '/readyz'];
  writePlugin(
    panel.dataDir,
    SLUG,
    functionPlugin(['/{any}', '/{any}/{other}'].map((path) => `svc.svc_register_route('*', '${path}', () => 'mine', 50);`).join('')),
  );
  await panel.enable(SLUG);
  expect(await (await panel.fetch('/any/other')).text()).toBe('mine');
  for (const path of paths) expect([path, await (await panel.adminFetch(path)).text()]).not.toEqual([path, 'mine']);
  expect(await panel.admin('plugin_list')).toHaveProperty('rows');
  await expectServing();
  await panel.disable(SLUG);
});

it.each([
  ['an address of the panel', "svc.svc_register_route('GET', '/admin/mine', () => 'mine');", /admin\/mine.*\/p\/hostile\/…/],
  ['an operation of the panel', "svc.svc_register_ajax('admin', 'login', () => ({ taken: true }));", /p_/],
  ['a key that signs plugins', "svc.svc_register_payment('epay', { name: 'Mine', methods: { a: 'A' }, build: () => 'mine' });", /epay/],
])('a plugin that claims the name of %s does not start, with the reason', async (_what, code, why) => {
  writePlugin(panel.dataDir, SLUG, functionPlugin(code));
  expect(await panel.tryEnable(SLUG)).toMatchObject({ success: false });
  expect(await said()).toMatch(why);
  await expectServing();
});

async function upload(zip: Buffer): Promise<AjaxAnswer> {
  const form = new FormData();
  form.append('gn', 'plugin_upload');
  form.append('file', new Blob([new Uint8Array(zip)]), 'a.zip');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
}
const zipFor = (version: string): Promise<Buffer> =>
  zipOf('packed', {
    'plugin.json': JSON.stringify({ id: 'packed', name: 'Packed', version }),
    'index.js': functionPlugin(`svc.svc_register_route('GET', '/packed', () => '${version}');`),
  });
const installed = (version: string) =>
  expect.poll(async () => (await panel.fetch('/packed')).text(), { timeout: 20_000, interval: 50 }).toBe(version);

const PACKAGES: Record<string, () => Promise<void>> = {
  'a bomb': async () => {
    const bomb = handmadeZip([{ name: 'packed/plugin.json', content: Buffer.alloc(12 * 1024 * 1024) }]);
    expect((await upload(bomb)).err).toBe('E_LIMIT');
  },
  'a forged signature': async () => {
    await both.publish('packed', '3.0.0', await zipFor('3.0.0'));
    both.between.meddle = (path, body) =>
      path.endsWith('/versions') ? Buffer.from(body.toString().replace(/"signature":"[^"]{6}/g, '"signature":"AAAAAA')) : body;
    const { data } = await panel.admin('plugin_store_install', { slug: 'packed' });
    const task = () => panel.admin('plugin_store_task', { task_id: String(data.task_id) }).then((answer) => answer.data);
    await expect.poll(task, { timeout: 20_000, interval: 50 }).toMatchObject({ zt: 'failed', cw: expect.stringContaining('签名') });
  },
  'a race of two': async () => {
    const answers = await Promise.all([upload(await zipFor('2.0.0')), upload(await zipFor('2.0.0'))]);
    expect(answers.filter(({ success }) => success)).not.toEqual([]);
    await installed('2.0.0');
  },
  'a downgrade': async () => {
    expect(await upload(await zipFor('1.0.0'))).toMatchObject({ success: false });
    await installed('2.0.0');
  },
};

it.each(Object.keys(PACKAGES))('a package that is %s', async (name) => {
  await PACKAGES[name]!();
  await expectServing();
});
