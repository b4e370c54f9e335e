import { createHash } from 'node:crypto';

import type { SiteRecord } from '../records/site-record.js';
import { literal, pattern, plain, quoted } from './quote.js';
import type { SitePaths } from './site-paths.js';

/** scrypt with N = 2^14, r = 8, p = 1, as crypt(5) writes it. */
const SCRYPT = '$7$C6..../....';
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the name of an nginx variable used by this site only. */
const variable = ({ user }: SiteRecord, name: string): string => `$${user}_${name}`;

/** Returns the `map` blocks in front of the virtual hosts: folder passwords, hotlink protection and cache times depend on the path. */
export function accessMaps(site: SiteRecord): string[] {
  const { settings } = site;
  if (!settings) return [];
  return [...passwordMaps(site), ...hotlinkMaps(site), ...cacheMap(site)];
}

/** Returns the directives of the virtual hosts that use the maps. */
export function accessRules(site: SiteRecord, paths: SitePaths): string[] {
  const { settings } = site;
  if (!settings) return [];
  return [
    ...(settings.passwords.length > 0
      ? [`auth_basic ${variable(site, 'realm')};`, `auth_basic_user_file ${paths.passwords}/${variable(site, 'users')};`]
      : []),
    ...(settings.hotlink.enabled
      ? [
          `set $svc_hotlink "${variable(site, 'file')}${variable(site, 'stranger')}";`,
          `if ($svc_hotlink = "11") { return ${settings.hotlink.status}; }`,
        ]
      : []),
    ...(settings.cache.length > 0 ? [`expires ${variable(site, 'expires')};`] : []),
  ];
}

/** Returns the password files of a site by name, with one line per user of a folder. */
export function passwordFiles({ settings }: SiteRecord): Map<string, string> {
  const files = new Map<string, string>();
  for (const { folder, user, hash } of settings?.passwords ?? []) {
    const name = fileOf(folder);
    files.set(name, `${files.get(name) ?? ''}${user}:${asCrypt(hash)}\n`);
  }
  return files;
}

/** Converts the panel's password hash `scrypt$<salt>$<key>` to crypt(3) format; an unreadable hash becomes one that never matches. */
export function asCrypt(hash: string): string {
  const [kind, salt = '', key = ''] = hash.split('$');
  const text = Buffer.from(salt, 'base64url').toString('latin1');
  if (kind !== 'scrypt' || !/^[./0-9A-Za-z]{1,43}$/.test(text)) return '*';
  return `${SCRYPT}${text}$${encoded(Buffer.from(key, 'base64url'))}`;
}

/** Encodes with the base 64 of crypt(3): three bytes at a time, lowest bits first. */
function encoded(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const part = bytes.subarray(at, at + 3);
    let value = part.reduce((sum, byte, index) => sum + byte * 2 ** (8 * index), 0);
    for (let count = 0; count <= part.length; count++, value >>>= 6) text += ALPHABET[value & 63];
  }
  return text;
}

const fileOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16);

function passwordMaps(site: SiteRecord): string[] {
  const { passwords } = site.settings!;
  if (passwords.length === 0) return [];
  // Longest folder first, because the first matching pattern wins.
  const folders = [...new Set(passwords.map(({ folder }) => folder))].sort((a, b) => b.length - a.length);
  const rows = folders.map((folder) => {
    const rule = passwords.find((one) => one.folder === folder)!;
    return {
      pattern: pattern(folder === '' ? '~^/' : `~^/+${literal(folder)}(?:/|$)`),
      realm: quoted(rule.name || 'site'),
      file: fileOf(folder),
    };
  });
  return [
    `map $uri ${variable(site, 'realm')} {`,
    'default off;',
    ...rows.map((row) => `${row.pattern} ${row.realm};`),
    '}',
    `map $uri ${variable(site, 'users')} {`,
    'default none;',
    ...rows.map((row) => `${row.pattern} ${row.file};`),
    '}',
  ];
}

function hotlinkMaps(site: SiteRecord): string[] {
  const { enabled, suffixes, domains, allowEmpty } = site.settings!.hotlink;
  if (!enabled || suffixes.length === 0)
    return enabled ? [`map $uri ${variable(site, 'file')} { default 0; }`, `map $uri ${variable(site, 'stranger')} { default 0; }`] : [];
  const hosts = [...new Set([site.name, ...site.domains.map(({ name }) => name), ...domains])].map((name) =>
    name.startsWith('*.') ? `(?:[^/]+\\.)?${literal(name.slice(2))}` : literal(name),
  );
  return [
    `map $uri ${variable(site, 'file')} {`,
    'default 0;',
    `${pattern(`~*\\.(?:${suffixes.map(literal).join('|')})$`)} 1;`,
    '}',
    `map $http_referer ${variable(site, 'stranger')} {`,
    'default 1;',
    `"" ${allowEmpty ? 0 : 1};`,
    ...hosts.map((host) => `${pattern(`~*^https?://${host}(?::\\d+)?(?:/|$)`)} 0;`),
    '}',
  ];
}

function cacheMap(site: SiteRecord): string[] {
  const { cache } = site.settings!;
  if (cache.length === 0) return [];
  const rows = cache.map(({ suffix, time }) => `${pattern(`~*\\.(?:${suffix.split(',').map(literal).join('|')})$`)} ${plain(time)};`);
  return [`map $uri ${variable(site, 'expires')} {`, 'default off;', ...rows, '}'];
}
