import { describe, expect, it } from 'vitest';

import type { MenuItem } from '../theme/index.js';

import { inSections } from './menu-sections.js';

import './texts.js';

const item = (title: string, order: number, owner = 'core'): MenuItem => ({
  title,
  icon: 'mdi-web',
  order,
  url: `/admin/${title}`,
  active: false,
  owner,
  children: [],
});
const headings = (items: readonly MenuItem[]) => inSections('admin', items, 'en').map(({ title, heading }) => [title, heading ?? '']);

describe('sections of a menu', () => {
  it('begin at the first accessible entry, but at no plugin entry', () => {
    expect(headings([item('home', 10), item('hosts', 20), item('shop', 20, 'shop'), item('customers', 21), item('agents', 25)])).toEqual([
      ['home', ''],
      ['hosts', 'Hosting'],
      ['shop', ''],
      ['customers', ''],
      ['agents', 'Servers'],
    ]);
    expect(headings([item('shop', 22, 'shop'), item('groups', 22.5), item('log', 90)])).toEqual([
      ['shop', ''],
      ['groups', 'Servers'],
      ['log', 'Panel'],
    ]);
  });

  it('do not modify the given entries', () => {
    const items = [item('hosts', 20)];
    inSections('admin', items, 'zh-CN');
    expect(items).toEqual([item('hosts', 20)]);
  });
});
