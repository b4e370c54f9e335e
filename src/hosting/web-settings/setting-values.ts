import type { CacheRule, SiteRedirect } from '../driver/index.js';
import { isPrivate, secondsOf } from '../sites/index.js';

import { refuse } from './setting-errors.js';

/** Maximum entries of a list in a site's settings. */
export const MAX_ENTRIES = 100;

const FILE_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]{0,99}$/u;
const PHP_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*\.php$/i;
const PATH = /^\/[^\\\p{Cc}?#]{0,499}$/u;
const SUFFIXES = /^[A-Za-z0-9_,|-]+$/;
const TIME = /^\d{1,6}[smhdMy]$/;
const TYPE = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
/** Browsers do not cache longer. */
const MAX_SECONDS = 10 * 365 * 86_400;

const listOf = (text: string, separator = /[,\s]+/): string[] => [...new Set(text.split(separator).filter((part) => part !== ''))];

/**
 * Parses index file names, separated by commas.
 *
 * @param runsPhp whether the server runs PHP: otherwise PHP files are never served
 * @throws WebSettingError INDEX, PROGRAM, TOO_MANY
 */
export function readIndexes(text: string, runsPhp: boolean): string[] {
  const names = listOf(text, /[,\n]+/).map((name) => name.trim());
  if (names.length === 0) refuse('INDEX', 'ml', { name: text.slice(0, 100) });
  if (names.length > 20) refuse('TOO_MANY', 'ml', { n: 20 });
  for (const name of names) {
    if (!FILE_NAME.test(name)) refuse('INDEX', 'ml', { name: name.slice(0, 100) });
    if (isPrivate(name) && !(runsPhp && PHP_NAME.test(name))) refuse('PROGRAM', 'ml', { name });
  }
  return names;
}

/** Parses a folder below the web root; empty for the web root. @throws WebSettingError FOLDER */
export function readFolder(text: string, field: string): string {
  const parts = text.split('/').filter((part) => part !== '');
  const folder = parts.join('/');
  if (folder.length > 255 || isPrivate(folder) || !parts.every((part) => FILE_NAME.test(part)))
    refuse('FOLDER', field, { folder: text.slice(0, 100) });
  return folder;
}

/** @throws WebSettingError FROM, TO */
export function readRedirect(from: string, to: string): Pick<SiteRedirect, 'from' | 'to'> {
  const path = from.trim().replace(/\/{2,}/g, '/');
  if (!PATH.test(path) || path.slice(0, -1).includes('*') || (path.endsWith('*') && !path.endsWith('/*')))
    refuse('FROM', 'ly', { path: from.slice(0, 100) });
  const target = to.trim();
  const isOwn = /^\/(?![/\\])/.test(target) && !/[\p{Cc}\\]/u.test(target) && target.length <= 500;
  const isElsewhere = /^https?:\/\/[^\s\p{Cc}]{1,490}$/iu.test(target) && URL.canParse(target) && new URL(target).username === '';
  if (!isOwn && !isElsewhere) refuse('TO', 'mb', { to: to.slice(0, 100) });
  return { from: path, to: target };
}

/** Parses suffixes separated by commas or `|`, into lower case without dots. @throws WebSettingError SUFFIX_EMPTY, SUFFIX */
export function readSuffixes(text: string, field: string): string[] {
  const given = text.trim().replace(/(^|[,|])\s*\./g, '$1');
  if (given === '') refuse('SUFFIX_EMPTY', field);
  if (!SUFFIXES.test(given) || given.length > 250) refuse('SUFFIX', field);
  const suffixes = listOf(given.toLowerCase(), /[,|]+/);
  return suffixes.length > 0 ? suffixes : refuse('SUFFIX', field);
}

/** @throws WebSettingError SUFFIX_EMPTY, SUFFIX, TIME */
export function readCacheRule(suffix: string, time: string): CacheRule {
  const suffixes = readSuffixes(suffix, 'suffix');
  if (!TIME.test(time) || secondsOf(time) > MAX_SECONDS) refuse('TIME', 'time_out');
  return { suffix: suffixes.join(','), time };
}

/** Parses host names separated by commas or lines. @throws WebSettingError DOMAIN, TOO_MANY */
export function readHosts(text: string): string[] {
  const hosts = listOf(text.toLowerCase());
  if (hosts.length > MAX_ENTRIES) refuse('TOO_MANY', 'domains', { n: MAX_ENTRIES });
  for (const host of hosts) if (host.length > 253 || !HOST.test(host)) refuse('DOMAIN', 'domains', { domain: host.slice(0, 100) });
  return hosts;
}

/** Parses media types separated by commas or blanks. @throws WebSettingError TYPE, TOO_MANY */
export function readTypes(text: string): string[] {
  const types = listOf(text.toLowerCase());
  if (types.length > 50) refuse('TOO_MANY', 'types', { n: 50 });
  for (const type of types) if (!TYPE.test(type)) refuse('TYPE', 'types', { type: type.slice(0, 100) });
  return types;
}

/** Parses `1k`, `512`, `1m` into bytes. @throws WebSettingError SIZE */
export function readBytes(text: string): number {
  const [, number, unit] = /^(\d{1,7})\s*([km]?)b?$/i.exec(text.trim()) ?? [];
  const bytes = number === undefined ? NaN : Number(number) * (unit?.toLowerCase() === 'm' ? 1_048_576 : unit ? 1_024 : 1);
  return Number.isFinite(bytes) && bytes <= 104_857_600 ? bytes : refuse('SIZE', 'min_len');
}

/** Formats bytes in the syntax of {@link readBytes}. */
export const shownBytes = (bytes: number): string => (bytes > 0 && bytes % 1_024 === 0 ? `${bytes / 1_024}k` : String(bytes));

/** Parses the path of a page of the site, from the web root; empty: none. @throws WebSettingError PAGE */
export function readPage(text: string, field: string): string {
  const path = text.trim().replace(/\/{2,}/g, '/');
  if (path === '') return '';
  const isPage =
    PATH.test(path) && /\.html?$/i.test(path) && !isPrivate(path) && !path.split('/').some((part) => part === '.' || part === '..');
  return isPage ? path : refuse('PAGE', field, { path: text.slice(0, 100) });
}
