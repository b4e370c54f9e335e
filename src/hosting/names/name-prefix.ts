import { domainToASCII } from 'node:url';

import { isLabel } from '../domains/index.js';

/** Maximum characters of a prefix as typed. */
const MAX_PREFIX = 24;
/** Prefixes reserved by default: names that programs trust without verification, or that look like the zone's own. */
export const DEFAULT_RESERVED =
  'www mail smtp pop pop3 imap ns ns1 ns2 ns3 ns4 dns ftp sftp webmail mx autoconfig autodiscover wpad isatap ' +
  'admin root panel api cdn _dmarc _domainkey';

/**
 * Parses the label before a zone, typed in any case and script.
 *
 * @returns one label in lower case and punycode; null if it is invalid
 * @example
 * ```ts
 * readPrefix('Bücher'); // 'xn--bcher-kva'
 * readPrefix('a.b'); // null
 * ```
 */
export function readPrefix(text: string): string | null {
  const typed = text.trim();
  if (typed === '' || Array.from(typed).length > MAX_PREFIX || /[.。．｡]/u.test(typed)) return null;
  const label = domainToASCII(typed);
  return isLabel(label) ? label : null;
}

/** Parses reserved prefixes separated by spaces, commas or lines; null if one is not a valid label. */
export function readReserved(text: string): string | null {
  const parts = text
    .toLowerCase()
    .split(/[\s,，、]+/)
    .filter((part) => part !== '');
  const labels = parts.map((part) => (/^_[a-z0-9-]{1,62}$/.test(part) ? part : readPrefix(part)));
  const joined = [...new Set(labels)].join(' ');
  return labels.includes(null) || joined.length > 1_000 ? null : joined;
}
