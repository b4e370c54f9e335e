/** What a site answers by: locations in the order nginx needs. */
import { expect, it } from 'vitest';

import { readHosting } from '../../config/hosting-config.js';
import type { SiteRecord } from '../records/site-record.js';
import { siteConfig } from './site-config.js';

const PLACES = { web: '/w', logs: '/l', proofs: '/p', socket: '/s', certificate: '/c', passwords: '/a' };
const configOf = (site: Partial<SiteRecord>): string =>
  siteConfig(
    { name: 'a.test', user: 'svc1', php: '82', domains: [], settings: null, rewrites: '', ...site } as SiteRecord,
    PLACES,
    readHosting(true, [])!,
  );
/** Its locations as they follow each other, each with what it is for; those that are no patterns as they are written. */
function order(config: string): string[] {
  const named = (head: string): string => {
    if (head.includes('well\\\\-known')) return 'hidden';
    if (head.includes('php\\\\w*')) return 'programs';
    return head.includes('php|phtml') ? 'php' : head;
  };
  return [...config.matchAll(/^location (.*?) \{/gm)].map(([, head]) => named(head!));
}

it('matches hidden files first, then PHP, then other scripts', () => {
  const first = ['^~ /.well-known/acme-challenge/', 'hidden', '@svc_challenge', '@svc_private'];
  expect(order(configOf({}))).toEqual([...first, 'php', 'programs', '/']);
  expect(order(configOf({ php: null }))).toEqual([...first, 'programs', '/']);
  // The same within those of the owner, which are looked at before ours.
  const rewrites = 'location ^~ /blog { try_files $uri /x.php; }';
  expect(order(configOf({ rewrites }))).toEqual([...first, '^~ "/blog"', 'hidden', 'php', 'programs', 'php', 'programs', '/']);
});

it('applies the rewrite rules of the owner to URLs that are not files', () => {
  const config = configOf({ rewrites: 'location / { try_files $uri /x.php; }' });
  expect(config).toContain('if (-e $request_filename) { return 403; }\ntry_files "$uri" "/x.php";\n}');
});

it('shows an error page unless the site has its own', () => {
  const errorPages = { '403': '/no.html', '404': '/gone.html', '503': null };
  const settings = {
    errorPages,
    redirects: [],
    passwords: [],
    hotlink: {},
    cache: [],
    compression: {},
  } as unknown as SiteRecord['settings'];
  expect(configOf({})).toContain('error_page 403 @svc_private;\nreturn 403;');
  expect(configOf({ settings })).not.toContain('error_page 403 @svc_private');
  // A location that names one has no others.
  const others = { ...settings!, errorPages: { ...errorPages, '403': null } };
  expect(configOf({ settings: others })).toContain('error_page 404 "/gone.html";\nerror_page 403 @svc_private;\nreturn 403;');
});

it('also denies them next to ACME challenges, even if other URLs redirect to HTTPS', () => {
  const certificate = { names: ['a.test'], sha256: '', forceHttps: true };
  const [plain] = configOf({ certificate }).split('listen 443');
  expect(plain).toMatch(/location @svc_challenge \{\nroot "\/w";\ndisable_symlinks [^;]+;\nerror_page 403 @svc_private;\nif \(\$uri ~ /);
  expect(plain).toContain('location @svc_private {');
});
