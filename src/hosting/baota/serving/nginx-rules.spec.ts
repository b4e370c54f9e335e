import { describe, expect, it } from 'vitest';

import { DEFAULT_WEB_SETTINGS, RewriteProblem, type WebSettingsState } from '../../driver/index.js';

import { withRewrites, withRules } from './nginx-rules.js';

const rules = (more: Partial<WebSettingsState>, present = ''): string => withRules(present, { ...DEFAULT_WEB_SETTINGS, ...more });

describe('settings of a site in nginx syntax', () => {
  it('are empty if nothing is set, and preserve other content', () => {
    expect(rules({})).toBe('');
    const others = 'location / { try_files $uri /index.php; }\n';
    const written = rules({ errorPages: { 404: '/lost.html' } }, others);
    expect(written.startsWith(others)).toBe(true);
    expect(rules({}, written)).toBe(others);
    expect(rules({ errorPages: { 404: '/lost.html' } }, written)).toBe(written);
  });

  it('redirect, cache, prevent hotlinking and compress', () => {
    const text = rules({
      redirects: [
        { id: 'a', from: '/old', to: '/new', status: 301 },
        { id: 'b', from: '/blog/*', to: 'https://blog.example/', status: 302 },
      ],
      cache: [{ suffix: 'css,js', time: '30d' }],
      hotlink: { enabled: true, suffixes: ['jpg', 'css'], domains: ['*.friend.example'], allowEmpty: true, status: 403 },
      compression: { enabled: false, level: 6, minBytes: 1_024, types: [] },
      errorPages: { 404: '/lost page.html' },
    });
    expect(text).toContain('location = "/old" { return 301 "/new"; }');
    expect(text).toContain('location ^~ "/blog/" { rewrite "^/blog/(.*)$" "https://blog.example/$1" redirect; }');
    expect(text.match(/\\\.css\$/g)).toHaveLength(1);
    expect(text).toContain('valid_referers none blocked server_names *.friend.example; if ($invalid_referer) { return 403; }');
    expect(text).toContain('gzip off;');
    expect(text).toContain('error_page 404 "/lost page.html";');
  });

  it('contain nothing that nginx would not read as a value', () => {
    for (const to of ['/a"; } location / { alias /etc/; } #', '/a\\"; }', '/a}']) {
      const text = rules({ redirects: [{ id: 'a', from: '/x', to, status: 301 }] });
      const [, value = ''] = /return 301 "((?:[^"\\]|\\.)*)"; }$/m.exec(text) ?? [];
      expect(value.replace(/\\(.)/g, '$1')).toBe(to);
    }
    for (const to of ['/$document_root', '/a\n}']) expect(() => rules({ redirects: [{ id: 'a', from: '/x', to, status: 301 }] })).toThrow();
    expect(() => rules({ cache: [{ suffix: 'css;}', time: '1d' }] })).toThrow();
    expect(() => rules({ passwords: [{ name: 'a', folder: '', user: 'u', hash: 'h' }] })).toThrow();
  });
});

describe('rewrite rules of a site', () => {
  const others = 'location = /theirs { return 404; }\n';

  it('coexist with the settings and other content', () => {
    const settings = { ...DEFAULT_WEB_SETTINGS, errorPages: { 404: '/lost.html' } };
    const text = withRewrites(withRules(others, settings), 'location / { try_files $uri $uri/ /index.php?$args; }');
    expect(text).toContain('try_files "$uri" "$uri/" "/index.php?$args";');
    expect(text).toContain('error_page 404 "/lost.html";');
    expect(text.startsWith(others)).toBe(true);
    expect(withRules(text, settings)).toBe(text);
    expect(withRules(withRewrites(text, ''), DEFAULT_WEB_SETTINGS)).toBe(others);
  });

  it.each(['root /etc;', 'location / { alias /www/wwwroot/other; }', 'rewrite ^/(.*)$ /../$1 last;', 'location ^~ /admin { deny all; }'])(
    'are rejected if they lead out of the site or show programs as text: %s',
    (text) => expect(() => withRewrites(others, text)).toThrow(RewriteProblem),
  );
});
