import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { findLegacy, findScripting, outline } from '../../../test/corpora/xss/check-dom.mjs';

import { cleanHtml, MAX_HTML_BYTES } from './clean-html.js';
import { HtmlRefusal } from './html-refusal.js';

interface Benign {
  id: string;
  input: string;
  text: string;
  tags: string[];
  strength: 'must' | 'should' | 'policy';
  pre?: boolean;
}

const corpus = JSON.parse(readFileSync(new URL('../../../test/corpora/xss/payloads.json', import.meta.url), 'utf8')) as {
  xss: { id: string; input: string }[];
  benign: Benign[];
};

describe('cleanHtml', () => {
  it('leaves nothing executable in any of the hostile inputs, and is idempotent', () => {
    const left = corpus.xss.flatMap(({ id, input }) => {
      const clean = cleanHtml(input);
      const found = [...findScripting(clean), ...findLegacy(clean), ...(cleanHtml(clean) === clean ? [] : ['changes when cleaned again'])];
      return found.map((what) => `${id}: ${what}`);
    });
    expect(corpus.xss.length).toBeGreaterThan(700);
    expect(left).toEqual([]);
  });

  it('keeps no control or bidi characters, and removing them creates no markup', () => {
    expect(cleanHtml('<p>a\0b\u202ec&#x202e;d&#0;</p>')).toBe('<p>abcd\ufffd</p>');
    expect(cleanHtml('<a href="/\u202e/evil.example">x</a>')).toBe('<a>x</a>');
    expect(cleanHtml('<a href="/&#x202e;/evil.example">x</a>')).toBe('<a>x</a>');
    expect(cleanHtml('<scr\u202eipt>alert(1)</script>&lt;scr&#x202e;ipt&gt;')).toBe('&lt;script&gt;');
    expect(cleanHtml('<p>中文\n\tعربي עברית 💣</p>')).toBe('<p>中文\n\tعربي עברית 💣</p>');
  });

  it.each(corpus.benign)('keeps the meaning of $id', ({ input, text, tags, strength, pre }) => {
    const clean = cleanHtml(input);
    const kept = outline(clean);
    expect(kept.text).toBe(text);
    if (pre) expect(clean.split('\n')).toHaveLength(input.split('\n').length);
    if (strength === 'policy') return;
    let from = 0;
    for (const tag of tags) {
      const at = kept.tags.indexOf(tag, from);
      expect(at, tag).toBeGreaterThanOrEqual(from);
      from = at + 1;
    }
  });

  it('adds nofollow and noopener to links', () => {
    expect(cleanHtml('<a href="https://a.cn/" rel="dofollow" target="_blank">a</a>')).toBe(
      '<a href="https://a.cn/" rel="nofollow noopener">a</a>',
    );
    expect(cleanHtml('<a href="//evil.cn/">a</a><a href="ftp://a.cn/">b</a>')).not.toContain('href');
  });

  it('allows pictures only from the web and from this store', () => {
    const sources = ['https://a.cn/a.png', 'http://a.cn/a', '/uploads/images/0b9c.png'];
    for (const source of sources) expect(cleanHtml(`<img src="${source}">`)).toBe(`<img src="${source}" />`);
    const others = [
      '//a.cn/a.png',
      '/uploads/packages/a.zip',
      '/uploads/images/../a.png',
      '/auth/logout',
      'data:image/svg+xml,<svg>',
      'a.png',
      'blob:x',
      'javascript:1',
    ];
    for (const source of others) expect(cleanHtml(`<img src="${source}" alt="x">`)).not.toContain('src');
  });

  it('drops styles, ids, classes and data attributes but keeps the language of code', () => {
    expect(cleanHtml('<p style="position:fixed" id="login" class="modal" data-x="1">x</p><code class="language-ts evil">y</code>')).toBe(
      '<p>x</p><code class="language-ts">y</code>',
    );
  });

  it('is limited in length and depth', () => {
    expect(() => cleanHtml('说'.repeat(MAX_HTML_BYTES / 3 + 1))).toThrow(HtmlRefusal);
    expect(() => cleanHtml('&'.repeat(MAX_HTML_BYTES - 1))).toThrow(HtmlRefusal);
    expect(cleanHtml('x'.repeat(MAX_HTML_BYTES))).toHaveLength(MAX_HTML_BYTES);
    const deep = cleanHtml(`${'<div>'.repeat(15_000)}x`);
    expect(deep.split('<div>').length).toBeLessThan(60);
    expect(deep).toContain('x');
  });
});
