import path from 'node:path';

import type { HostingConfig } from '../../config/hosting-config.js';
import { HostRefusal } from '../refusal.js';
import { isServed, type SiteRecord } from '../records/site-record.js';
import { accessMaps, accessRules } from './access-rules.js';
import { errorPages, hiddenFiles, privateConditions, privatePage, programs, programsBehind } from './private-files.js';
import { plain, quoted } from './quote.js';
import { redirectRules } from './redirects.js';
import { readRewrites, STAYS_INSIDE } from './rewrites.js';
import type { SitePaths } from './site-paths.js';

const PAUSED = '<!doctype html><meta charset="utf-8"><title>503</title><h1>503</h1><p>This site is not available at the moment.</p>';

/**
 * Builds the virtual hosts of a site from its record. All values are quoted and cannot become directives.
 *
 * @throws HostRefusal `CONFIG`
 */
export function siteConfig(site: SiteRecord, paths: SitePaths, config: HostingConfig): string {
  const byFolder = new Map<string, string[]>([['', [site.name]]]);
  for (const { name, folder } of site.domains) byFolder.set(folder, [...(byFolder.get(folder) ?? []), name]);
  const hosts = [...byFolder].map(([folder, names]) => virtualHost(site, paths, config, folder, [...new Set(names)]));
  return [`# ${site.user}: written by svc-agent, again with every change.`, ...accessMaps(site), ...hosts.flat(), ''].join('\n');
}

function virtualHost(site: SiteRecord, paths: SitePaths, config: HostingConfig, folder: string, names: string[]): string[] {
  const { certificate } = site;
  const secured = certificate ? names.filter((name) => certificate.names.some((one) => covers(one, name))) : [];
  const open = certificate?.forceHttps ? names.filter((name) => !secured.includes(name)) : names;
  const common = ['server {', ...listening(config.httpPort, '')];
  const root = rootOf(site, paths, folder);
  const body = [...logs(paths), ...proofs(paths), ...(isServed(site) ? served(site, paths, root) : paused())];
  const host = (head: string[], named: string[], rest: string[]): string[] =>
    named.length === 0 ? [] : [...head, `server_name ${named.map(plain).join(' ')};`, ...rest, '}'];
  const tls = ['server {', ...listening(config.httpsPort, ' ssl http2'), ...secrets(paths)];
  const onward = config.httpsPort === 443 ? '' : `:${config.httpsPort}`;
  const forced = [
    ...logs(paths),
    ...proofs(paths),
    ...proofOfSite(site, paths, root),
    ...privatePage(),
    `location / { return 301 https://$host${onward}$request_uri; }`,
  ];
  return [...host(common, open, body), ...(certificate?.forceHttps ? host(common, secured, forced) : []), ...host(tls, secured, body)];
}

/** Whether a certificate name covers a host name. */
function covers(certified: string, name: string): boolean {
  return (
    certified === name || (certified.startsWith('*.') && name.includes('.') && certified.slice(2) === name.slice(name.indexOf('.') + 1))
  );
}

const listening = (port: number, how: string): string[] => [`listen ${port}${how};`, `listen [::]:${port}${how};`];

const secrets = ({ certificate }: SitePaths): string[] => [
  `ssl_certificate ${certificate}/chain.pem;`,
  `ssl_certificate_key ${certificate}/key.pem;`,
  'ssl_protocols TLSv1.2 TLSv1.3;',
  'ssl_session_cache shared:svc_tls:10m;',
  'ssl_session_tickets off;',
];

const logs = ({ logs: folder }: SitePaths): string[] => [`access_log ${folder}/access.log combined;`, `error_log ${folder}/error.log;`];

/** ACME challenges are answered regardless of access rules. */
const proofs = ({ proofs: folder }: SitePaths): string[] => [
  'location ^~ /.well-known/acme-challenge/ {',
  'auth_basic off;',
  'default_type application/octet-stream;',
  `root ${folder};`,
  // A missing challenge file may exist among the site's own files.
  'try_files $uri @svc_challenge;',
  '}',
];

