import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { LOCALES, PACKAGE_ROOT } from '../common/index.js';
import { THEME_SIDES } from './names.js';
import { hostile, SAMPLE_VIEWS } from './samples/index.js';
import { ThemeFixture } from './testing/theme-fixture.js';
import { tidyHtml } from '../../test/support/tidy-html.js';

const FOLDER = join(PACKAGE_ROOT, 'themes/default');
const fixture = new ThemeFixture();
const theme = fixture.catalogue.package('default')!;
const templates = [...theme.templates];

afterAll(() => fixture.remove());

/** Keys that the templates ask for, by name or by a prefix completed at run time. */
function usedKeys(): Set<string> {
  const used = new Set<string>([theme.info.description]);
  for (const [, source] of templates) {
    for (const match of source.matchAll(/'([a-z_]+\.[a-z_]+)'\s+\| t\b/g)) used.add(match[1]!);
    for (const match of source.matchAll(/\b[a-z]+:([a-z]+\.[a-z_]+)/g)) used.add(match[1]!);
    for (const match of source.matchAll(/\{%-?\s*field\s.*?%\}/gs)) for (const key of keysOfField(match[0])) used.add(key);
  }
  // Lists are declared with their pages and name the theme's words.
  const sources = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  // The store's pages have words of their own.
  for (const file of sources.filter((name) => /^(?!store\/).*(?:\.pages|web\/lists\/[\w-]+)\.ts$/.test(name))) {
    const source = readFileSync(join(PACKAGE_ROOT, 'src', file), 'utf8');
    for (const match of source.matchAll(/@SettingsTab\(\{ tab: '(\w+)'/g)) used.add(`settings.tab_${match[1]!}`);
    for (const match of source.matchAll(/'([a-z_]+\.[a-z_]+)'/g)) {
      if (!/^(?:theme|web)\./.test(match[1]!)) used.add(match[1]!);
    }
  }
  return used;
}

/** What `{% field %}` names: words of the field, and of what can be chosen in it. */
function keysOfField(tag: string): string[] {
  const words = tag.matchAll(/\b(?:label|hint|note|prefix|suffix): '([a-z_]+\.[a-z_]+)'/g);
  const listed = tag.matchAll(/\b(?:options|first): '([^']*)'/g);
  const choices = [...listed].flatMap(([, options]) => [...options!.matchAll(/:([a-z_]+\.[a-z_\d]+)/g)]);
  return [...words, ...choices].map(([, key]) => key!);
}

describe('the default theme', () => {
  it('has a sample of every view, so that the tests below see all of them', () => {
    const layouts = new Set([
      'admin/settings_site',
      'admin/settings_user',
      'admin/settings_logo',
      'admin/settings_home',
      'admin/settings_home_picture',
      'admin/settings_scans',
      'admin/settings_expiry',
      'admin/settings_idle',
      'admin/settings_statistics',
      'admin/settings_site_backups',
      'admin/settings_certificates',
      'admin/settings_mail',
      'admin/settings_account',
      'admin/settings_api',
      'admin/settings_api_key',
      'admin/settings_payments',
      'admin/settings_fields',
      'admin/components_all',
      'admin/announcement_fields',
      'admin/zone_fields',
      'admin/server_group_fields',
      'admin/theme_field',
      'user/name_fields',
      'admin/allow_dialog',
      'admin/customer_dialogs',
      'admin/hold_dialog',
      'admin/pause_dialog',
      'admin/refund_dialog',
      'admin/credit_dialog',
      'user/usage',
      'pay/order_summary',
    ]);
    const views = templates.map(([path]) => path).filter((path) => !path.startsWith('shared/') && !layouts.has(path));
    expect(new Set(SAMPLE_VIEWS.map(({ side, view }) => `${side}/${view}`))).toEqual(new Set(views));
  });

  it('supports every side and parses without a defect', () => {
    expect(theme.info.sides).toEqual([...THEME_SIDES]);
    expect(theme.problems).toEqual([]);
    expect(fixture.renderer.check('default')).toEqual([]);
  });

  describe.each(LOCALES)('in %s', (locale) => {
    it.each(SAMPLE_VIEWS)('renders $side/$view', async ({ side, view, vars }) => {
      const html = await fixture.html(side, view, vars, { locale, nonce: 'n0nce' });
      expect(html).toMatch(/^<!doctype html>\n<html lang="/);
      expect(html).toContain(`<html lang="${locale}">`);
      expect(html.match(/<h1\b/g)).toHaveLength(1);
      // A list that the sample has not.
      expect(html).not.toContain('id=""');
      // A value that is no text, a place without a value, a key without a text: all three would show.
      expect(
        html
          .match(/\[object Object\]|undefined|>[^<]*\{[a-z]+\}[^<]*<|[>"]\s*[a-z]+\.[a-z_]+\s*[<"]/g)
          ?.filter((found) => !/\.(?:js|css)/.test(found)) ?? [],
      ).toEqual([]);
    });
  });

  it('includes the Tabler rules of every class used on its pages', async () => {
    const [whole, used] = ['tabler.min.css', 'tabler.used.css'].map((name) => {
      const css = readFileSync(join(PACKAGE_ROOT, 'dist/browser', name), 'utf8');
      return new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, style]) => style!));
    }) as [Set<string>, Set<string>];
    const pages = await Promise.all(
      SAMPLE_VIEWS.map(({ side, view, vars }) => fixture.html(side, view, vars, { locale: 'en', nonce: 'n0nce' })),
    );
    const named = new Set(pages.flatMap((html) => [...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, list]) => list!.split(/\s+/))));
    const styled = [...named].filter((style) => whole.has(style));
    expect(styled.length).toBeGreaterThan(200);
    expect(styled.filter((style) => !used.has(style))).toEqual([]);
  });

  it.each(SAMPLE_VIEWS)('escapes every value of $side/$view', async ({ side, view, vars }) => {
    const html = await fixture.html(side, view, hostile(vars) as object, { locale: 'en', nonce: 'n0nce' });
    expect(html.indexOf('<img src=x')).toBe(-1);
    const { tab, core_tabs } = vars;
    if (typeof tab === 'string') {
      const same = await fixture.html(side, view, { ...(hostile(vars) as object), tab, core_tabs }, { locale: 'en', nonce: 'n0nce' });
      expect(same.indexOf('<img src=x')).toBe(-1);
    }
  });

  it('runs under a policy without inline scripts: only script files, each with the nonce, and no handlers', async () => {
    for (const { side, view, vars } of SAMPLE_VIEWS) {
      const html = await fixture.html(side, view, vars, { locale: 'en', nonce: 'n0nce' });
      for (const [tag] of html.matchAll(/<script\b[^>]*>/g))
        expect(tag).toMatch(/^<script src="\/assets\/[0-9a-f]{16}\/[\w.]+" nonce="n0nce"/);
      expect(html).not.toMatch(/<[^>]+\son[a-z]+\s*=/i);
      expect(html).not.toMatch(/javascript:/i);
    }
  });

  it('labels every field', async () => {
    for (const { side, view, vars } of SAMPLE_VIEWS) {
      const html = await fixture.html(side, view, vars, { locale: 'en', nonce: 'n0nce' });
      for (const [tag] of html.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)) {
        if (/type="(?:hidden|radio|checkbox)"/.test(tag) || /aria-label=/.test(tag)) continue;
        const id = /\sid="([^"]+)"/.exec(tag)?.[1];
        expect(html, tag).toContain(`for="${id}"`);
      }
    }
  });

  it('keeps the ids of the login form', async () => {
    const { vars } = SAMPLE_VIEWS.find(({ side, view }) => side === 'admin' && view === 'login')!;
    const html = tidyHtml(await fixture.html('admin', 'login', vars, { locale: 'en', nonce: 'n' }));
    for (const [id, name] of [
      ['username', 'user'],
      ['password', 'pass'],
      ['captcha', 'code'],
    ])
      expect(html).toContain(`id="${id}" name="${name}"`);
  });

  it('has the same texts in every language, all of them used and none missing', () => {
    const [zh, en] = LOCALES.map((locale) => [...theme.texts[locale].keys()].sort());
    expect(zh).toEqual(en);
    const bare = new Set(zh!.map((key) => key.replace(/\.(?:one|other)$/, '')));
    const used = usedKeys();
    expect([...used].filter((key) => !bare.has(key))).toEqual([]);
    expect([...bare].filter((key) => !used.has(key))).toEqual([]);
  });

  it('has no text in its templates', () => {
    for (const [path, source] of templates) {
      expect(source, path).not.toMatch(/[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/);
      const visible = source.replace(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}|<[^>]*>/g, ' ');
      if (path !== 'shared/body_data') expect(visible.replace(/\b(?:MB|GB)\b/g, ''), path).not.toMatch(/[a-z]{3,} [a-z]{2,}/i);
    }
  });

  it('loads no file from other origins', () => {
    for (const file of readdirSync(join(FOLDER, 'assets'))) {
      const source = readFileSync(join(FOLDER, 'assets', file), 'utf8').replace('http://www.w3.org/2000/svg', '');
      expect(source, file).not.toMatch(/https?:\/\/[a-z]|@import|\beval\(|innerHTML|insertAdjacentHTML|new Function|document\.write/);
    }
  });
});
