import { expect, it } from 'vitest';

import { readHosting } from '../../agent/src/config/hosting-config.js';
import { siteConfig } from '../../agent/src/host/nginx/site-config.js';
import type { SiteRecord } from '../../agent/src/host/records/site-record.js';
import { isPrivate } from '../../src/hosting/sites/index.js';

const ENDINGS = 'php php5 php7 phps phtml phar pht asp aspx ascx ashx asmx jsp jspx cfm cgi fcgi pl py rb sh bash env'.split(' ');
const COPIES = ['', '.bak', '.old', '.orig', '.save', '.swp', '.tmp', '~', '.', ' ', '.BAK', '~.bak', '.bak.old'];
const PROGRAMS = ENDINGS.flatMap((ending) => COPIES.map((copy) => `/a/x.${ending}${copy}`));
const OTHERS = [
  ...['/', '/index.html', '/a.py.txt', '/x.shop', '/php', '/env', '/a.png', '/x.bak', '/a b.css', '/a.phone~x', '/pl', '/x.phtmlx'],
  ...['/.well-known/a', '/.well-known', '/.well-known/acme-challenge/t', '/a.b/.c', '/.git/config', '/a/.well-known/b', '/.well-known2/a'],
  ...['/.WELL-KNOWN/a', '/.well-known/.env', '/.well-known/a.py', '/code.PY/a.txt', '/a.php/b', '/a.', '/..a', '/a/..a'],
];

it('servers with our agent refuse the same files as the panel', () => {
  const site = { name: 'a.test', user: 'svc1', php: null, domains: [], settings: null, rewrites: '' } as unknown as SiteRecord;
  const places = { web: '/w', logs: '/l', proofs: '/p', socket: '/s', certificate: '/c', passwords: '/a' };
  const config = siteConfig(site, places, readHosting(true, [])!);
  const patterns = [...config.matchAll(/^location (~\*?) "(.*)" \{\n(?:error_page .*\n)*return 403;/gm)].map(
    ([, how, text]) => new RegExp(text!.replaceAll('\\\\', '\\'), how === '~*' ? 'i' : ''),
  );
  expect(patterns).toHaveLength(2);
  const refused = (path: string): boolean => patterns.some((pattern) => pattern.test(path));
  expect(PROGRAMS.filter((path) => !refused(path) || !isPrivate(path))).toEqual([]);
  expect(OTHERS.filter((path) => refused(path) !== isPrivate(path))).toEqual([]);
  expect(OTHERS.filter(isPrivate)).toHaveLength(11);
});