const paused = (): string[] => [
  'location @svc_challenge { return 404; }',
  'location / {',
  'default_type text/html;',
  'add_header Cache-Control no-store always;',
  `return 503 ${quoted(PAUSED)};`,
  '}',
];

/** Returns the document root of a domain. */
function rootOf({ settings }: SiteRecord, { web }: SitePaths, folder: string): string {
  const root = path.posix.join(web, folder === '' ? (settings?.runFolder ?? '') : folder);
  if (!`${root}/`.startsWith(`${web}/`)) throw new HostRefusal('CONFIG', 'A folder of a domain is outside the site.');
  return root;
}

/** Serves challenge files the owner has placed in the site. */
const proofOfSite = (site: SiteRecord, paths: SitePaths, root: string): string[] => [
  'location @svc_challenge {',
  `root ${quoted(root)};`,
  ownLinks(paths),
  ...privateConditions(site),
  'try_files $uri =404;',
  '}',
];

/** Symbolic links are followed only to files of the site's own user. */
const ownLinks = ({ web }: SitePaths): string => `disable_symlinks if_not_owner from=${web};`;

function served(site: SiteRecord, paths: SitePaths, root: string): string[] {
  const { php } = site;
  const phpBlock = phpLocation(php, paths);
  const hidden = hiddenFiles(site);
  const rewrites = readRewrites(site.rewrites, (rules) => [...hidden, ...phpBlock, ...programsBehind(rules, site)]);
  return [
    `root ${quoted(root)};`,
    ownLinks(paths),
    'client_max_body_size 512m;',
    `index ${indexes(site).map(quoted).join(' ')};`,
    ...errorPages(site),
    ...compression(site),
    ...accessRules(site, paths),
    ...redirectRules(site),
    ...hidden,
    ...proofOfSite(site, paths, root),
    ...privatePage(),
    ...rewrites.lines,
    STAYS_INSIDE,
    ...phpBlock,
    ...programs(site),
    ...(rewrites.hasRoot ? [] : ['location / {', STAYS_INSIDE, 'try_files $uri $uri/ =404;', '}']),
  ];
}

/** Prefers `index.php` over the welcome page, unless the owner has set the order. */
function indexes({ settings, php }: SiteRecord): string[] {
  const named = settings?.indexes ?? ['index.html', 'index.htm'];
  return php === null || named.includes('index.php') ? [...named] : ['index.php', ...named];
}

function compression({ settings }: SiteRecord): string[] {
  if (!settings) return [];
  const { enabled, level, minBytes, types } = settings.compression;
  if (!enabled) return ['gzip off;'];
  // nginx always compresses text/html and warns if it is listed.
  const others = types.filter((type) => type !== 'text/html');
  const named = others.length === 0 ? [] : [`gzip_types ${others.map(plain).join(' ')};`];
  return ['gzip on;', `gzip_comp_level ${level};`, `gzip_min_length ${minBytes};`, ...named, 'gzip_vary on;'];
}

/** Passes PHP files to the site's PHP, if it has one. */
function phpLocation(php: string | null, { socket }: SitePaths): string[] {
  if (php === null) return [];
  return [
    'location ~* "\\\\.(?:php|phtml|phar)(?:/|$)" {',
    STAYS_INSIDE,
    'fastcgi_split_path_info "^(.+?\\\\.php)(/.*)$";',
    'set $svc_path_info $fastcgi_path_info;',
    'try_files $fastcgi_script_name =404;',
    'include /etc/nginx/fastcgi_params;',
    'fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;',
    'fastcgi_param PATH_INFO $svc_path_info;',
    // https://httpoxy.org
    'fastcgi_param HTTP_PROXY "";',
    'fastcgi_index index.php;',
    'fastcgi_read_timeout 300s;',
    `fastcgi_pass unix:${socket};`,
    '}',
  ];
}
