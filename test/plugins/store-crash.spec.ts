import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { createStartedPlace, type TestPlace } from '../support/database.js';
import { someMoments } from '../support/moments.js';
import { PanelClient } from '../support/panel-client.js';
import { ServerProcess } from '../support/server-process.js';
import { StoreBetween } from '../support/store-between.js';
import { formOf, submit, zipOf } from '../support/store-packages.js';
import { type StoreClient, TestStore } from '../support/store.js';

let store: TestStore;
let between: StoreBetween;
let place: TestPlace;
let panel: ServerProcess;
let browser: PanelClient;
let admin: StoreClient;
let alice: StoreClient;

beforeAll(async () => {
  store = await TestStore.start();
  between = await StoreBetween.start(store.url);
  [admin, alice] = [await store.member('Root', 'admin'), await store.member('Alice')];
  place = await createStartedPlace();
  await restart();
});
afterAll(async () => {
  await panel?.stop('SIGKILL');
  await place?.dispose();
  await between?.close();
  await store?.close();
});

async function restart(): Promise<void> {
  const ports: [number, number] | undefined = panel && [panel.port, panel.sitesPort];
  panel = await ServerProcess.start(place, { SERVICES: 'panel,worker', STORE_URL: between.url, RATE_LIMIT: 'off' }, ports);
  await panel.ready();
  browser = await new PanelClient(panel.url).login('admin', 'admin', DEFAULT_ADMIN_PASSWORD);
}

/** Returns a plugin that takes some time to start, with enough files to take some time to unpack. */
async function zipFor(slug: string, version: string): Promise<Buffer> {
  const more = Object.fromEntries(Array.from({ length: 100 }, (_one, at) => [`lib/${at}.js`, `module.exports = '${version}';\n`]));
  const code = `const version = require('./lib/99.js');
module.exports = async (svc) => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  svc.svc_register_route('GET', '/${slug}', () => version + require('./lib/1.js'));
};
`;
  return zipOf(slug, { 'plugin.json': JSON.stringify({ id: slug, name: slug, version }), 'index.js': code, ...more });
}

/** Returns a theme whose home page consists of its first and its last file. */
async function themeFor(name: string, version: string): Promise<Buffer> {
  const more = Object.fromEntries(Array.from({ length: 100 }, (_one, at) => [`home/p${at}.liquid`, version]));
  const index = "{% partial 'p0' %} {% partial 'p99' %}";
  return zipOf(name, { 'theme.json': JSON.stringify({ name, title: name, version }), 'home/index.liquid': index, ...more });
}

async function publish(slug: string, type: 'plugin' | 'theme' = 'plugin'): Promise<void> {
  const zip = await (type === 'theme' ? themeFor : zipFor)(slug, '1.0.0');
  const { data } = await submit(alice, slug, { type, version: '1.0.0' }, zip);
  await admin.call('PUT', `/admin/items/${data.id}/approve`);
}

async function publishNext(slug: string, type: 'plugin' | 'theme' = 'plugin'): Promise<void> {
  const { data } = await store.visitor().get<{ id: number }>(`/items/by-slug/${type}/${slug}`);
  const zip = await (type === 'theme' ? themeFor : zipFor)(slug, '2.0.0');
  await alice.call('POST', `/developer/items/${data.id}/versions`, formOf({ version: '2.0.0' }, zip));
  expect((await admin.call('PUT', `/admin/items/${data.id}/approve`)).status).toBe(200);
}

const order = async (gn: string, slug: string): Promise<void> =>
  expect((await browser.ajax('admin', { gn, slug })).json).toMatchObject({ success: true });
const served = async (slug: string): Promise<string> => (await browser.send(`/${slug}`)).text;

const proven = (slug: string): Promise<void> =>
  expect.poll(() => existsSync(inPlugins(`${slug}/.unproven`)), { timeout: 150_000, interval: 200 }).toBe(false);

/** Kills the panel with SIGKILL as soon as the condition is true. */
async function killWhen(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('The moment to kill did not come.');
    await turn();
  }
  await panel.stop('SIGKILL');
}

