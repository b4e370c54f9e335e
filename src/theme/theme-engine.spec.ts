import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { toPlainData } from './plain-data.js';
import { RenderBudget } from './render-frame.js';
import { CALL, REQUEST, ThemeFixture } from './testing/theme-fixture.js';
import { trustedHtml } from './trusted-html.js';

let fixture: ThemeFixture;

beforeEach(() => {
  fixture = new ThemeFixture(join('/nonexistent', 'no-bundled-themes'));
});
afterEach(() => fixture.remove());

/** A template that fails has nothing to fall back to here: the error names the view, the notice the reason. */
async function reasonOf(template: string, vars: object = {}): Promise<string> {
  await expect(fixture.page(template, vars)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
  return fixture.renderer.themeNotices()[0]!.message;
}

describe('what templates can reach', () => {
  it('reads no prototype, constructor, method or getter', async () => {
    class Account {
      readonly name = 'alice';
      get secret(): string {
        return 'SECRET';
      }
      toJSON(): string {
        return 'SECRET';
      }
    }
    const vars = { account: new Account(), list: [1, 2], text: 'abc' };
    const template =
      '{{ account.name }}|{{ account.secret }}{{ account.constructor }}{{ account.__proto__ }}{{ account.toJSON ' +
      '}}{{ list.constructor }}{{ list.map }}{{ list.__proto__ }}{{ text.constructor }}{{ text.toUpperCase }}{{ ' +
      'constructor }}{{ __proto__ }}{{ account["constructor"]["constructor"] }}';
    expect(await fixture.page(template, vars)).toBe('alice|');
  });

  it('calls no function and reads no accessor of the values', async () => {
    let calls = 0;
    const call = (): string => {
      calls += 1;
      return 'CALLED';
    };
    const vars = { call, nested: { call, list: [call] }, toString: call, then: call, toLiquid: call };
    Object.defineProperty(vars, 'lazy', { enumerable: true, get: call });
    expect(await fixture.page('[{{ call }}{{ nested.call }}{{ nested.list[0] }}{{ lazy }}{{ then }}{{ toLiquid }}]', vars)).toBe('[]');
    expect(calls).toBe(0);
  });

  it('does not let an own __proto__ key become a prototype', async () => {
    const vars = JSON.parse('{"row":{"__proto__":{"role":"admin"}}}') as object;
    expect(await fixture.page('[{{ row.role }}{{ row.__proto__.role }}]', vars)).toBe('[]');
    expect(Object.getPrototypeOf(toPlainData(vars, () => null).row)).toBe(Object.prototype);
  });

  it('does not modify the given values', async () => {
    const vars = Object.freeze({ list: Object.freeze([3, 1, 2]), n: 1 });
    expect(await fixture.page('{% assign n = 5 %}{% increment n %}{% assign list = list | sort %}{{ list | join }}', vars)).toContain(
      '1 2 3',
    );
    expect(vars).toEqual({ list: [3, 1, 2], n: 1 });
  });

  it('has no raw output', async () => {
    expect(await reasonOf('{{ text | raw }}', { text: '<b>' })).toMatch(/undefined filter: raw/);
    for (const tag of ['include', 'render']) expect(await reasonOf(`{% ${tag} 'x' %}`)).toMatch(new RegExp(`tag "${tag}" not found`));
    // Whatever a template does with a text, it comes out escaped.
    const ways = `{{ x }}{% echo x %}{% cycle x, x %}{% capture y %}{{ x }}{% endcapture %}{{ y }}{{ x | escape | append: '' }}{{ x
      | newline_to_br }}{% liquid
      echo x %}{{ x | default: x }}{{ x | split: '' | join: '' }}{% assign z = x | upcase
      %}{{ z }}{{ x | t }}{{ x | asset }}{{ x | icon: x }}{{ x | datetime }}{{ x | money }}{{ x | json }}`;
    const html = await fixture.page(ways, { x: '<img src=x onerror=alert(1)>' });
    expect(html).not.toMatch(/<img/i);
    expect(html).toContain('&lt;img');
  });

  it('escapes any text, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const html = await fixture.page('<p title="{{ text }}">{{ text }}</p>', { text });
        expect(html.replace(/<p title="[^"<>]*">[^<>]*<\/p>/, '')).toBe('');
      }),
      { numRuns: 60 },
    );
  });

  it('never parses a value as a template', async () => {
    expect(await fixture.page('{{ text }}', { text: '{{ 1 | plus: 1 }}{% partial "x" %}' })).toBe(
      '{{ 1 | plus: 1 }}{% partial &#34;x&#34; %}',
    );
  });

  it('does not show the nonce to templates', async () => {
    expect(await fixture.page('[{{ nonce }}{{ frame.nonce }}{{ slots }}{{ registers }}]', {}, { nonce: 'SECRET-NONCE' })).toBe('[]');
    const vars = { html: trustedHtml('<script nonce="SECRET-NONCE">1</script>') };
    fixture.install({ 'assets/a.css': 'p{}', 'shared/frame.liquid': '{% block a %}{% slot html %}{% endblock %}' });
    const ways = [
      "{% capture own %}{% slot html %}{% script 'a.css' %}{% endcapture %}[{{ own }}]",
      "{% layout 'frame' %}{% block a %}{% assign own = block.super %}[{{ own | split: '' | join: '' }}]{% endblock %}",
    ];
    for (const add of [() => undefined, () => fixture.overrides.add('partial', 'home', 'x', () => null, { owner: 'x' })]) {
      add();
      for (const way of ways) {
        const page = await fixture.page(way, vars, { nonce: 'SECRET-NONCE' });
        expect(page).toContain('&lt;script nonce=');
        expect(page).not.toContain('SECRET-NONCE');
      }
    }
  });
});

