import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import semver from 'semver';

import { TestPanel } from '../../test/support/panel.js';
import { Administrator } from '../auth/entities/index.js';
import { LOCALES } from '../common/index.js';
import { Database } from '../database/index.js';
import { API_VERSION } from '../sdk/index.js';

import { parseChangelog, releases, releasesSince } from './changelog.js';

describe('the changelog', () => {
  it('has this version first, with as many entries in each language', async () => {
    const all = await releases();
    expect(all[0]!.version).toBe(API_VERSION);
    for (const { changes } of all) {
      const counts = LOCALES.map((locale) => changes[locale].length);
      expect([Math.min(...counts) > 0, new Set(counts).size]).toEqual([true, 1]);
    }
    expect(await releasesSince(API_VERSION)).toEqual([]);
    expect((await releasesSince('1.0.0')).every(({ version }) => semver.gt(version, '1.0.0'))).toBe(true);
    expect(await releasesSince('not a version')).toEqual(all);
  });

  it('is parsed whatever it contains', () => {
    const text =
      '# x\n- no\n## 1.2.0\n### English\n- b\n  more\n### 中文\n- 乙\n## soon\n### English\n- no\n## 1.10.0\n### Deutsch\n- no\n';
    expect(parseChangelog(text)).toEqual([
      { version: '1.10.0', changes: { en: [], 'zh-CN': [] } },
      { version: '1.2.0', changes: { en: ['b'], 'zh-CN': ['乙'] } },
    ]);
    expect(parseChangelog('')).toEqual([]);
  });
});

describe('what is new', () => {
  let panel: TestPanel;
  beforeAll(async () => (panel = await TestPanel.start()));
  afterAll(() => panel.close());
  const page = async (path: string): Promise<string> => (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();

  it('is announced to administrators on every page until they have seen it', async () => {
    expect(await page('/admin/')).not.toContain('This panel is now version');
    expect(await panel.admin('xtbb')).toMatchObject({ success: true, bb: API_VERSION, kg: API_VERSION, gx: [] });
    const rows = panel.get(Database).repository(Administrator);
    await rows.update({ username: 'admin' }, { seenVersion: '' });
    expect(await page('/admin/')).toContain(`This panel is now version ${API_VERSION}.`);
    const told = (await panel.admin('xtbb')) as unknown as { gx: { bb: string; nr: string[] }[] };
    expect(told.gx.map(({ bb }) => bb)).toContain(API_VERSION);
    expect(told.gx[0]!.nr[0]).toMatch(/[一-鿿]/);
    // A program that asks has shown it to nobody.
    expect(await page('/admin/')).toContain('This panel is now version');
    const news = await page('/admin/news');
    expect(news).toContain('/admin/news?from=40');
    expect(news).toMatch(/badge[^>]*>New</);
    expect(news).not.toContain('This panel is now version');
    expect((await rows.find()).map(({ seenVersion }) => seenVersion)).toEqual([API_VERSION]);
    expect(await page('/admin/')).not.toContain('This panel is now version');
    expect(await page('/admin/news')).not.toMatch(/badge[^>]*>New</);
  });

  it('is paged, each change once, and an invalid page shows the first', async () => {
    const total = (await releases()).reduce((sum, { changes }) => sum + changes.en.length, 0);
    const changesAt = async (from: string) => (await page(`/admin/news?from=${from}`)).match(/<li>/g)?.length;
    const onFirst = await changesAt('0');
    const menu = onFirst! - 40;
    let shown = 0;
    for (let from = 0; from < total; from += 40) shown += (await changesAt(String(from)))! - menu;
    expect([total > 40, shown]).toEqual([true, total]);
    for (const none of ['-1', 'x', '', '0.9']) expect([none, await changesAt(none)]).toEqual([none, onFirst]);
    const last = await page('/admin/news?from=1e99');
    expect([last.match(/<li>/g)!.length - menu, last.includes('Newer changes'), last.includes('Older changes')]).toEqual([1, true, false]);
  });

  it('is for administrators', async () => {
    const answer = await panel.fetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'xtbb' }) });
    expect(await answer.text()).toContain('请登陆');
    expect((await panel.fetch('/admin/news', { redirect: 'manual' })).status).toBe(302);
  });
});