const inPlugins = (path: string): string => join(place.dataDir, 'plugins', path);

const MOMENTS: [string, 'its files come' | 'it changes', (slug: string) => () => boolean][] = [
  ['while its package is fetched', 'its files come', () => () => isFetching],
  ['while it is unpacked', 'its files come', (slug) => () => existsSync(inPlugins(`.incoming/${slug}/lib/10.js`))],
  ['while files change places', 'it changes', (slug) => () => existsSync(inPlugins(`.before/${slug}/1`))],
  ['while it starts', 'it changes', (slug) => () => existsSync(inPlugins(`${slug}/.unproven`))],
];
let isFetching = false;
/** A task of a killed process is taken over by another one after its lease has expired. */
const LATER = { timeout: 150_000, interval: 200 };

it.each(someMoments(MOMENTS, ([, kind]) => kind))(
  'a panel killed %s has either the old version or the new one, and the upgrade continues',
  async (_moment, _kind, when) => {
    const slug = `m${MOMENTS.findIndex(([, , one]) => one === when)}`;
    await publish(slug);
    await order('plugin_store_install', slug);
    await expect.poll(() => served(slug), { timeout: 30_000 }).toBe('1.0.01.0.0');
    await proven(slug);
    await publishNext(slug);
    isFetching = false;
    between.meddle = (path, body) => {
      if (path.includes('/download')) isFetching = true;
      return body;
    };
    const killed = killWhen(when(slug));
    await order('plugin_upgrade', slug);
    await killed;
    await restart();
    // All files are of one version.
    expect(['1.0.01.0.0', '2.0.02.0.0']).toContain(await served(slug));
    await expect.poll(() => served(slug), { timeout: 150_000, interval: 200 }).toBe('2.0.02.0.0');
    await proven(slug);
    expect(readdirSync(inPlugins('.incoming')).filter((name) => name.includes(slug))).toEqual([]);
  },
  240_000,
);

it('a panel killed during a plugin’s first installation has it completely or not at all, and finally completely', async () => {
  await publish('fresh');
  const killed = killWhen(() => existsSync(inPlugins('fresh/.unproven')));
  await order('plugin_store_install', 'fresh');
  await killed;
  await restart();
  await expect.poll(() => served('fresh'), { timeout: 150_000, interval: 200 }).toBe('1.0.01.0.0');
}, 240_000);

it('a panel killed while one theme is upgraded and another installed has each completely, and finishes both', async () => {
  const theme = (gn: string, name: string) =>
    browser.ajax('admin', { gn, name }).then(({ json }) => expect(json).toMatchObject({ success: true }));
  const inThemes = (path: string): string => join(place.dataDir, 'themes', path);
  const whole = (name: string) =>
    expect.poll(() => ['theme.json', '.unproven'].map((file) => existsSync(inThemes(`${name}/${file}`))), LATER);
  const home = async (): Promise<string> => (await browser.send('/')).text;
  await Promise.all([publish('coast', 'theme'), publish('dunes', 'theme')]);
  await theme('theme_store_install', 'coast');
  await whole('coast').toEqual([true, false]);
  await browser.ajax('admin', { gn: 'settheme', usertheme: 'default', admintheme: 'default', hometheme: 'coast' });
  expect(await home()).toBe('1.0.0 1.0.0');
  await publishNext('coast', 'theme');
  const killed = killWhen(() => existsSync(inThemes('.before/coast/1')));
  await Promise.all([theme('theme_upgrade', 'coast'), theme('theme_store_install', 'dunes').catch(() => {})]);
  await killed;
  await restart();
  expect(['1.0.0 1.0.0', '2.0.0 2.0.0']).toContain(await home());
  await theme('theme_store_install', 'dunes').catch(() => {});
  await expect.poll(home, LATER).toBe('2.0.0 2.0.0');
  await Promise.all([whole('coast').toEqual([true, false]), whole('dunes').toEqual([true, false])]);
  expect(readdirSync(inThemes('.incoming')).filter((name) => !name.endsWith('.zip'))).toEqual([]);
}, 240_000);
