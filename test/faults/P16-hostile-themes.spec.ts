/**
 * Bad themes of every kind against one panel, which keeps serving, names the culprit, and is recovered with the buttons of the Themes page.
 * Theme scripts in a browser are in P16-hostile-themes.browser; docs/operating.md has the whole table.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { handmadeZip } from '../../src/packaging/testing/handmade-zip.js';
import { BROKEN_MANIFESTS, FAILING_VIEWS, READING_VIEWS, WRONG_MANIFESTS } from '../support/hostile-themes.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import type { AjaxAnswer, TestPanel } from '../support/panel.js';
import { zipOf } from '../support/store-packages.js';

const NAME = 'hostile';
let both: PanelWithStore;
let panel: TestPanel;

beforeAll(async () => {
  both = await PanelWithStore.start();
  ({ panel } = both);
});
afterAll(() => both?.close());
beforeEach(async () => {
  both.between.meddle = null;
  await use('default');
  rmSync(join(panel.dataDir, 'themes'), { recursive: true, force: true });
  put('other', { 'home/hidden.liquid': 'SECRET', 'shared/hidden.liquid': 'SECRET', 'assets/hidden.css': 'p{}' });
});

/** Puts a theme into the installation's folder manually, without the checks of a package. */
function put(name: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries({ 'theme.json': JSON.stringify({ title: name }), ...files })) {
    const file = join(panel.dataDir, 'themes', name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

interface Card {
  readonly name: string;
  readonly title: string;
  readonly problems: { readonly view: string; readonly message: string; readonly count: number }[];
}
const use = (hometheme: string, more: Record<string, string> = {}): Promise<AjaxAnswer> =>
  panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme, ...more });
const html = async (path = '/'): Promise<string> => (await panel.fetch(path, { headers: { Accept: 'text/html' } })).text();
const card = async (): Promise<Card | undefined> =>
  ((await panel.admin('theme_list')).rows as unknown as Card[]).find(({ name }) => name === NAME);

