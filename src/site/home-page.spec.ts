import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel, type AjaxAnswer } from '../../test/support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel?.close());

const home = async (language = 'zh-CN') =>
  (await panel.fetch('/', { headers: { Accept: 'text/html', 'Accept-Language': language } })).text();
const save = (fields: Record<string, string>) => panel.admin('save_home_settings', fields);

async function upload(gn: string, field: string, data: Buffer, fields: Record<string, string> = {}, name = 'x.png'): Promise<AjaxAnswer> {
  const form = new FormData();
  for (const [key, value] of Object.entries({ gn, ...fields })) form.set(key, value);
  form.set(field, new Blob([data]), name);
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
}
const png = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#e8590c' } })
    .png()
    .toBuffer();

describe('the home page', () => {
  it("shows the configured texts in the visitor's language, and the theme's where empty", async () => {
    expect(await home()).toContain('即买即用');
    expect(await save({ home_title: '晴空云', home_hero: '一分钟开通', home_footer: '京ICP备0号' })).toMatchObject({ success: true });
    for (const language of ['zh-CN', 'en']) {
      const html = await home(language);
      for (const text of ['晴空云', '一分钟开通', '京ICP备0号']) expect(html).toContain(text);
    }
    await save({ home_title_en: 'Clear Sky', home_hero_en: 'Online in a minute' });
    const english = await home('en');
    expect(english).toContain('Clear Sky</h1>');
    expect(english).toContain('Online in a minute');
    expect(english).toContain('京ICP备0号');
    expect(await home()).toContain('晴空云</h1>');
    // The rest of the panel keeps its name.
    expect(await (await panel.adminFetch('/admin/', { headers: { Accept: 'text/html' } })).text()).not.toContain('晴空云');
  });

  it('shows text as text, whatever somebody typed', async () => {
    await save({ home_title: '<script>alert(1)</script>', home_hero: '"><img src=x onerror=alert(1)>', home_footer: '{{ 7 | times: 7 }}' });
    const html = await home();
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).toContain('{{ 7 | times: 7 }}');
    await save({ home_title: '', home_hero: '', home_footer: '' });
  });

  it('accepts valid colours, with a readable text colour', async () => {
    expect(await save({ home_primary: '#FFEE00' })).toMatchObject({ success: true });
    expect(await home()).toContain('--tblr-primary:#ffee00;--tblr-primary-rgb:255, 238, 0;--tblr-primary-fg:#182433');
    await save({ home_primary: '#123456' });
    expect(await home()).toContain('--tblr-primary-fg:#ffffff');
    for (const home_primary of ['red', '#fff', '#12345g', '#123456;}body{display:none'])
      expect(await save({ home_primary })).toMatchObject({ err: 'E_ARGS', fields: { home_primary: expect.any(String) } });
    expect(await home()).toContain('--tblr-primary:#123456');
    await save({ home_primary: '' });
    expect(await home()).not.toContain('--tblr-primary:');
  });

  it('redirects to the user side if disabled, and can hide notice and plugins', async () => {
    await panel.enable('hosting_shop');
    await panel.admin('setwz', { gg: 'Closed on Sunday' });
    expect(await home('en')).toMatch(/Closed on Sunday[^]*href="\/shop"/);
    await save({ home_show_notice: 'false', home_show_plans: 'false' });
    expect(await home('en')).not.toMatch(/Closed on Sunday|href="\/shop"/);
    await save({ home_enable: 'false' });
    const response = await panel.fetch('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/user/']);
    await save({ home_enable: 'true', home_show_notice: 'true', home_show_plans: 'true' });
    expect(await home('en')).toContain('Closed on Sunday');
  });

  it('rejects invalid theme settings by name, and saves nothing then', async () => {
    await save({ home_title: 'As it was' });
    expect(await save({ home_title: 'Other', home_ts_banner: '1', home_ts_colour: '#fff' })).toMatchObject({
      err: 'E_ARGS',
      fields: { home_ts_banner: expect.any(String), home_ts_colour: expect.any(String) },
    });
    expect(await home()).toContain('As it was');
    await save({ home_title: '' });
  });

  it('shows re-encoded images, and removes them', async () => {
    const icon = await upload('home_upload_icon', 'icon', await png(400, 400), { target: 'favicon' });
    expect(icon).toMatchObject({ success: true, data: { url: expect.stringMatching(/^\/uploads\/logos\/[0-9a-f-]+\.png$/) } });
    const wide = await upload('home_upload_image', 'image', await png(3_000, 500), { key: 'image' });
    const logo = await upload('home_upload_icon', 'icon', await png(60, 60));
    const html = await home();
    for (const { data } of [icon, wide, logo]) expect(html).toContain(String(data.url));
    const sent = await panel.fetch(String(wide.data.url));
    expect(sent.headers.get('content-type')).toBe('image/png');
    expect((await sharp(Buffer.from(await sent.arrayBuffer())).metadata()).width).toBe(1_600);
    const shortcut = await panel.fetch('/favicon.ico');
    expect(shortcut.headers.get('location')).toBe(icon.data.url);
    // What is sent back as it is stays; another address is refused.
    expect(await save({ home_favicon: String(icon.data.url) })).toMatchObject({ success: true });
    expect(await save({ home_favicon: 'https://evil.test/x.svg' })).toMatchObject({ err: 'E_ARGS' });
    expect(await save({ home_favicon: '', home_image: '', home_logo: '' })).toMatchObject({ success: true });
    expect(await home()).not.toContain('/uploads/logos/');
  });

  it('rejects non-images by content, whatever their name', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const data of [
      svg,
      Buffer.from('<?php system($_GET[0]);'),
      Buffer.from('GIF89a<script>'),
      Buffer.alloc(0),
      (await png(50, 50)).subarray(0, 60),
    ])
      expect(await upload('home_upload_icon', 'icon', data, { target: 'favicon' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await upload('home_upload_image', 'image', await png(50, 50), { key: '../../logo' })).toMatchObject({ err: 'E_ARGS' });
    expect(await upload('home_upload_image', 'other', await png(50, 50), { key: 'image' })).toMatchObject({
      fields: { image: expect.any(String) },
    });
    const behind = Buffer.concat([await png(50, 50), Buffer.from('<script>alert(1)</script>')]);
    const kept = await upload('home_upload_icon', 'icon', behind, { target: 'logo' });
    const bytes = Buffer.from(await (await panel.fetch(String(kept.data.url))).arrayBuffer());
    expect(bytes.includes('<script>')).toBe(false);
    await save({ home_logo: '' });
  });

  it('is configured on its own page with a preview', async () => {
    const html = await (
      await panel.adminFetch('/admin/settings?tab=home', { headers: { Accept: 'text/html', 'Accept-Language': 'en' } })
    ).text();
    expect(html).toContain('data-ajax="save_home_settings"');
    expect(html).toContain('<iframe src="/"');
    const version = /name="row_version" value="([^"]+)"/.exec(html)![1]!;
    await save({ home_title: 'Other' });
    expect(await save({ home_title: 'Mine', row_version: version })).toMatchObject({ success: false });
    await save({ home_title: '' });
  });
});
