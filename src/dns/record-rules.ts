import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

import ipaddr from 'ipaddr.js';

import type { OwnType } from './entities/index.js';
import { authorityOf } from './record-values.js';

const LABEL = /^_?[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;
/** Maximum number of labels below a name. */
const MAX_LABELS = 5;
const MAX_NAME_LENGTH = 253;
/** Maximum length of a TXT value. */
export const MAX_TEXT_LENGTH = 1_000;
/** Maximum of priorities, weights and ports. */
const MAX_NUMBER = 65_535;
/** 128 (critical): a CA that does not know the tag must not issue. Source: RFC 8659, 4.1.1 */
const AUTHORITY_FLAGS = [0, 128];
const MAX_AUTHORITY_LENGTH = 255;

/**
 * Parses a record name as users enter it: the labels below the domain, `@` for the domain itself, or the full name.
 *
 * @returns the full name in lower case and punycode; null if invalid
 */
export function readRecordName(text: string, domain: string): string | null {
  const typed = text.trim().toLowerCase().replace(/\.$/, '');
  if (typed === '' || typed === '@' || typed === domain) return domain;
  const below = typed.endsWith(`.${domain}`) ? typed.slice(0, -domain.length - 1) : typed;
  const labels = below.split('.').map(readLabel);
  const isFine = labels.length <= MAX_LABELS && labels.every((label, at) => label !== null && (label !== '*' || at === 0));
  const name = `${labels.join('.')}.${domain}`;
  return isFine && name.length <= MAX_NAME_LENGTH ? name : null;
}

/** Parses a record value. @returns the value in the drivers' format; null if invalid */
export function readRecordValue(type: OwnType, text: string): string | null {
  const value = text.trim();
  switch (type) {
    case 'A':
      return isIPv4(value) ? value : null;
    case 'AAAA':
      return isIPv6(value) && !value.includes('%') ? ipaddr.parse(value).toString() : null;
    case 'CNAME':
      return readTarget(value);
    case 'MX':
      return readMail(value);
    case 'TXT': {
      const bare = value.replace(/^"([^"]*)"$/, '$1');
      return bare !== '' && bare.length <= MAX_TEXT_LENGTH && /^[\x20-\x7e]+$/.test(bare) ? bare : null;
    }
    case 'SRV':
      return readService(value);
    case 'CAA':
      return readAuthority(value);
  }
}

function readLabel(label: string): string | null {
  if (label === '*') return label;
  const ascii = /^[\x20-\x7e]*$/.test(label) ? label : domainToASCII(label);
  return LABEL.test(ascii) ? ascii : null;
}

/** Parses a target host name. */
function readTarget(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, '');
  if (isIPv4(host) || host.length > MAX_NAME_LENGTH) return null;
  const labels = host.split('.').map(readLabel);
  return labels.length > 1 && labels.every((label) => label !== null && label !== '*') ? labels.join('.') : null;
}

/** Parses `10 mail.example.com`; the priority defaults to 10. */
function readMail(text: string): string | null {
  const [first = '', second] = text.split(/\s+/);
  const [priority, host] = second === undefined ? ['10', first] : [first, second];
  const target = readTarget(host);
  return isNumber(priority) && target ? `${Number(priority)} ${target}` : null;
}

/** Parses `10 5 5060 sip.example.com`: priority, weight, port and host. Source: RFC 2782 */
function readService(text: string): string | null {
  const [host = '', ...numbers] = text.split(/\s+/).reverse();
  const target = readTarget(host);
  return numbers.length === 3 && numbers.every(isNumber) && target ? `${numbers.reverse().map(Number).join(' ')} ${target}` : null;
}

/** Parses `0 issue "letsencrypt.org"`: flags, tag, and a CA (`;` for none) or a report address. Source: RFC 8659, 4 */
function readAuthority(text: string): string | null {
  if (!/^\d{1,3}\s+\w+\s+(?:"[^"\\]*"|[^"\\]*)$/.test(text)) return null;
  const { flags, tag, value } = authorityOf(text);
  const isFine = AUTHORITY_FLAGS.includes(flags) && value.length <= MAX_AUTHORITY_LENGTH && /^[\x20-\x7e]+$/.test(value);
  return isFine && isAuthority(tag, value) ? `${flags} ${tag} "${value}"` : null;
}

function isAuthority(tag: string, value: string): boolean {
  if (tag === 'iodef') return /^(?:mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/.test(value);
  if (tag !== 'issue' && tag !== 'issuewild') return false;
  const authority = value.split(';', 1)[0]!.trim();
  return authority === '' ? value.includes(';') : readTarget(authority) !== null;
}

const isNumber = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= MAX_NUMBER;

/** Whether a name starts with a service and protocol, as `_sip._tcp`. Source: RFC 2782 */
export function isServiceName(name: string): boolean {
  const [service = '', protocol = ''] = name.split('.');
  return service.startsWith('_') && protocol.startsWith('_');
}
