import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';

/**
 * The journey of a plugin author with only the commands of docs/plugin-authors.md: from an empty folder to a plugin on another panel, and
 * its removal.
 */
const COMMAND = join(PACKAGE_ROOT, 'sdk/bin/svc-plugin.mjs');
const place = mkdtempSync(join(tmpdir(), 'svc-journey-'));
const folder = join(place, 'coupons');
const started = performance.now();

let both: PanelWithStore;
let own: TestPanel;
beforeAll(async () => {
  both = await PanelWithStore.start();
  own = await TestPanel.start();
});
afterAll(async () => {
  await own?.close();
  await both?.close();
  rmSync(place, { recursive: true, force: true });
});

function say(text: string): void {
  process.stdout.write(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}\n`);
}

/** Starts a command and collects its output. */
function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = folder,
): { child: ChildProcess; text: () => string; ended: Promise<number> } {
  const lines: string[] = [];
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { ...process.env, SVC_PANEL: '', XDG_CONFIG_HOME: join(place, 'settings'), LANG: 'en_GB.UTF-8', ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const ended = once(child, 'close').then(([status]) => status as number);
  return { child, text: () => lines.join(''), ended };
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = folder): Promise<string> {
  const { text, ended } = start(args, env, cwd);
  expect(await ended, text()).toBe(0);
  say(`svc-plugin ${args.join(' ')}: ${text().trim().split('\n').at(-1)}`);
  return text();
}

/** Edits a file, as in an editor. */
function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(folder, path), text.replace(from, to));
}
const nextVersion = (version: string): void => edit('plugin.json', /"version": "[^"]*"/, `"version": "${version}"`);

async function token(): Promise<string> {
  const asked = { name: 'ci', scopes: ['read', 'publish'], days: 30 };
  return (await both.author.call<{ token: string }>('POST', '/auth/tokens', asked)).data.token;
}

/** Publishes a version, and approves it as reviewer meanwhile. */
async function published(STORE_TOKEN: string, changelog: string): Promise<void> {
  const sent = start(['publish', '--store', both.store.url, '--changelog', changelog], { STORE_TOKEN });
  await expect.poll(() => sent.text(), { timeout: 60_000 }).toContain('Waiting for review');
  const { data } = await both.reviewer.get<{ items: { id: number; slug: string }[] }>('/admin/items?status=pending');
  const [item] = data.items.filter(({ slug }) => slug === 'coupons');
  expect((await both.reviewer.call('PUT', `/admin/items/${item!.id}/approve`)).status).toBe(200);
  expect(await sent.ended, sent.text()).toBe(0);
  expect(sent.text()).toContain('Signed with your key');
  say(`svc-plugin publish: ${sent.text().trim().split('\n').at(-1)}`);
}

/**
 * Waits for a task in the second panel.
 *
 * @returns its error; empty on success
 */
async function done(answer: AjaxAnswer): Promise<string> {
  expect(answer.success, answer.code).toBe(true);
  const task_id = String(answer.data.task_id);
  let state: AjaxAnswer | undefined;
  const ask = async () => (state = await both.panel.admin('plugin_store_task', { task_id })).data.zt;
  await expect.poll(ask, { timeout: 60_000, interval: 50 }).toMatch(/^(success|failed)$/);
  return String(state!.data.cw);
}
const served = async (panel: TestPanel): Promise<string> => (await panel.fetch('/coupons')).text();

it('goes from an empty folder to installation in another panel and removal', { timeout: 300_000 }, async () => {
  await run(['create', 'coupons', '--kind', 'function'], {}, place);

  const made = await own.admin('addmy', { name: 'dev', qxmb: 'plugin_install plugin_enable plugin_list', ips: '', dq: '', kg: 'true' });
  const dev = start(['dev', '--data', own.dataDir, '--panel', own.url], { SVC_PANEL_KEY: String(made.data.secret) });
  await expect.poll(() => dev.text(), { timeout: 60_000 }).toContain('coupons 0.1.0 runs');
  edit('src/index.ts', '<h1>', '<h1 class="first">');
  await expect.poll(() => served(own), { timeout: 10_000, interval: 20 }).toContain('<h1 class="first">');
  say(`svc-plugin dev: ${dev.text().trim().split('\n').at(-1)}`);
  dev.child.kill('SIGINT');
  await dev.ended;

  await run(['test']);
  await run(['keys', 'create']);
  edit('plugin.json', /"description": "[^"]*"/, '"description": "Coupons for your customers"');
  await run(['check']);
  const secret = await token();
  await published(secret, 'The first one');

  // The page lists the requested permissions; without consent it is not installed.
  const asks = await both.panel.admin('plugin_store_install', { slug: 'coupons' });
  expect([asks.success, asks.code]).toEqual([false, expect.stringContaining('routes')]);
  expect(await done(await both.panel.admin('plugin_store_install', { slug: 'coupons', permissions: 'routes' }))).toBe('');
  expect(await served(both.panel)).toContain('class="first"');
  say('installed in a second panel');

  nextVersion('0.2.0');
  edit('src/index.ts', 'class="first"', 'class="second"');
  await published(secret, 'The second one');
  expect(await done(await both.panel.admin('plugin_upgrade', { slug: 'coupons' }))).toBe('');
  expect(await served(both.panel)).toContain('class="second"');
  say('upgraded there');

  nextVersion('0.3.0');
  edit('src/index.ts', 'definePlugin((svc) => {', "definePlugin((svc) => {\n  if (svc.slug !== '') throw new Error('not today');");
  await published(secret, 'A bad day');
  const said = await done(await both.panel.admin('plugin_upgrade', { slug: 'coupons' }));
  expect(said).toMatch(/0\.3\.0.*0\.2\.0.*not today/s);
  expect(await served(both.panel)).toContain('class="second"');
  say(`rolled back by itself: ${said}`);

  const gone = await both.panel.admin('plugin_uninstall', { slug: 'coupons', data: 'drop' });
  expect(gone.success, gone.code).toBe(true);
  expect((await both.panel.fetch('/coupons')).status).toBe(404);
  expect(both.panel.registrations('coupons')).toEqual({});
  say('uninstalled, without a trace');
});
