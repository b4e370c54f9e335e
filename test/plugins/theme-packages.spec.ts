import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { Notice } from '../../src/notify/index.js';
import { handmadeZip } from '../../src/packaging/testing/handmade-zip.js';
import { StoreWatch } from '../../src/plugin-store/index.js';
import { ThemeFolders } from '../../src/plugin-store/themes/index.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import type { AjaxAnswer, TestPanel } from '../support/panel.js';
import type { StoreBetween } from '../support/store-between.js';
import { zipOf } from '../support/store-packages.js';
import type { StoreClient } from '../support/store.js';

let both: PanelWithStore;
let between: StoreBetween;
let panel: TestPanel;
let admin: StoreClient;

beforeAll(async () => {
  both = await PanelWithStore.start();
  ({ between, panel, reviewer: admin } = both);
});
afterAll(() => both?.close());
beforeEach(async () => {
  between.meddle = null;
  await use('default');
});

interface Card {
  readonly name: string;
  readonly version: string;
  readonly packaged: boolean;
  readonly before: boolean;
  readonly newer: string;
  readonly newer_beta: boolean;
}

const zipFor = (name: string, version: string, files: Record<string, string> = {}): Promise<Buffer> =>
  zipOf(name, {
    'theme.json': JSON.stringify({ name, title: name, version }),
    'home/index.liquid': `${name} ${version}`,
    ...files,
  });
const publish = async (name: string, version: string, files?: Record<string, string>, channel = 'stable'): Promise<void> =>
  both.publish(name, version, await zipFor(name, version, files), { type: 'theme', channel });

async function upload(zip: Buffer): Promise<AjaxAnswer> {
  const form = new FormData();
  form.append('gn', 'theme_upload');
  form.append('file', new Blob([new Uint8Array(zip)]), 'a.zip');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
}

