import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runInFrame } from '../common/index.js';
import { currencyOf } from '../sdk/index.js';
import { constantData } from './constant-data.js';
import { CALL, REQUEST, ThemeFixture } from './testing/theme-fixture.js';

/** Where the SDK keeps it. */
const PRESENT_CURRENCY = Symbol.for('@svc/sdk:currency');
const PAGE = "{% for item in menu %}{% partial 'entry', item: item, only %}{% endfor %}";

describe('a partial with `only`', () => {
  let fixture: ThemeFixture;
  beforeEach(() => (fixture = new ThemeFixture()));
  afterEach(() => fixture.remove());

  const entry = (title = 'Hosts') => constantData({ title, children: [] });
  const page = async (entryTemplate: string, vars: object, context = {}): Promise<string> => {
    fixture.install({ 'home/page.liquid': PAGE, 'home/entry.liquid': entryTemplate });
    return fixture.html('home', 'page', vars, { ...REQUEST, ...context });
  };
  const again = (vars: object, context = {}): Promise<string> => fixture.html('home', 'page', vars, { ...REQUEST, ...context });

  it('sees its arguments, the side and the language, and nothing else of the page', async () => {
    const html = await page('[{{ item.title }}|{{ side }}|{{ locale }}|{{ word }}|{{ forloop.index }}|{{ menu.size }}]', {
      menu: [{ title: 'a & b' }],
      word: 'secret',
    });
    expect(html).toBe('[a &amp; b|home|en|||]');
  });

  it('leaves nothing behind and breaks no loop around it', async () => {
    const html = await page('{% assign n = 5 %}{{ item.title }}{% break %}', { menu: [{ title: 'a' }, { title: 'b' }] });
    expect(html).toBe('ab');
    fixture.install({ 'home/page.liquid': `${PAGE}{{ n }}.`, 'home/entry.liquid': '{% assign n = 5 %}' });
    fixture.catalogue.reloadAll();
    expect(await again({ menu: [entry()] })).toBe('.');
  });

  it('renders the same constant data identically, per language', async () => {
    const menu = [entry()];
    const template = '{{ item.title }} {{ "common.close" | t }};';
    const english = await page(template, { menu });
    expect(await again({ menu })).toBe(english);
    expect(await again({ menu }, { locale: 'zh-CN' })).not.toBe(english);
    expect(await again({ menu: [entry('Orders')] })).toContain('Orders');
  });

  it('is rendered once for constant data, and every time for other data', async () => {
    const template = "{{ 'now' | date: '%s' }}";
    const menu = [entry()];
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    try {
      expect(await page(template, { menu })).toBe('1000');
      vi.setSystemTime(2_000_000);
      expect(await again({ menu })).toBe('1000');
      expect(await again({ menu: [entry()] })).toBe('2000');
      expect(await again({ menu: [{ title: 'Hosts' }] })).toBe('2000');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is rendered once per set of literal arguments', async () => {
    const template = "{{ look }}{{ 'now' | date: '%s' }}{{ word }};";
    const twice = "{% partial 'entry', look: 'a', only %}{% partial 'entry', only %}{% partial 'entry', look: word, only %}";
    fixture.install({ 'home/page.liquid': twice, 'home/entry.liquid': template });
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    try {
      expect(await again({ word: 'x' })).toBe('a1000;1000;x1000;');
      vi.setSystemTime(2_000_000);
      expect(await again({ word: 'y' })).toBe('a1000;1000;y2000;');
      expect(await again({ word: 'y' }, { locale: 'zh-CN' })).toBe('a2000;2000;y2000;');
    } finally {
      vi.useRealTimers();
    }
  });

  it('caches nothing for mutable data, however similar it looks', async () => {
    const item = { title: 'one' };
    expect(await page('{{ item.title }}', { menu: [item] })).toBe('one');
    item.title = 'two';
    expect(await again({ menu: [item] })).toBe('two');
  });

  it.each([
    ['the nonce', "{% script 'app.js' %}", { nonce: 'other-nonce' }, 'other-nonce'],
    ['what its reader may do', '{% if "x" | may %}may{% endif %}', { call: CALL }, 'may'],
  ])('keeps nothing that asks for %s', async (_what, template, context, words) => {
    fixture.install({ 'home/page.liquid': PAGE, 'home/entry.liquid': template, 'assets/app.js': '' });
    const menu = [entry()];
    await again({ menu });
    expect(await again({ menu }, context)).toContain(words);
  });

  it('caches nothing in the name of a plugin, whose texts can change', async () => {
    const menu = [entry()];
    const template = '{{ "desk" | t }}';
    const spoken = await runInFrame({ owner: 'desk' }, () => page(template, { menu }));
    expect(spoken).toBe('desk');
    expect(await again({ menu })).toBe('desk');
  });

  it('shows amounts in the current currency', async () => {
    const menu = [entry()];
    expect(await page('{{ 125 | money }}', { menu })).toBe('¥1.25');
    vi.stubGlobal(PRESENT_CURRENCY as never, currencyOf('EUR'));
    expect(await again({ menu })).toBe('€1.25');
    vi.unstubAllGlobals();
  });

  it('fails if it includes itself infinitely', async () => {
    fixture.install({ 'home/page.liquid': PAGE, 'home/entry.liquid': "{% partial 'entry', item: item, only %}" });
    await expect(again({ menu: [entry()] })).rejects.toThrow();
    expect(fixture.notices.list()[0]?.message).toMatch(/Partials are nested more than 16 deep/);
  });

  it('gives plugins their own copy of the data, so that changes do not affect the page', async () => {
    const menu = [entry()];
    const change = (vars: object) => {
      const { item } = vars as { item: { title: string; children: unknown[] } };
      item.title = 'changed';
      item.children.push('more');
      return null;
    };
    fixture.overrides.add('partial', 'home', 'entry', change, { owner: 'desk' });
    expect(await page('{{ item.title }}{{ item.children.size }}', { menu }, { call: CALL })).toBe('Hosts0');
    expect(menu).toEqual([{ title: 'Hosts', children: [] }]);
  });

  it('sees no more if plugins override partials, and they receive its arguments', async () => {
    const seen: unknown[] = [];
    fixture.overrides.add('partial', 'home', 'entry', (vars) => (seen.push(vars), null), { owner: 'desk' });
    const html = await page('{{ item.title }}|{{ word }}', { menu: [entry()], word: 'secret' }, { call: CALL });
    expect(html).toBe('Hosts|');
    expect(seen).toHaveLength(1);
    expect(seen[0]).not.toHaveProperty('word');
  });
});

describe('constant data', () => {
  it('cannot be changed, at any depth', () => {
    const data = constantData({ list: [{ name: 'a' }] });
    expect(() => (data.list[0]!.name = 'b')).toThrow(TypeError);
    expect(() => data.list.push({ name: 'c' })).toThrow(TypeError);
  });
});
