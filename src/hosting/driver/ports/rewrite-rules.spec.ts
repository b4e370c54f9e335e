import { describe, expect, it } from 'vitest';

import { readRewrites } from './rewrite-rules.js';
import { RewriteProblem } from './rewrites.js';

const linesOf = (text: string): string => readRewrites(text, () => ['# php']).lines.join(' ');

describe('rewrite rules', () => {
  it('are rewritten with each value in quotes', () => {
    expect(linesOf('rewrite ^/a/(\\d+)$ /b.php?id=$1 last; # why')).toBe('rewrite "^/a/(\\\\d+)$" "/b.php?id=$1" last;');
    expect(linesOf("return 301 'https://a.test/$request_uri';")).toBe('return 301 "https://a.test/$request_uri";');
    expect(linesOf('location / { try_files $uri $uri/ /index.php?$args; }')).toContain(
      'try_files "$uri" "$uri/" "/index.php?$args"; # php }',
    );
    expect(readRewrites('location / { deny all; }', () => []).hasRoot).toBe(true);
    expect(linesOf('')).toBe('');
  });

  it('pass to the callback of each location only its own rules', () => {
    const text = 'location / { deny all; location /in { return 403; } rewrite ^ /a last; }';
    const heard: (readonly string[])[] = [];
    readRewrites(text, (rules) => (heard.push(rules), []));
    expect(heard).toEqual([['return 403;'], ['deny "all";', 'rewrite "^" "/a" last;']]);
  });

  it('keep the content of a quoted text within its quotes', () => {
    expect(linesOf('rewrite "^/x{1,2} \\"y\\"$" "/z" last;')).toBe('rewrite "^/x{1,2} \\"y\\"$" "/z" last;');
    expect(linesOf('rewrite ^/a{2}$ /b last;')).toBe('rewrite "^/a{2}$" "/b" last;');
  });

  it.each([
    'rewrite ^/(.*)$ /../$1 last;',
    'rewrite ^ $document_root last;',
    'rewrite ^ /$arg_x last;',
    'rewrite ^ /x break;',
    'return 301 /$uri;',
    'return 301 https://a.test$1;',
    'return 500;',
    'try_files /$1 =404;',
    'try_files $uri @fallback;',
    'try_files $uri;',
    'location @x { deny all; }',
    'location ~ x { internal; }',
    'location /a { root /etc; }',
    'location /a { location /a/b { location /c { location /d { deny all; } } } }',
    'if (-f $document_root/x) { return 403; }',
    'if ($http_x) { return 403; }',
    'if ($uri ~ a) { try_files a b; }',
    'set $a b;',
    'add_header X y;',
    'return 301 "unfinished;',
    'rewrite ^ /a last',
    '} server { listen 1;',
    '; ;',
    'rewrite "a\nb" /x last;',
    'deny all; '.repeat(301),
  ])('are rejected if they are not in the allowed set: %s', (text) => {
    expect(() => readRewrites(text, () => [])).toThrow(RewriteProblem);
  });
});