/** Its pages and those of everyone else are available, and the themes page has what an administrator needs. */
async function expectServing(): Promise<void> {
  const answers = await Promise.all([panel.fetch('/'), panel.fetch('/user/login'), panel.adminFetch('/admin/'), panel.fetch('/readyz')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const page = await panel.adminFetch('/admin/themes');
  expect([page.status, (await page.text()).includes('data-ajax="settheme"')]).toEqual([200, true]);
}

/** The buttons of the page: another theme for the home page, and removal of this one. */
async function expectGone(): Promise<void> {
  expect(await use('default')).toMatchObject({ success: true });
  expect(await html()).toContain('class="hero"');
  expect(await panel.admin('theme_sc', { name: NAME })).toMatchObject({ success: true });
  expect(await card()).toBeUndefined();
}

describe('a theme whose home page', () => {
  it.each(Object.keys(FAILING_VIEWS))('%s', async (name) => {
    const { view, named } = FAILING_VIEWS[name]!;
    put(NAME, { 'home/index.liquid': view });
    expect(await use(NAME)).toMatchObject({ success: true });
    expect(await html()).toContain('class="hero"');
    expect((await card())!.problems).toMatchObject([{ view: 'home/index', message: expect.stringMatching(named) }]);
    await expectServing();
    await expectGone();
  });

  it('never ends is not tried on every request', async () => {
    put(NAME, { 'home/index.liquid': FAILING_VIEWS['never ends']!.view, 'home/error.liquid': 'mine' });
    await use(NAME);
    for (let visit = 0; visit < 6; visit += 1) expect(await html()).toContain('class="hero"');
    expect((await card())!.problems).toMatchObject([{ view: 'home/index', count: 3 }]);
    // Its other views are used, and fixed files are read again.
    put(NAME, { 'home/index.liquid': 'mended' });
    await panel.admin('theme_reload');
    expect(await html()).toBe('mended');
  });

  it.each(Object.keys(READING_VIEWS))('requests %s prints nothing', async (name) => {
    put(NAME, { 'home/index.liquid': `[${READING_VIEWS[name]!}]` });
    symlinkSync('/etc/passwd', join(panel.dataDir, 'themes', NAME, 'home/passwd.liquid'));
    await use(NAME);
    expect(await html()).toBe('[]');
    await expectGone();
  });
});

describe('a theme with a theme.json that', () => {
  it.each(Object.keys(BROKEN_MANIFESTS))('is or has %s is not offered', async (name) => {
    put(NAME, { 'theme.json': BROKEN_MANIFESTS[name]!, 'home/index.liquid': 'mine' });
    expect(await use(NAME)).toMatchObject({ success: false });
    expect(await card()).toBeUndefined();
    await expectServing();
  });

  it.each(Object.keys(WRONG_MANIFESTS))('has %s works without it', async (name) => {
    put(NAME, { 'theme.json': WRONG_MANIFESTS[name]!, 'home/index.liquid': 'mine' });
    await use(NAME);
    expect(await html()).toBe('mine');
    const { title, problems } = (await card())!;
    expect(title.length).toBeLessThanOrEqual(500);
    if (name.startsWith('settings')) expect(problems[0]).toMatchObject({ view: 'theme.json' });
    const pages = await Promise.all(['/admin/themes', `/admin/theme?name=${NAME}`].map((path) => panel.adminFetch(path)));
    for (const page of pages) expect(await page.text()).not.toContain('<script>stolen');
    await expectServing();
    await expectGone();
  });
});

it('a theme with invalid texts still has its other files', async () => {
  put(NAME, { 'lang/en.json': '[', 'lang/zh-CN.json': '{"a":{"b":1},"c":7}', 'home/index.liquid': "{{ 'c' | t }}" });
  await use(NAME);
  expect(await html()).toBe('c');
  expect((await card())!.problems).toMatchObject([{ view: 'lang/en.json' }]);
  await expectGone();
});

it('a theme that covers every page and hides the sign-in and the menu can be left from the page Themes', async () => {
  const cover = '<link rel="stylesheet" href="{{ \'cover.css\' | asset }}"><p>mine</p>';
  put(NAME, {
    'assets/cover.css': 'body::after{content:"";position:fixed;inset:0;background:#000;z-index:99999}',
    'admin/index.liquid': cover,
    'admin/login.liquid': cover,
    'admin/themes.liquid': cover,
    'shared/panel.liquid': cover,
    'shared/head.liquid': cover,
    'shared/list.liquid': cover,
  });
  expect(await use('default', { admintheme: NAME })).toMatchObject({ success: true });
  const admin = async (path: string): Promise<string> => (await panel.adminFetch(path)).text();
  for (const path of ['/admin/', '/admin/orders', '/admin/login'])
    expect(await (await panel.fetch(path)).text()).not.toContain('id="content"');
  for (const path of ['/admin/themes', '/admin/?theme=default']) expect(await admin(path)).not.toContain('mine');
  expect(await admin('/admin/themes')).toContain('data-ajax="settheme"');
  expect(await html('/admin/login?theme=default')).toContain('id="username"');
  await expectGone();
});

async function upload(zip: Buffer): Promise<AjaxAnswer> {
  const form = new FormData();
  form.append('gn', 'theme_upload');
  form.append('file', new Blob([new Uint8Array(zip)]), 'a.zip');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
}
const zipFor = (version: string, files: Record<string, string> = {}): Promise<Buffer> =>
  zipOf(NAME, {
    'theme.json': JSON.stringify({ name: NAME, title: NAME, version }),
    'home/index.liquid': `${NAME} ${version}`,
    ...files,
  });

/** Waits for a task; returns its error, or an empty text. */
async function done(answer: AjaxAnswer): Promise<string> {
  expect(answer.success, answer.code).toBe(true);
  let told: Record<string, unknown> = {};
  const look = async () => String((told = (await panel.admin('theme_task', { task_id: String(answer.data.task_id) })).data).zt);
  await expect.poll(look, { timeout: 30_000, interval: 20 }).toMatch(/^(success|failed)$/);
  return String(told.cw);
}
const entry = (name: string, content = 'x'): { name: string; content: Buffer } => ({ name, content: Buffer.from(content) });
const OWN = entry(`${NAME}/theme.json`, JSON.stringify({ name: NAME, title: NAME, version: '1.0.0' }));

describe('a package of a theme', () => {
  it.each([
    ['a bomb', [{ name: `${NAME}/theme.json`, content: Buffer.alloc(12 * 1024 * 1024) }]],
    ['a file outside its folder', [OWN, entry(`${NAME}/../../evil.liquid`)]],
    ['an absolute path', [OWN, entry('/etc/evil.liquid')]],
    ['a path of Windows', [OWN, entry(`${NAME}\\..\\evil.liquid`)]],
    ['a name twice', [OWN, entry(`${NAME}/home/index.liquid`), entry(`${NAME}/home/index.liquid`, 'y')]],
    ['a name that differs in capitals', [OWN, entry(`${NAME}/home/index.liquid`), entry(`${NAME}/home/INDEX.liquid`, 'y')]],
    ['two folders', [OWN, entry('other/home/index.liquid')]],
    ['a broken theme.json', [entry(`${NAME}/theme.json`, '{'), entry(`${NAME}/home/index.liquid`)]],
  ])('with %s is refused before it is unpacked', async (_what, files) => {
    expect(await upload(handmadeZip(files))).toMatchObject({ success: false });
    expect(await card()).toBeUndefined();
    await expectServing();
  });

  it('with a forged signature is not installed', async () => {
    await both.publish(NAME, '3.0.0', await zipFor('3.0.0'), { type: 'theme' });
    both.between.meddle = (path, body) =>
      path.endsWith('/versions') ? Buffer.from(body.toString().replace(/"signature":"[^"]{6}/g, '"signature":"AAAAAA')) : body;
    expect(await done(await panel.admin('theme_store_install', { name: NAME }))).toContain('签名');
    expect(await card()).toBeUndefined();
    await expectServing();
  });

  it('older than the installed version is refused', async () => {
    expect(await done(await upload(await zipFor('2.0.0')))).toBe('');
    await use(NAME);
    expect(await upload(await zipFor('1.0.0'))).toMatchObject({ success: false });
    expect(await html()).toBe(`${NAME} 2.0.0`);
    await expectGone();
  });

  it('with views that only cause harm when they run is replaced', async () => {
    const view = FAILING_VIEWS['never ends']!.view;
    expect(await done(await upload(await zipFor('1.0.0', { 'home/index.liquid': view })))).toBe('');
    await use(NAME);
    expect(await html()).toContain('class="hero"');
    expect((await card())!.problems).toMatchObject([{ view: 'home/index' }]);
    await expectServing();
    await expectGone();
  });
});