/** Waits for a task; returns its error, or an empty text. */
async function done(answer: AjaxAnswer): Promise<string> {
  expect(answer.success, answer.code).toBe(true);
  const task_id = String(answer.data.task_id);
  let state: AjaxAnswer | undefined;
  await expect
    .poll(async () => (state = await panel.admin('theme_task', { task_id })).data.zt, { timeout: 60_000, interval: 50 })
    .toMatch(/^(success|failed)$/);
  return String(state!.data.cw);
}
const use = (hometheme: string) => panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme });
const page = async (path: string): Promise<string> => (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();
const home = async (): Promise<string> => (await panel.fetch('/')).text();
const card = async (name: string) => ((await panel.admin('theme_list')).rows as unknown as Card[]).find((theme) => theme.name === name);
const folder = (...path: string[]): string => join(panel.dataDir, 'themes', ...path);

describe('a theme', () => {
  it('is published, installed, upgraded, rolled back, and removed without leftovers', async () => {
    await publish('coast', '1.0.0');
    expect(await done(await panel.admin('theme_store_install', { name: 'coast' }))).toBe('');
    expect(await use('coast')).toMatchObject({ success: true });
    expect(await home()).toBe('coast 1.0.0');
    expect(await card('coast')).toMatchObject({ version: '1.0.0', packaged: true, before: false });
    expect(await panel.admin('theme_store_install', { name: 'coast' })).toMatchObject({ success: false, err: 'E_EXISTS' });
    expect(await panel.admin('theme_upgrade', { name: 'coast' })).toMatchObject({ success: false });

    await publish('coast', '2.0.0');
    expect(await done(await panel.admin('theme_upgrade', { name: 'coast' }))).toBe('');
    expect(await home()).toBe('coast 2.0.0');
    expect(await card('coast')).toMatchObject({ version: '2.0.0', before: true });

    expect(await done(await panel.admin('theme_rollback', { name: 'coast' }))).toBe('');
    expect(await home()).toBe('coast 1.0.0');
    expect(await panel.admin('theme_rollback', { name: 'coast' })).toMatchObject({ success: false });

    const { rows: history } = (await panel.admin('theme_history')) as unknown as { rows: Record<string, string>[] };
    expect(history.map(({ name, version, lx, zt }) => [name, version, lx, zt])).toEqual([
      ['coast', '1.0.0', 'back', 'done'],
      ['coast', '2.0.0', 'store', 'done'],
      ['coast', '1.0.0', 'store', 'done'],
    ]);
    expect(await page('/admin/themes')).toContain('Rolled back');

    expect(await panel.admin('theme_sc', { name: 'coast' })).toMatchObject({ err: 'E_INUSE' });
    await use('default');
    expect(await panel.admin('theme_sc', { name: 'coast' })).toMatchObject({ success: true });
    expect(existsSync(folder('coast'))).toBe(false);
    expect(existsSync(folder('.before', 'coast'))).toBe(false);
  });

  it('can be searched and viewed before installation; one with the name of a bundled theme is not offered', async () => {
    await publish('reef', '1.0.0');
    await publish('horizon', '9.0.0');
    const found = (await panel.admin('theme_store', { q: 'reef' })) as unknown as { rows: Record<string, unknown>[] };
    expect(found.rows).toMatchObject([{ slug: 'reef', state: 'available', installed: '' }]);
    const shelf = await page('/admin/theme-store?q=reef');
    expect(shelf).toContain('/admin/theme-store-item?slug=reef');
    expect(shelf).not.toContain('slug=horizon');
    expect(await page('/admin/theme-store-item?slug=reef')).toContain('data-ajax="theme_store_install"');
    expect(await done(await panel.admin('theme_store_install', { name: 'reef' }))).toBe('');
    expect(await page('/admin/theme-store-item?slug=reef')).not.toContain('data-ajax="theme_store_install"');
    await publish('reef', '2.0.0');
    expect(await page('/admin/theme-store-item?slug=reef')).toContain('Upgrade to 2.0.0');
    const taken = await page('/admin/theme-store-item?slug=horizon');
    expect(taken).toContain('included with the panel');
    expect(taken).not.toContain('data-ajax="theme_store_install"');
    for (const slug of ['nothing', '../reef', ''])
      expect((await panel.adminFetch(`/admin/theme-store-item?slug=${encodeURIComponent(slug)}`)).status).toBe(404);
  });

  it('whose package was changed in transit, or differs from what was viewed, is not installed', async () => {
    await publish('dunes', '1.0.0');
    between.meddle = (path, body) => (path.endsWith('/download') ? Buffer.concat([body, Buffer.from('x')]) : body);
    expect(await done(await panel.admin('theme_store_install', { name: 'dunes' }))).not.toBe('');
    between.meddle = (path, body) =>
      path.includes('/versions') && !path.endsWith('/download')
        ? Buffer.from(body.toString().replace(/"signature":"(.)/, (_, first) => `"signature":"${first === 'A' ? 'B' : 'A'}`))
        : body;
    const forged = await panel.admin('theme_store_install', { name: 'dunes' });
    if (forged.success) expect(await done(forged)).not.toBe('');
    between.meddle = null;
    expect(await panel.admin('theme_store_install', { name: 'dunes', sha256: 'a'.repeat(64) })).toMatchObject({ err: 'E_CONFLICT' });
    for (const name of ['../dunes', 'nothing', ''])
      expect(await panel.admin('theme_store_install', { name })).toMatchObject({ success: false });
    expect(existsSync(folder('dunes'))).toBe(false);
  });

  it('whose version was withdrawn or is no longer offered stays, and administrators are notified once', async () => {
    for (const version of ['1.0.0', '1.1.0']) await publish('marsh', version);
    expect(await done(await panel.admin('theme_store_install', { name: 'marsh' }))).toBe('');
    await use('marsh');
    const told = async (): Promise<string[][]> =>
      (await panel.get(Database).repository(Notice).find())
        .filter(({ key }) => /^theme-(withdrawn|closed):marsh:/.test(key ?? ''))
        .map(({ key, link }) => [key!.split(':')[0]!, link]);
    await both.withdraw('marsh', '1.1.0', 'Hard to read');
    for (let i = 0; i < 2; i++) await panel.get(StoreWatch).check();
    expect(await told()).toEqual([['theme-withdrawn', '/admin/themes']]);
    await both.withdraw('marsh', '1.0.0', 'Gone for good');
    for (let i = 0; i < 2; i++) await panel.get(StoreWatch).check();
    expect((await told()).map(([kind]) => kind).sort()).toEqual(['theme-closed', 'theme-withdrawn']);
    expect(await page('/admin/notices')).toContain('Hard to read');
    expect(await home()).toBe('marsh 1.1.0');
  });

  it('with a newer version in the store is reported once; themes that are not installed are not reported', async () => {
    await publish('cliff', '1.0.0');
    expect(await done(await panel.admin('theme_store_install', { name: 'cliff' }))).toBe('');
    await publish('cliff', '1.1.0');
    between.meddle = (path, body) => {
      if (!path.endsWith('/update-check')) return body;
      const answer = JSON.parse(body.toString()) as { data: { updates: object[]; closed: object[]; withdrawn: object[] } };
      const stranger = { type: 'theme', slug: 'stranger', reason: 'pay here', since: '2026-01-01T00:00:00Z', version: '1.0.0' };
      for (const list of [answer.data.closed, answer.data.withdrawn]) list.push(stranger);
      answer.data.updates.push({ ...(answer.data.updates[0] ?? {}), ...stranger });
      return Buffer.from(JSON.stringify(answer));
    };
    for (let i = 0; i < 2; i++) await panel.get(StoreWatch).check();
    const told = await panel.get(Database).repository(Notice).find();
    expect(told.filter(({ key }) => key === 'theme-newer:cliff:1.1.0').map(({ link }) => link)).toEqual(['/admin/themes']);
    expect(told.filter(({ key }) => key?.includes('stranger'))).toEqual([]);
  });

  it('has a beta, which is offered and installed if betas are enabled', async () => {
    const themes = ['mist', 'moor'] as const;
    for (const name of themes) {
      await publish(name, '1.0.0');
      expect(await done(await panel.admin('theme_store_install', { name }))).toBe('');
      await publish(name, '2.0.0-beta', {}, 'beta');
    }
    /** Returns the version offered for each theme. */
    const offered = async () => {
      const cards = await Promise.all(themes.map((name) => card(name)));
      return cards.map((one) => `${one!.newer} ${one!.newer_beta}`);
    };
    const choose = async (betas: string, name = ''): Promise<void> =>
      expect(await panel.admin('theme_betas', { betas, name })).toMatchObject({ success: true });
    await panel.get(StoreWatch).check();
    expect(await offered()).toEqual([' false', ' false']);
    expect(await panel.admin('theme_upgrade', { name: 'mist' })).toMatchObject({ success: false });
    expect(await page('/admin/theme-store-item?slug=mist')).toContain('Same as all themes: not offered');
    // For one of them.
    await choose('true', 'mist');
    expect(await offered()).toEqual(['2.0.0-beta true', ' false']);
    const notices = await page('/admin/notices');
    expect(notices).toContain('The store has the beta 2.0.0-beta of the theme mist for testing.');
    expect(notices).not.toContain('of the theme moor');
    expect(await page('/admin/themes')).toContain('Beta 2.0.0-beta is available');
    // After opting out, no beta is offered.
    await choose('false', 'mist');
    expect(await offered()).toEqual([' false', ' false']);
    // For all themes except one with its own setting.
    await choose('false', 'moor');
    await choose('', 'mist');
    await choose('true');
    expect(await offered()).toEqual(['2.0.0-beta true', ' false']);
    expect(await page('/admin/theme-store')).toMatch(/name="betas"[^>]*\schecked/);
    expect(await page('/admin/theme-store-item?slug=mist')).toContain('Same as all themes: offered');
    expect(await done(await panel.admin('theme_upgrade', { name: 'mist' }))).toBe('');
    expect(await panel.admin('theme_upgrade', { name: 'moor' })).toMatchObject({ success: false });
    expect(await card('mist')).toMatchObject({ version: '2.0.0-beta', newer: '', newer_beta: false });
    expect(await card('moor')).toMatchObject({ version: '1.0.0' });
    // An installed beta stays until there is a newer version.
    await choose('false');
    await publish('mist', '2.0.0');
    await panel.get(StoreWatch).check();
    expect(await offered()).toEqual(['2.0.0 false', ' false']);
    for (const betas of ['maybe', '']) expect(await panel.admin('theme_betas', { betas })).toMatchObject({ success: false, err: 'E_ARGS' });
    for (const name of ['nowhere', 'horizon'])
      expect(await panel.admin('theme_betas', { betas: 'true', name })).toMatchObject({ success: false, err: 'E_STATE' });
    // The setting is removed with the theme.
    await choose('true', 'moor');
    expect(await panel.admin('theme_sc', { name: 'moor' })).toMatchObject({ success: true });
    expect(await done(await panel.admin('theme_store_install', { name: 'moor' }))).toBe('');
    expect(await card('moor')).toMatchObject({ betas: '', newer: '' });
  });

  it('that its store blocked is replaced by the default one within a day', async () => {
    await publish('storm', '1.0.0');
    expect(await done(await panel.admin('theme_store_install', { name: 'storm' }))).toBe('');
    await use('storm');
    const { data } = await admin.call<{ sha256: string }>('GET', `/items/by-slug/theme/storm`);
    expect((await admin.call('POST', '/admin/blocked-digests', { sha256: data!.sha256, reason: 'steals' })).status).toBeLessThan(300);
    await panel.get(StoreWatch).check();
    expect(await home()).toContain('class="hero"');
  });
});

describe('a ZIP of a theme', () => {
  it('is installed, replaced by a newer one, and cannot be used to go back to an older version', async () => {
    expect(await done(await upload(await zipFor('hills', '2.0.0')))).toBe('');
    await use('hills');
    expect(await home()).toBe('hills 2.0.0');
    expect(await upload(await zipFor('hills', '1.0.0'))).toMatchObject({ success: false });
    expect(await done(await upload(await zipFor('hills', '2.1.0')))).toBe('');
    expect(await home()).toBe('hills 2.1.0');
    expect(await panel.admin('theme_upgrade', { name: 'hills' })).toMatchObject({ success: false });
  });

  it.each([
    ['is no theme', () => zipOf('lone', { 'readme.txt': 'x' })],
    ['is a plugin', () => zipOf('lone', { 'plugin.json': '{"id":"lone","name":"lone","version":"1.0.0"}', 'index.js': '' })],
    ['has the name of one that comes with the panel', () => zipFor('horizon', '9.0.0')],
    ['differs from another in capitals alone', () => zipFor('HILLS', '9.0.0')],
    ['leads out of its folder', async () => handmadeZip([{ name: 'lone/../../x.liquid', content: Buffer.from('x') }])],
    ['is no ZIP', async () => Buffer.from('nothing')],
  ])('that %s is refused before anything is unpacked', async (_what, zip) => {
    expect(await upload(await zip())).toMatchObject({ success: false });
    expect(existsSync(folder('lone'))).toBe(false);
    expect(readdirSync(folder('.incoming'))).toEqual([]);
  });

  it('uploaded by two administrators at the same time is installed once', async () => {
    const zip = await zipFor('twice', '1.0.0');
    const answers = await Promise.all([upload(zip), upload(zip)]);
    for (const answer of answers.filter(({ success }) => success)) expect(await done(answer)).toBe('');
    expect(await card('twice')).toMatchObject({ version: '1.0.0', packaged: true });
  });
});

describe('the grant for a theme’s script', () => {
  const scripted = (name: string, version: string, script: string, sides = ['home']): Record<string, string> => ({
    'theme.json': JSON.stringify({ name, title: name, version, scripts: [{ file: 'scripts/sea.js', sides }] }),
    'home/index.liquid': `<body>${version}</body>`,
    'scripts/sea.js': script,
  });
  const standing = async (name: string) =>
    (await panel.admin('theme_scripts', { name })).rows[0] as unknown as { state: string; sha256: string };
  async function grant(name: string, pages = 'plain'): Promise<void> {
    const { sha256 } = await standing(name);
    const fields = { name, file: 'scripts/sea.js', sha256, pages };
    expect(await panel.admin('theme_script_grant', fields)).toMatchObject({ success: true });
  }
  /** Returns the state of the script's grant, and whether the home page includes the script. */
  const seen = async (name: string) => [(await standing(name)).state, (await home()).includes('<script>')];

  it('holds in a newer ZIP for the same script only, and ends after a rollback', async () => {
    const name = 'surf';
    const uploaded = async (version: string, script: string, sides?: string[]): Promise<void> =>
      expect(await done(await upload(await zipFor(name, version, scripted(name, version, script, sides))))).toBe('');
    await uploaded('1.0.0', 'sea = 1');
    await use(name);
    await grant(name);
    await grant(name, 'all');
    expect(await seen(name)).toEqual(['everywhere', true]);
    await uploaded('1.1.0', 'sea = 1');
    expect(await seen(name)).toEqual(['everywhere', true]);
    await uploaded('1.2.0', 'sea = 2');
    expect(await seen(name)).toEqual(['changed', false]);
    // A renewed grant is limited to plain pages at first.
    await grant(name);
    expect(await seen(name)).toEqual(['plain', true]);
    await uploaded('1.3.0', 'sea = 2', ['home', 'user']);
    expect(await seen(name)).toEqual(['changed', false]);
    await grant(name);
    // The previous version has a script that was granted once: that grant has ended.
    expect(await done(await panel.admin('theme_rollback', { name }))).toBe('');
    expect(await home()).toBe('<body>1.2.0</body>');
    expect(await seen(name)).toEqual(['none', false]);
  });

  it('ends if its store blocks the theme, also when it is restored', async () => {
    const name = 'wreck';
    await publish(name, '1.0.0', scripted(name, '1.0.0', 'sea = 1'));
    expect(await done(await panel.admin('theme_store_install', { name }))).toBe('');
    await use(name);
    await grant(name);
    expect(await seen(name)).toEqual(['plain', true]);
    const { data } = await admin.call<{ sha256: string }>('GET', `/items/by-slug/theme/${name}`);
    expect((await admin.call('POST', '/admin/blocked-digests', { sha256: data!.sha256, reason: 'reads along' })).status).toBeLessThan(300);
    await panel.get(StoreWatch).check();
    expect(await home()).toContain('class="hero"');
    await use(name);
    expect(await seen(name)).toEqual(['none', false]);
    // Uploading a ZIP with the same name and script does not restore the grant.
    expect(await done(await upload(await zipFor(name, '1.1.0', scripted(name, '1.1.0', 'sea = 1'))))).toBe('');
    expect(await seen(name)).toEqual(['none', false]);
  });
});

describe('a process that ended while files were exchanged', () => {
  it('leaves the previous version, which the next process finds', async () => {
    expect(await done(await upload(await zipFor('lost', '1.0.0')))).toBe('');
    mkdirSync(folder('.before', 'lost'), { recursive: true });
    renameSync(folder('lost'), folder('.before', 'lost', '1'));
    mkdirSync(folder('.incoming', 'lost'), { recursive: true });
    writeFileSync(folder('.incoming', 'lost', 'theme.json'), '{');
    // Every process runs this at its start.
    await panel.get(ThemeFolders).recover();
    await panel.admin('theme_reload');
    expect(await card('lost')).toMatchObject({ version: '1.0.0' });
  });
});
