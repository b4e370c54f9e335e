import { domainToASCII, domainToUnicode } from 'node:url';

import ipaddr from 'ipaddr.js';
import type { getPublicSuffix } from 'tldts';

import { whenUsed } from '../../common/index.js';

const suffixes = whenUsed<{ getPublicSuffix: typeof getPublicSuffix }>('tldts');

/** Why a name cannot be bound by anyone; each has a text `hosting.domain_<problem>`. */
export type DomainProblem = 'form' | 'port' | 'path' | 'wildcard' | 'address' | 'local' | 'suffix';

/** A normalized domain name. */
export interface DomainName {
  /** In lower case and punycode, without a trailing dot, such as `www.example.com` or `*.example.com`. */
  readonly name: string;
  /** The name without `*.`. */
  readonly base: string;
  readonly isWildcard: boolean;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns whether a text is one label of a domain in lower case and punycode. Hyphens in the third and fourth place are valid only in real
 * punycode, and Node 24 lets through invalid labels that look like it.
 *
 * @example
 * ```ts
 * isLabel('xn--bcher-kva'); // true: bücher
 * isLabel('xn--a'); // false
 * ```
 */
export function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false;
  if (!label.startsWith('--', 2)) return true;
  const shown = domainToUnicode(label);
  return label.startsWith('xn--') && shown !== label && domainToASCII(shown) === label;
}

/** Names that are valid only within a machine or network, or nowhere (RFC 2606, 6761, 6762, 7686, 8375, ICANN's `internal`). */
const LOCAL = /^(?:.*\.)?(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa|onion|alt|test|example|invalid)$/;
/** Default ports of HTTP and HTTPS, which are ignored. */
const DEFAULT_PORT = /:(?:80|443)$/;

/**
 * Parses a domain as people write it: in any case and script, with a trailing dot, as a URL (`http://Example.com/`), or with a default
 * port.
 *
 * @returns the name, or why it cannot be bound
 * @example
 * ```ts
 * readDomain('HTTP://Bücher.Example.com.:80/'); // { name: 'xn--bcher-kva.example.com', … }
 * readDomain('10.0.0.1'); // 'address'
 * ```
 */
export function readDomain(text: string): DomainName | DomainProblem {
  let rest = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  if (/[/?#\\]/.test(rest)) return 'path';
  if (/^\[.*\](?::\d*)?$/.test(rest) || ipaddr.isValid(rest)) return 'address';
  rest = rest.replace(DEFAULT_PORT, '');
  if (/:\d+$/.test(rest)) return 'port';
  if (/[:@%\s]/.test(rest)) return 'form';
  const isWildcard = rest.startsWith('*.');
  if (isWildcard) rest = rest.slice(2);
  if (rest.includes('*')) return 'wildcard';
  const base = domainToASCII(rest).replace(/\.$/, '');
  const labels = base.split('.');
  if (base === '' || base.length + (isWildcard ? 2 : 0) > 253 || !labels.every(isLabel)) return 'form';
  // Browsers parse any host that ends in a number as an IPv4 address (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return 'address';
  if (LOCAL.test(base)) return 'local';
  if (labels.length < 2 || isSuffix(base)) return 'suffix';
  return { name: isWildcard ? `*.${base}` : base, base, isWildcard };
}

/**
 * Returns whether a name is a public suffix, below which anyone can get names: `co.uk`, or `github.io` from the private section of the
 * list. Source: https://publicsuffix.org/list/
 */
function isSuffix(base: string): boolean {
  return suffixes().getPublicSuffix(base, { allowIcannDomains: true, allowPrivateDomains: true }) === base;
}

/** `www.example.com` as `com.example.www`. @param base without `*.` */
export function reversed(base: string): string {
  return base.split('.').reverse().join('.');
}

/** Returns the parent names, nearest first, down to two labels: for `a.b.example.com` these are `b.example.com` and `example.com`. */
export function namesAbove(base: string): string[] {
  const labels = base.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** Returns whether a host name could match both: they are equal, or one is a wildcard that covers the other. */
export function overlaps(one: DomainName, other: DomainName): boolean {
  if (one.name === other.name) return true;
  const covers = (wildcard: DomainName, name: DomainName): boolean =>
    wildcard.isWildcard && !name.isWildcard && name.base.slice(name.base.indexOf('.') + 1) === wildcard.base;
  return covers(one, other) || covers(other, one);
}

/** Wraps a name that was parsed before. @param name as {@link DomainName.name} */
export function storedDomain(name: string): DomainName {
  const isWildcard = name.startsWith('*.');
  return { name, base: isWildcard ? name.slice(2) : name, isWildcard };
}
