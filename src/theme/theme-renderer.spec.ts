import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { executionContext, runInFrame } from '../common/index.js';
import { CALL, REQUEST, ThemeFixture } from './testing/theme-fixture.js';
import type { RenderContext } from './theme-renderer.js';
import { trustedHtml } from './trusted-html.js';

const WITH_CALL = { ...REQUEST, call: CALL };
let fixture: ThemeFixture;

beforeEach(() => {
  fixture = new ThemeFixture();
});
afterEach(() => fixture.remove());

const errorPage = (context = REQUEST): Promise<string> => fixture.html('user', 'error', { site: { name: 'Site' }, title: 'Oh' }, context);

describe('view lookup', () => {
  it('uses the theme of the side, then the default theme', async () => {
    fixture.install({ 'user/closed.liquid': 'mine {{ view }} {{ side }} {{ locale }}' });
    expect(await fixture.html('user', 'closed', {}, REQUEST)).toBe('mine closed user en');
    expect(await errorPage()).toContain('<h1 class="empty-title">Oh</h1>');
    expect(await fixture.html('user', 'user/closed', {}, REQUEST)).toContain('mine');
    await expect(fixture.html('user', 'admin/index', {}, REQUEST)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    await expect(fixture.html('user', 'none', {}, REQUEST)).rejects.toMatchObject({
      code: 'VIEW_NOT_FOUND',
      params: { view: 'user/none' },
    });
  });

  it("shows the error as the first heading of the page, also in the panel's frame", async () => {
    const headings = async (vars: object) => (await fixture.html('user', 'error', { title: 'Oh', ...vars }, REQUEST)).match(/<h1.*Oh/g);
    expect(await headings({ site: { name: 'Site' } })).toEqual(['<h1 class="empty-title">Oh']);
    const frame = { account: { username: 'ann' }, menu: [], banners: [], bell: {}, site: { name: 'Site' } };
    expect(await headings(frame)).toEqual(['<h1 class="page-title">Oh']);
  });

  it('ignores a chosen theme that does not exist or lacks the side', async () => {
    fixture.install({ 'user/error.liquid': 'mine' });
    fixture.activeTheme = (side) => (side === 'pay' ? 'aurora' : '../../etc');
    expect(await errorPage()).toContain('Oh');
    expect(fixture.catalogue.active('pay')!.info.name).toBe('default');
    expect(fixture.catalogue.supports('aurora', 'user')).toBe(true);
    expect(fixture.catalogue.supports('aurora', 'pay')).toBe(false);
  });

  it("lets a theme replace a partial or the layout of the default theme's views", async () => {
    fixture.install({ 'user/x.liquid': '', 'shared/foot.liquid': '<footer>mine</footer>' });
    expect(await errorPage()).toContain('<footer>mine</footer>');
    fixture.install({ 'shared/plain.liquid': '<main>{% block content %}{% endblock %}</main>' });
    fixture.catalogue.reloadAll();
    expect(await errorPage()).toMatch(/^<main>/);
  });

  it('continues without a missing partial', async () => {
    fixture.install({ 'user/closed.liquid': "a{% partial 'none' %}b" });
    expect(await fixture.html('user', 'closed', {}, REQUEST)).toBe('ab');
  });

  it('gives partials everything in scope and keeps their own assignments', async () => {
    fixture.install({
      'user/closed.liquid': "{% assign n = 1 %}{% for i in (1..2) %}{% partial 'p', extra: i %}{% endfor %}{{ n }}",
      'user/p.liquid': '{{ word }}{{ n }}{{ i }}{{ extra }};{% assign n = 9 %}',
    });
    expect(await fixture.html('user', 'closed', { word: 'w' }, REQUEST)).toBe('w111;w122;1');
  });

  it('lists themes with their theme.json and skips unreadable ones', () => {
    fixture.install({ 'user/a.liquid': '', 'theme.json': '{"title":"Aurora","version":"2.1.0","author":"me","scope":["user",7]}' });
    fixture.install({ 'theme.json': 'no json' }, 'broken');
    fixture.install({}, 'bad name');
    fixture.install({ 'theme.json': '{"title":"Fake"}' }, 'default');
    expect(fixture.catalogue.list().map(({ name, title }) => [name, title])).toEqual([
      ['aurora', 'Aurora'],
      ['default', 'Default'],
      ['horizon', 'Horizon'],
      ['horizon-night', 'Horizon Night'],
    ]);
    expect(fixture.catalogue.list()[0]).toMatchObject({
      version: '2.1.0',
      author: 'me',
      scope: ['user'],
      sides: ['user'],
      description: '',
    });
  });
});

describe('a broken theme', () => {
  it.each([
    ['does not parse', '{% if %}{{'],
    ['throws', "{{ 'x' | nofilter }}"],
    ['never ends', '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ j }}{% endfor %}{% endfor %}'],
    ['has a partial that throws', "{% partial 'bad' %}"],
  ])('that %s falls back to the default theme and tells the administrator once', async (_name, template) => {
    fixture.install({ 'user/error.liquid': template, 'user/bad.liquid': "{{ 'x' | nofilter }}" });
    expect(await errorPage()).toContain('Oh');
    expect(await errorPage()).toContain('Oh');
    const notices = fixture.renderer.themeNotices();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ theme: 'aurora' });
    expect(notices[0]!.view).toMatch(/^user\//);
    fixture.install({ 'user/error.liquid': 'fixed' });
    fixture.catalogue.reloadAll();
    expect(await errorPage()).toBe('fixed');
    expect(fixture.renderer.themeNotices()).toEqual([]);
  });

  it('is found by the check before it is used', () => {
    fixture.install({ 'user/a.liquid': '{% if %}', 'user/b.liquid': 'fine' });
    expect(fixture.renderer.check('aurora').map(({ path }) => path)).toEqual(['user/a']);
    expect(() => fixture.renderer.check('none')).toThrow(expect.objectContaining({ code: 'THEME_NOT_FOUND' }));
  });

  it('keeps at most fifty notices, newest first', () => {
    for (let n = 0; n < 60; n += 1) fixture.notices.record('aurora', `user/v${n}`, 'broken\nat line 3');
    fixture.notices.record('aurora', 'user/v20', 'broken');
    const notices = fixture.renderer.themeNotices();
    expect(notices).toHaveLength(50);
    expect(notices[0]).toMatchObject({ view: 'user/v20', message: 'broken', count: 2 });
  });
});

