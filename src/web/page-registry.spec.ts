import { describe, expect, it } from 'vitest';

import { pageUrl } from '../theme/index.js';

import { PageRegistry } from './page-registry.js';
import { pluginPage } from './plugin-page.js';

const LIST = { id: 'sold', operation: 'p_sold', empty: 'none', columns: [{ field: 'id', title: 'Id' }] } as const;

describe('pages', () => {
  it('of plugins are unique per plugin and side: two plugins may each have a page of one name', () => {
    const pages = new PageRegistry();
    const undo = pages.add(pluginPage({ scope: 'user', page: 'plans', file: 'plans.liquid', title: 'Plans' }, 'shop'), 'shop');
    pages.add(pluginPage({ scope: 'admin', page: 'plans', file: () => '', title: 'Plans' }, 'shop'), 'shop');
    const again = pluginPage({ scope: 'user', page: 'plans', file: 'x.html', title: 'X' }, 'shop');
    expect(() => pages.add(again, 'shop')).toThrow('shop: the user page "plans" is already registered by shop.');
    expect(pages.at(pageUrl('user', 'shop', 'plans'))).toMatchObject({ owner: 'shop', record: { content: 'plans.liquid' } });
    expect(pages.at(pageUrl('user', 'other', 'plans'))).toBeNull();
    pages.add(pluginPage({ scope: 'user', page: 'plans', file: 'x.html', title: 'X' }, 'other'), 'other');
    undo();
    expect(pages.list().map(({ owner, record }) => [owner, record.side, record.name])).toEqual([
      ['shop', 'admin', 'plans'],
      ['other', 'user', 'plans'],
    ]);
  });

  it('that are removed leave a replacement untouched', () => {
    const pages = new PageRegistry();
    const record = pluginPage({ scope: 'user', page: 'plans', file: 'plans.liquid', title: 'Plans' }, 'shop');
    const undo = pages.add(record, 'shop');
    undo();
    pages.add({ ...record, title: 'New' }, 'shop');
    undo();
    expect(pages.list().map(({ record: { title } }) => title)).toEqual(['New']);
  });

  it('of features and of plugins are one kind of record: address, view, title, needs', () => {
    const pages = new PageRegistry();
    pages.add({ side: 'admin', path: 'hosts', title: 'hosting.menu.hosts' }, 'core');
    expect(() => pages.add({ side: 'admin', path: 'hosts', title: 'X' }, 'core')).toThrow(
      'core: the admin page "hosts" is already registered by core.',
    );
    const { side, path, view, needs } = pluginPage({ scope: 'admin', page: 'plans', file: 'p.html', title: 'P' }, 'shop');
    expect({ side, path, view, needs }).toEqual({
      side: 'admin',
      path: 'plugin.php?p=shop&page=plans',
      view: 'plugin',
      needs: ['plugin.shop'],
    });
  });

  it.each([
    { page: 'a b' },
    { page: '' },
    { page: undefined },
    { title: '' },
    { file: '' },
    { scope: 'home' },
    { file: () => '', lists: [LIST] },
    { lists: [{ ...LIST, id: 'A b' }] },
    { lists: [LIST, LIST] },
  ])('of plugins are refused by name: %j', (part) => {
    expect(() => pluginPage({ scope: 'user', page: 'p', file: 'p.html', title: 'P', ...part } as never, 'shop')).toThrow(/^shop: /);
  });
});
