import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';

const SETTINGS = [
  { key: 'band', type: 'colour', label: 'words.band', default: '#0b6e4f' },
  { key: 'line', type: 'text', label: 'Line', default: 'words.line' },
  { key: 'about', type: 'markdown', label: 'About' },
  { key: 'steps', type: 'switch', label: 'Steps', default: true },
  {
    key: 'width',
    type: 'choice',
    label: 'Width',
    options: [
      { value: 'small', label: 'Small' },
      { value: 'wide', label: 'Wide' },
    ],
  },
  { key: 'picture', type: 'image', label: 'Picture' },
  { key: 'Wrong key', type: 'text', label: 'Wrong' },
];
const VIEW =
  '{{ theme_settings.band }}|{{ theme_settings.line }}|' +
  '{% slot theme_settings.about %}|{{ theme_settings.steps }}|{{ theme_settings.width }}|{{ theme_settings.picture }}';
const UNTOUCHED = '#0b6e4f|A line||true|small|';

let panel: TestPanel;
let cookie: string;

/** Puts a theme into the folder of the installation. */
function put(name: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(panel.dataDir, 'themes', name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
const declare = (settings: object[]): void =>
  put('aurora', {
    'theme.json': JSON.stringify({ title: 'Aurora', settings }),
    'home/index.liquid': VIEW,
    'lang/en.json': '{"words.band":"Band of colour","words.line":"A line"}',
    'lang/zh-CN.json': '{"words.band":"色带","words.line":"一行"}',
  });
const html = async (path = '/', headers: Record<string, string> = {}) =>
  (await panel.fetch(path, { headers: { Accept: 'text/html', 'Accept-Language': 'en', ...headers } })).text();
const save = (cs: object, more: Record<string, string> = {}) =>
  panel.admin('theme_set_save', { name: 'aurora', cs: JSON.stringify(cs), ...more });
const saved = async () =>
  (await panel.admin('theme_set_get', { name: 'aurora' })) as unknown as { cs: Record<string, string>; row_version: string };

beforeAll(async () => {
  panel = await TestPanel.start();
  const reply = await panel.fetch('/admin/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'login', user: 'admin', pass: 'svc-panel-admin' }),
  });
  cookie = reply.headers
    .getSetCookie()
    .find((line) => line.startsWith('admin_token='))!
    .split(';')[0]!;
});
afterAll(() => panel?.close());
beforeEach(async () => {
  rmSync(join(panel.dataDir, 'themes'), { recursive: true, force: true });
  declare(SETTINGS);
  await panel.admin('theme_reload');
  await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'aurora' });
  await panel.admin('theme_set_reset', { name: 'aurora' });
});

describe('settings of a theme', () => {
  it("are the defaults, then the saved values in the reader's language, and the defaults again after a reset", async () => {
    expect(await html()).toBe(UNTOUCHED);
    expect(await save({ band: '#123456', line: '你好', about: '*Hi*', steps: false, width: 'wide' })).toMatchObject({ success: true });
    expect(await html()).toBe('#123456|你好|<p><em>Hi</em></p>\n|false|wide|');
    await save({ line_en: 'Hello <b>' });
    expect(await html()).toContain('|Hello &lt;b&gt;|');
    expect(await html('/', { 'Accept-Language': 'zh-CN' })).toContain('|你好|');
    expect((await saved()).cs).toMatchObject({ band: '#123456', line: '你好', line_en: 'Hello <b>', steps: 'false', picture: '' });
    expect(await panel.admin('theme_set_reset', { name: 'aurora' })).toMatchObject({ success: true });
    expect(await html()).toBe(UNTOUCHED);
  });

  it('that are invalid are rejected by name, with nothing saved', async () => {
    const answer = await save({ band: '#fff;}body{display:none', line: 'x', width: 'huge', picture: '../../panel.db', other: '1' });
    expect(answer).toMatchObject({ success: false });
    expect(Object.keys((answer as unknown as { fields: object }).fields)).toEqual(['cs[band]', 'cs[width]', 'cs[picture]', 'cs[other]']);
    for (const cs of ['[]', 'null', '{"band":{"a":1}}', '{'])
      expect(await panel.admin('theme_set_save', { name: 'aurora', cs })).toMatchObject({ success: false });
    expect(await save({ about: 'x'.repeat(20_001) })).toMatchObject({ success: false });
    expect(await save({ about: '字'.repeat(20_000), about_en: '字'.repeat(20_000) })).toMatchObject({ success: false });
    expect(await html()).toBe(UNTOUCHED);
    for (const name of ['default', 'nothing', '../aurora', 'constructor'])
      expect(await panel.admin('theme_set_save', { name, cs: '{}' })).toMatchObject({ success: false });
  });

  it('with invalid declarations are reported, and the theme stays usable', async () => {
    const rows = (await panel.admin('theme_list')).rows as unknown as { name: string; problems: { view: string; message: string }[] }[];
    expect(rows.find(({ name }) => name === 'aurora')!.problems).toMatchObject([
      { view: 'theme.json', message: expect.stringContaining('setting "Wrong key"') as string },
    ]);
  });

  it('saved concurrently are compared, and conflicts reported', async () => {
    const { row_version } = await saved();
    await save({ band: '#111111' });
    expect(await save({ band: '#222222' }, { row_version })).toMatchObject({
      success: false,
      err: 'E_CONFLICT',
      fields: { 'cs[band]': expect.stringContaining('#111111') as string },
    });
    expect((await saved()).cs.band).toBe('#111111');
    await Promise.all(Array.from({ length: 8 }, (_, i) => save({ [i % 2 ? 'line' : 'line_en']: `x${i}` })));
    expect((await saved()).cs).toMatchObject({ line: /^x/ as never as string, band: '#111111' });
  });

  it('apply to a newer version as far as they are still valid', async () => {
    await save({ band: '#123456', width: 'wide' });
    declare([
      { ...SETTINGS[0]!, type: 'text', default: '' },
      { ...SETTINGS[4]!, options: [{ value: 'tiny', label: 'Tiny' }] },
    ]);
    await panel.admin('theme_reload');
    expect(await html()).toBe('#123456||||tiny|');
  });

  it('are inherited from its parent, and can be overridden by a child', async () => {
    put('night', {
      'theme.json': JSON.stringify({ title: 'Night', parent: 'aurora', settings: [{ ...SETTINGS[0]!, default: '#000001' }] }),
    });
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'night' });
    expect(await html()).toBe(UNTOUCHED.replace('#0b6e4f', '#000001'));
    await save({ line: 'of the parent' });
    expect(await html()).not.toContain('of the parent');
  });

  it('are deleted with their theme', async () => {
    await save({ band: '#123456' });
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
    await panel.admin('theme_sc', { name: 'aurora' });
    declare(SETTINGS);
    await panel.admin('theme_reload');
    expect((await saved()).cs.band).toBe('#0b6e4f');
  });

  it('of the home page can be set like in other panels of this family', async () => {
    expect(await panel.admin('save_home_settings', { home_ts_band: '#abcdef' })).toMatchObject({ success: true });
    expect(await html()).toContain('#abcdef');
    expect(await panel.admin('save_home_settings', { home_ts_band: 'red', home_ts_other: '1', home_hero: 'x' })).toMatchObject({
      success: false,
      fields: { home_ts_band: expect.any(String) as string, home_ts_other: expect.any(String) as string },
    });
    await panel.admin('settheme', { usertheme: 'default', admintheme: 'default', hometheme: 'default' });
    expect(await panel.admin('save_home_settings', { home_ts_band: '#abcdef' })).toMatchObject({ success: false });
  });
});