describe('overrides', () => {
  beforeEach(() => fixture.install({ 'user/closed.liquid': "<p>{% partial 'part' %}</p>", 'user/part.liquid': 'theme' }));
  const closed = (context: RenderContext = WITH_CALL): Promise<string> =>
    fixture.html('user', 'closed', { word: 'w', html: trustedHtml('<i>') }, context);

  it('are called by priority, then registration; the first decision wins', async () => {
    const asked: string[] = [];
    const add = (owner: string, answer: string | null, priority?: number): (() => void) =>
      fixture.overrides.add('page', 'user', 'closed', () => (asked.push(owner), answer), { owner, priority });
    add('late', 'late', 20);
    const undo = add('first', 'first');
    add('passes', null, -5);
    add('second', 'second');
    expect(await closed()).toBe('first');
    expect(asked).toEqual(['passes', 'first']);
    undo();
    undo();
    expect(await closed()).toBe('second');
    expect(fixture.overrides.owners().sort()).toEqual(['late', 'passes', 'second']);
  });

  it('that throw are skipped', async () => {
    fixture.overrides.add('page', 'user', 'closed', () => Promise.reject(new Error('boom')), { owner: 'bad', priority: 1 });
    fixture.overrides.add('page', 'user', 'closed', () => 'good', { owner: 'good' });
    expect(await closed()).toBe('good');
  });

  it('wrap pages and partials; their output is not parsed as a template', async () => {
    fixture.overrides.add('page', 'user', 'closed', () => ({ before: '{{ word }}' }), { owner: 'a' });
    fixture.overrides.add('partial', 'user', 'part', () => ({ before: '{% if %}', after: '</p>{{ word }}' }), { owner: 'a' });
    expect(await closed()).toBe('{{ word }}<p>{% if %}theme</p>{{ word }}</p>');
  });

  it('wrap inside the body of a whole document', async () => {
    fixture.overrides.add('page', 'user', 'error', () => ({ before: '<b>1</b>', after: '<b>2</b>' }), { owner: 'a' });
    const html = await errorPage(WITH_CALL);
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toMatch(/<body [^>]*><b>1<\/b>/);
    expect(html).toContain('<b>2</b></body>');
  });

  it('replace a partial and wrap a missing one', async () => {
    fixture.overrides.add('partial', 'user', 'part', () => '<b>{{ 1 }}</b>', { owner: 'a' });
    expect(await closed()).toBe('<p><b>{{ 1 }}</b></p>');
    fixture.overrides.add('page', 'user', 'new-page', () => ({ before: 'x', after: 'y' }), { owner: 'a' });
    expect(await fixture.html('user', 'new-page', {}, WITH_CALL)).toBe('xy');
  });

  it('get the values as plain data of their own, and run as their plugin', async () => {
    const seen: unknown[] = [];
    fixture.overrides.add(
      'page',
      'user',
      'closed',
      (vars, call) => {
        seen.push(vars, executionContext.getStore()?.owner, call === CALL);
        vars.word = 'changed';
      },
      { owner: 'shop' },
    );
    fixture.overrides.add('partial', 'user', 'part', (vars) => `${String(vars.word)} ${String(vars.html)}`, { owner: 'shop' });
    expect(await closed()).toBe('<p>w <i></p>');
    expect(seen).toEqual([{ word: 'changed', html: '<i>' }, 'shop', true]);
  });

  it('use the request of the execution context, and do nothing without one', async () => {
    fixture.overrides.add('page', 'user', 'closed', () => 'mine', { owner: 'a' });
    expect(await closed(REQUEST)).toBe('<p>theme</p>');
    expect(await runInFrame({ owner: 'core', call: CALL }, () => closed(REQUEST))).toBe('mine');
  });
});
