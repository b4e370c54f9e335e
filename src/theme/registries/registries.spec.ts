import { describe, expect, it } from 'vitest';

import { CORE_OWNER, addOwnerTexts } from '../../common/index.js';
import type { MenuRecord, SettingsTabRecord } from '../../sdk/index.js';
import { CALL } from '../testing/theme-fixture.js';
import { isSafeUrl, MenuRegistry, PageBanners, SettingsTabRegistry, WidgetRegistry, type MenuEntry } from './index.js';

describe('menus', () => {
  const titles = (items: { title: string }[]): string[] => items.map((item) => item.title);

  it('are sorted after the hook ran, with URLs for pages', async () => {
    const menus = new MenuRegistry();
    menus.add('user', { title: 'last', url: '/b', order: 60 }, 'b');
    menus.add('user', { title: 'page', page: 'plans' }, 'shop');
    menus.add('user', { title: 'also 50', url: '/c' }, 'c');
    menus.add('admin', { title: 'other side', url: '/d' }, 'd');
    const apply = async (list: MenuEntry[]): Promise<void> => {
      expect(titles(list)).toEqual(['last', 'page', 'also 50']);
      list.push({ title: 'first', url: '/first', order: 1 });
      list[0]!.order = 40;
    };
    const items = await menus.buildMenu('user', { locale: 'en', apply });
    expect(titles(items)).toEqual(['first', 'last', 'page', 'also 50']);
    expect(items[2]).toMatchObject({ url: '/user/plugin.php?p=shop&page=plans', owner: 'shop', icon: 'mdi-puzzle-outline' });
    expect(titles(await menus.buildMenu('user', { locale: 'en' }))).toEqual(['page', 'also 50', 'last']);
  });

  it('use the list a listener returns, without invalid entries', async () => {
    const menus = new MenuRegistry();
    const spoiled = [
      null,
      { title: '', url: '/x' },
      { title: 'script', url: 'javascript:alert(1)' },
      { title: 'group', children: [{ title: 'leaf', url: '/leaf' }, 7] },
      { title: 'empty', children: [] },
    ];
    const items = await menus.buildMenu('admin', { locale: 'en', current: '/leaf', apply: async () => spoiled as MenuEntry[] });
    expect(items).toMatchObject([{ title: 'group', url: '', active: true, children: [{ title: 'leaf', active: true }] }]);
  });

  it.each<[unknown, RegExp]>([
    [{ url: '/x' }, /shop: a menu entry needs a title/],
    [{ title: 'x' }, /needs a page, a url or children/],
    [{ title: 'x', page: 'p', url: '/x' }, /a page or a url, not both/],
    [{ title: 'x', url: '/x', icon: 'home' }, /icon .* "mdi-home", not "home"/],
    [{ title: 'x', url: '/x', order: 'first' }, /order .* number/],
    [{ title: 'x', url: 'javascript:alert(1)' }, /url/],
    [{ title: 'x', page: '../x' }, /page/],
    [{ title: '1', children: [{ title: '2', children: [{ title: '3', children: [{ title: '4', url: '/4' }] }] }] }, /at most 3 levels/],
  ])('refuse %j', (menu, message) => {
    expect(() => new MenuRegistry().add('user', menu as MenuRecord, 'shop')).toThrow(message);
  });

  it("show the panel's own entries in both languages and mark the page being shown", async () => {
    const menus = new MenuRegistry();
    menus.add('admin', { title: 'theme.menu.admin_home', order: 10, url: '/admin/' }, CORE_OWNER);
    menus.add(
      'admin',
      { title: 'theme.menu.system', order: 80, children: [{ title: 'hosting.menu.api', url: '/admin/settings?tab=api' }] },
      CORE_OWNER,
    );
    const admin = await menus.buildMenu('admin', { locale: 'en', current: '/admin/settings?tab=api' });
    expect(titles(admin)).toEqual(['Dashboard', 'System']);
    expect(admin.filter((item) => item.active).map((item) => item.title)).toEqual(['System']);
    expect(titles(await menus.buildMenu('admin', { locale: 'zh-CN' }))).toEqual(['后台首页', '系统管理']);
  });

  it("show titles that are keys of their owner's texts in the language asked for", async () => {
    const menus = new MenuRegistry();
    const forget = addOwnerTexts('shop', { 'zh-CN': { menu: '商店' }, en: { menu: 'Shop' } });
    menus.add('admin', { title: 'menu', url: '/a', children: [{ title: 'As it is', url: '/b' }] }, 'shop');
    menus.add('admin', { title: 'menu', url: '/c' }, 'other');
    expect(await menus.buildMenu('admin', { locale: 'en' })).toMatchObject([
      { title: 'Shop', children: [{ title: 'As it is' }] },
      { title: 'menu' },
    ]);
    expect(titles(await menus.buildMenu('admin', { locale: 'zh-CN' }))).toEqual(['商店', 'menu']);
    forget();
  });

  it.each([
    ['/user/plugin.php?p=shop&page=plans', true],
    ['/user/plugin.php?p=shop&page=plans&edit=1', true],
    ['/user/plugin.php?p=shop&page=plans2', false],
    ['/user/', false],
  ])('mark the entry of the page at %s: %s', async (current, active) => {
    const menus = new MenuRegistry();
    menus.add('user', { title: 'Plans', page: 'plans' }, 'shop');
    expect(await menus.buildMenu('user', { locale: 'en', current })).toMatchObject([{ active }]);
  });

  it('do not change when the registered record does, and forget it on undo', async () => {
    const menus = new MenuRegistry();
    const record: MenuRecord = { title: 'x', url: '/x' };
    const undo = menus.add('user', record, 'a');
    record.title = 'changed';
    expect(titles(await menus.buildMenu('user', { locale: 'en' }))).toEqual(['x']);
    undo();
    undo();
    expect(menus.list()).toEqual([]);
  });
});