describe("an administrator's draft", () => {
  it('is only visible to that administrator, on requested pages, until it is saved', async () => {
    expect(await panel.admin('theme_set_draft', { name: 'aurora', cs: '{"band":"#fedcba"}' })).toMatchObject({ success: true });
    expect(await html('/?theme_draft=aurora', { Cookie: cookie })).toContain('#fedcba');
    expect(await html('/', { Cookie: cookie })).toBe(UNTOUCHED);
    expect(await html('/?theme_draft=aurora')).toBe(UNTOUCHED);
    expect(await html('/?theme_draft=aurora', { Cookie: 'admin_token=made-up' })).toBe(UNTOUCHED);
    expect(await panel.admin('theme_set_draft', { name: 'aurora', cs: '{"band":"red"}' })).toMatchObject({ success: false });
  });

  it('is shown on its page in both languages, for administrators alone', async () => {
    const page = await html('/admin/theme?name=aurora', { Cookie: cookie });
    for (const text of ['Aurora settings', 'Band of colour', 'name="cs[line_en]"', 'placeholder="A line"', '/?theme_draft=aurora'])
      expect(page).toContain(text);
    expect(await html('/admin/theme?name=aurora', { Cookie: cookie, 'Accept-Language': 'zh-CN' })).toContain('色带');
    expect((await panel.adminFetch('/admin/theme?name=default')).status).toBe(404);
    expect(await html('/admin/theme?name=aurora')).not.toContain('Band of colour');
    expect(await html('/admin/themes', { Cookie: cookie })).toContain('/admin/theme?name=aurora');
  });
});

describe('an image of a theme', () => {
  const upload = (fields: Record<string, string>, data: Uint8Array): Promise<Record<string, unknown>> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ gn: 'theme_set_image', ...fields })) body.append(name, value);
    body.append('image', new Blob([data as Uint8Array<ArrayBuffer>]), 'a.png');
    return panel
      .fetch('/admin/ajax.php', { method: 'POST', headers: { Cookie: cookie }, body })
      .then((reply) => reply.json() as Promise<Record<string, unknown>>);
  };

  it('is re-encoded, served, and used once it is saved', async () => {
    const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const { value, url } = (await upload({ name: 'aurora', key: 'picture' }, png)) as { value: string; url: string };
    expect(url).toBe(`/uploads/themes/${value}`);
    expect((await panel.fetch(url)).headers.get('content-type')).toBe('image/png');
    expect(await html()).toBe(UNTOUCHED);
    await save({ picture: value });
    expect(await html()).toBe(UNTOUCHED + url);
    await save({ picture: '' });
    expect(await html()).toBe(UNTOUCHED);
  });

  it('is rejected if it is no image, or for a setting of another type', async () => {
    expect(await upload({ name: 'aurora', key: 'picture' }, Buffer.from('<svg onload="x"/>'))).toMatchObject({ success: false });
    for (const fields of [
      { name: 'aurora', key: 'band' },
      { name: 'nothing', key: 'picture' },
    ])
      expect(await upload(fields, Buffer.from('x'))).toMatchObject({ success: false });
    expect((await panel.fetch('/uploads/themes/../panel.db')).status).toBe(404);
  });
});