describe('trusted HTML', () => {
  it('is output unchanged by a slot, and nowhere else', async () => {
    const vars = { html: trustedHtml('<b>{{ 1 | plus: 1 }}</b>'), cards: [{ html: trustedHtml('<i>1</i>') }] };
    expect(await fixture.page('{% slot html %}{% for card in cards %}{% slot card.html %}{% endfor %}', vars)).toBe(
      '<b>{{ 1 | plus: 1 }}</b><i>1</i>',
    );
    expect(await fixture.page('{{ html }}{{ html | json }}{{ html | append: "x" }}', vars)).not.toContain('<b>');
  });

  it('cannot be created from user data', async () => {
    const attack = '<script>alert(1)</script>';
    const vars = { text: attack, object: { html: attack }, list: [attack], empty: {} };
    expect(
      await fixture.page("[{% slot text %}{% slot object %}{% slot list %}{% slot empty %}{% slot '<b>' %}{% slot missing %}]", vars),
    ).toBe('[]');
  });
});

describe('limits', () => {
  /** Of processor time: a busy machine lets a process wait for longer. Without the limits these take minutes. */
  const WITHIN_MS = 5_000;
  const spent = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };

  it.each([
    ['a long loop', '{% for i in (1..10000000) %}x{% endfor %}'],
    ['nested loops', '{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}'],
    // CVE-2026-44645: an empty body never asked the clock.
    ['a loop with an empty body', '{% for a in (1..1500) %}{%- for i in (1..1000000) -%}{%- endfor -%}{% endfor %}'],
    ['a table row with an empty body', '{% for a in (1..1500) %}{%- tablerow i in (1..1000000) -%}{%- endtablerow -%}{% endfor %}'],
    // CVE-2026-45357: a width the memory limit did not see.
    ['a date format with a huge width', '{{ "now" | date: "%999999999Y" }}'],
    ['text that doubles', '{% assign s = "x" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}'],
    ['a partial that calls itself', "{% partial 'self' %}"],
    // CVE-2026-41311: a layout whose block asks for the same layout again.
    ['a layout that is its own layout', "{% layout 'circle' %}{% block a %}{% block a %}{% endblock %}{% endblock %}"],
  ])('stop %s', async (_name, template) => {
    fixture.install({
      'shared/self.liquid': "{% partial 'self' %}",
      'shared/circle.liquid': "{% layout 'circle' %}{% block a %}{% endblock %}",
    });
    const start = spent();
    expect(await reasonOf(template)).toMatch(/limit exceeded|nested|exceeded/i);
    expect(spent() - start).toBeLessThan(WITHIN_MS);
  });

  // CVE-2026-45617: the expression behind strip_html was quadratic on unclosed tags.
  it('strip_html stays linear on unclosed tags', async () => {
    const start = spent();
    await fixture.page('{{ text | strip_html | size }}', { text: '<script'.repeat(50_000) });
    expect(spent() - start).toBeLessThan(WITHIN_MS);
  });

  it('reject a template longer than 200,000 characters', async () => {
    await expect(fixture.page('x'.repeat(200_001))).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    expect(fixture.renderer.themeNotices()[0]!.message).toMatch(/larger than 200000/);
  });

  it('do not count the time in which the process waits for CPU', () => {
    const budget = new RenderBudget(20);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    budget.use();
    expect(() => {
      for (;;) budget.use();
    }).toThrow(/limit exceeded/);
  });

  it('do not count the time a plugin takes to override a partial', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    fixture.overrides.add('partial', 'home', 'slow', async () => (await gate, '<b>late</b>'), { owner: 'slow' });
    const page = fixture.page("{% partial 'slow' %}!", {}, { call: CALL });
    const until = performance.now() + 300;
    await new Promise<void>((resolve) => {
      const look = (): void => (performance.now() > until ? resolve() : void setImmediate(look));
      look();
    });
    release();
    expect(await page).toBe('<b>late</b>!');
  });
});