describe('link URLs', () => {
  it.each(['/', '/admin/', '?lang=en', '#top', 'https://example.com/x', 'plugin.php?p=x', 'shop'])('%j is safe', (url) =>
    expect(isSafeUrl(url)).toBe(true),
  );
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil',
    ' /x',
    'java\nscript:x',
    'https://',
    '',
    7,
    null,
    'vbscript:x',
  ])('%j is not', (url) => expect(isSafeUrl(url)).toBe(false));
});

describe('settings tabs', () => {
  it('get unique ids, URLs and their order', async () => {
    const tabs = new SettingsTabRegistry();
    tabs.add({ title: 'Fields', fields: [{ key: 'a', label: 'A', type: 'text' }], order: 60 }, 'shop');
    tabs.add({ title: 'Page', page: 'settings' }, 'shop');
    tabs.add({ title: 'Link', url: 'https://example.com/', id: 'link', order: 1 }, 'other');
    expect((await tabs.buildTabs()).map(({ id, title, url, fields }) => [id, title, url, fields.length])).toEqual([
      ['link', 'Link', 'https://example.com/', 0],
      ['shop', 'Page', '/admin/plugin.php?p=shop&page=settings', 0],
      ['shop-2', 'Fields', '', 1],
    ]);
    expect(await tabs.buildTabs(async () => [{ title: 'bad', url: 'javascript:x' }])).toEqual([]);
  });

  it.each<[Partial<SettingsTabRecord>, RegExp]>([
    [{ title: '' }, /title/],
    [{ page: 'p', url: '/x' }, /exactly one/],
    [{}, /exactly one/],
    [{ fields: [] }, /at least one/],
    [{ fields: [{ key: 'a b', label: 'A', type: 'text' }] }, /key/],
    [{ fields: [{ key: 'a', label: 'A', type: 'file' as never }] }, /type/],
    [{ fields: [{ key: 'a', label: 'A', type: 'select' }] }, /options/],
    [
      {
        fields: [
          { key: 'a', label: 'A', type: 'text' },
          { key: 'a', label: 'B', type: 'text' },
        ],
      },
      /two/,
    ],
  ])('refuse %j', (part, message) => {
    expect(() => new SettingsTabRegistry().add({ title: 'T', ...part }, 'shop')).toThrow(message);
  });
});

describe('widgets', () => {
  const options = { call: CALL, locale: 'en' } as const;

  it('are created per request, sorted after the hook, and fail independently', async () => {
    const widgets = new WidgetRegistry();
    widgets.add({ scope: 'user', area: 'dashboard', callback: () => ({ title: 'late', html: '<b>1</b>', order: 90, width: 4 }) }, 'a');
    widgets.add({ scope: 'user', area: 'dashboard', callback: async () => '<i>html</i>' }, 'b');
    widgets.add({ scope: 'user', area: 'dashboard', callback: () => Promise.reject(new Error('boom')) }, 'bad');
    widgets.add({ scope: 'user', area: 'dashboard', callback: () => null }, 'nothing');
    widgets.add({ scope: 'user', area: 'other', callback: () => 'other' }, 'c');
    const made = await widgets.buildWidgets('user', 'dashboard', {
      ...options,
      apply: async (list) => [...list, { html: 'first', order: 1, width: 99 }],
    });
    expect(made.map(({ owner, title, html, width }) => [owner, title, html.html, width])).toEqual([
      ['', '', 'first', 6],
      ['b', '', '<i>html</i>', 6],
      ['bad', 'bad', expect.stringContaining('could not be loaded'), 6],
      ['a', 'late', '<b>1</b>', 4],
    ]);
  });

  it.each([{ area: '' }, { area: 'A B' }, { callback: 'html' }, { scope: 'home' }])('refuse %j', (part) => {
    expect(() => new WidgetRegistry().add({ scope: 'user', area: 'dashboard', callback: () => '', ...part } as never, 'shop')).toThrow(
      /^shop: /,
    );
  });
});

describe('banners', () => {
  const reader = { side: 'admin' as const, account: { id: 1, username: 'admin' }, locale: 'en' as const, call: CALL };

  it('come from all providers, the most urgent first', async () => {
    const banners = new PageBanners();
    banners.add(() => [{ id: 'hint', level: 'info', text: 'A hint' }]);
    const undo = banners.add(async ({ account }) => [{ id: 'alarm', level: 'danger', text: `Look, ${account.username}` }]);
    expect((await banners.build(reader)).map(({ text }) => text)).toEqual(['Look, admin', 'A hint']);
    undo();
    expect((await banners.build(reader)).map(({ id }) => id)).toEqual(['hint']);
  });

  it('are omitted if their provider fails, hangs or returns a script URL', async () => {
    const banners = new PageBanners();
    banners.add(() => {
      throw new Error('no');
    });
    banners.add(() => Promise.reject(new Error('no')));
    banners.add(() => new Promise<never>(() => undefined));
    banners.add(() => [{ id: 'x', level: 'info', text: 'x', action: { label: 'x', url: 'javascript:alert(1)' } }]);
    banners.add(() => [{ id: 'fine', level: 'info', text: 'fine' }]);
    expect((await banners.build(reader)).map(({ id }) => id)).toEqual(['fine']);
  });
});
