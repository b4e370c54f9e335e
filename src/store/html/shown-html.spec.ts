import { expect, it } from 'vitest';

import { cleanHtml } from './clean-html.js';
import { firstWords, shownHtml } from './shown-html.js';

it('loads pictures lazily without a referrer, and links to those without TLS', () => {
  const clean = cleanHtml('<p>a<img src="https://a.cn/a.png"><img src="http://a.cn/b.png" alt="B&quot;<i>">b<img src="x"></p>');
  expect(shownHtml(clean)).toBe(
    '<p>a<img src="https://a.cn/a.png" alt="" loading="lazy" referrerpolicy="no-referrer" />' +
      '<a href="http://a.cn/b.png" rel="nofollow noopener">B"&lt;i&gt;</a>b<img alt="" loading="lazy" referrerpolicy="no-referrer" /></p>',
  );
});

it('leaves everything else as it was cleaned, and opens links in a new tab', () => {
  const clean = cleanHtml(
    '<h2>x &amp; y</h2><a href="https://a.cn/">a</a><table><tr><td colspan="2">1</td></tr></table><code ' +
      'class="language-ts">&lt;b&gt;</code>',
  );
  expect(shownHtml(clean)).toBe(clean.replace('<table>', '<table class="table">'));
  expect(shownHtml(clean, { opensNewTab: true })).toContain('<a href="https://a.cn/" rel="nofollow noopener" target="_blank">a</a>');
});

it('returns the first words of a text', () => {
  expect(firstWords('<h2>Keeps</h2><p>every &lt;letter&gt; &amp; more</p>', 20)).toBe('Keeps every <letter>…');
  expect(firstWords('<p>短</p>', 20)).toBe('短');
  expect(firstWords(`<a title="${'x'.repeat(2_000)}">hidden</a>`, 20)).toBe('');
});