describe('names', () => {
  const HOSTILE = [
    '../secret',
    '..\\secret',
    '/etc/passwd',
    'a/b/c',
    'home/../secret',
    'page.liquid',
    'Page',
    '',
    'x'.repeat(65),
    '%2e%2e/x',
    'page\u0000',
    './page',
    'admin/',
    '/page',
    'lang/en',
  ];

  it.each(HOSTILE)('a partial, layout or view called %j does not exist', async (name) => {
    writeFileSync(join(fixture.folder, 'secret.liquid'), 'SECRET');
    expect(await fixture.page('[{% partial name %}]', { name })).toBe('[]');
    expect(await reasonOf('{% layout name %}', { name })).toMatch(/ENOENT|illegal/);
    await expect(fixture.html('home', name, {}, REQUEST)).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND' });
    expect(() => fixture.overrides.add('page', 'home', name, () => null, { owner: 'x' })).toThrow(/not a valid view name/);
  });

  // CVE-2026-35525: a symbolic link inside the theme led out of it.
  it('follow no symbolic link of a file, a folder or the theme', async () => {
    const outside = join(fixture.folder, '..', `outside-${process.pid}`);
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'secret.liquid'), 'SECRET');
    writeFileSync(join(outside, 'theme.json'), '{}');
    fixture.install({ 'home/page.liquid': "[{% partial 'secret' %}{% partial 'shared/secret' %}]" });
    symlinkSync(join(outside, 'secret.liquid'), join(fixture.folder, 'aurora/home/secret.liquid'));
    symlinkSync(outside, join(fixture.folder, 'aurora/shared'));
    symlinkSync(outside, join(fixture.folder, 'linked'));
    expect(await fixture.html('home', 'page', {}, REQUEST)).toBe('[]');
    expect(fixture.catalogue.list().map((theme) => theme.name)).toEqual(['aurora']);
  });
});

describe('filters', () => {
  it("format money, numbers, times and texts in the reader's language", async () => {
    fixture.install({
      'lang/en.json': '{"own.apples.one":"{n} apple","own.apples.other":"{n} apples"}',
      'lang/zh-CN.json': '{"own.apples":"{n} 个苹果"}',
    });
    const template =
      "{{ 1250 | money }} {{ 1234567 | number }} {{ at | datetime }} {{ at | datetime: 'date' }} {{ 'own.apples' | " +
      "t: n: 1 }} {{ 'own.apples' | t: n: 3 }} {{ 'common.not_found' | t }} {{ 'none.such' | t }}";
    const at = '2026-11-20T17:05:00.000Z';
    expect((await fixture.page(template, { at })).replace(/\u202f/g, ' ')).toBe(
      '¥12.50 1,234,567 Nov 21, 2026, 1:05 AM Nov 21, 2026 1 apple 3 apples Not found. Refresh the page and try again. none.such',
    );
    expect(await fixture.page(template, { at }, { locale: 'zh-CN' })).toBe(
      '¥12.50 1,234,567 2026年11月21日 01:05 2026年11月21日 1 个苹果 3 个苹果 找不到该内容，请刷新后再试。 none.such',
    );
  });

  it('format a day without a time as the same day in every zone', async () => {
    const west = new ThemeFixture(undefined, 'America/Los_Angeles');
    expect(await west.page("{{ day | datetime: 'date' }} {{ day | datetime }}", { day: '2027-01-31' })).toBe('Jan 31, 2027 Jan 31, 2027');
    west.remove();
  });

  it('output nothing for an invalid amount, number or time', async () => {
    expect(
      await fixture.page('[{{ nil | money }}{{ "x" | money }}{{ 1.5 | money }}{{ "x" | number }}{{ "x" | datetime }}{{ nil | datetime }}]'),
    ).toBe('[]');
  });

  it('render icons from a closed set, and a puzzle piece for anything else', async () => {
    const known = await fixture.page("{{ 'mdi-home' | icon: 'me-2' }}");
    expect(known).toMatch(/^<svg class="icon me-2" [^>]*><path d="M10,20V14/);
    const [fallback] = [await fixture.page("{{ 'mdi-no-such-icon' | icon }}")];
    for (const name of ['mdi-../../package', '../home', '"><script>', 'mdi-home/../x', 'MDI-HOME', 'mdi-', 42, null]) {
      expect(await fixture.page('{{ name | icon }}', { name })).toBe(fallback);
    }
    expect(await fixture.page('{{ "mdi-home" | icon: name }}', { name: '"><script>' })).toMatch(/^<svg class="icon" /);
  });
});
