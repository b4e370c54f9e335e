import { domainToASCII, domainToUnicode } from 'node:url';

import ipaddr from 'ipaddr.js';
import type { getPublicSuffix } from 'tldts';

import { whenUsed } from '../../common/index.js';

const suffixes = whenUsed<{ getPublicSuffix: typeof getPublicSuffix }>('tldts');

/** Why a name cannot be bound, whoever asks; each has a text `hosting.domain_<problem>`. */
export type DomainProblem = 'form' | 'port' | 'path' | 'wildcard' | 'address' | 'local' | 'suffix';

/** A name as it is kept and looked up. */
export interface DomainName {
  /** In lower case and punycode, without a dot at the end, such as `www.example.com` or `*.example.com`. */
  readonly name: string;
  /** The same without `*.`. */
  readonly base: string;
  readonly isWildcard: boolean;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether a text is one label of a domain in lower case and punycode. Two hyphens in the third and fourth place mean something only where
 * the encoding itself put them, and Node 24 passes on what only looks like it.
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

/**
 * Names that mean something only inside a machine or a network, or nothing anywhere (RFC 2606, 6761, 6762, 7686, 8375, ICANN's `internal`).
 */
const LOCAL = /^(?:.*\.)?(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa|onion|alt|test|example|invalid)$/;
/** Ports of the protocol itself, which say nothing. */
const USUAL_PORT = /:(?:80|443)$/;

/**
 * Reads a domain as people write it: in any case and script, with a dot at its end, as an address of a page
 * (`http://Example.com/`), with the usual port.
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
  rest = rest.replace(USUAL_PORT, '');
  if (/:\d+$/.test(rest)) return 'port';
  if (/[:@%\s]/.test(rest)) return 'form';
  const isWildcard = rest.startsWith('*.');
  if (isWildcard) rest = rest.slice(2);
  if (rest.includes('*')) return 'wildcard';
  const base = domainToASCII(rest).replace(/\.$/, '');
  const labels = base.split('.');
  if (base === '' || base.length + (isWildcard ? 2 : 0) > 253 || !labels.every(isLabel)) return 'form';
  // Whatever ends in a number is an address to browsers, in one of its many spellings (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return 'address';
  if (LOCAL.test(base)) return 'local';
  if (labels.length < 2 || isSuffix(base)) return 'suffix';
  return { name: isWildcard ? `*.${base}` : base, base, isWildcard };
}

/**
 * Whether everybody may have names below this one: `co.uk` belongs to nobody, and `github.io` to who gives names below it to others (the
 * private section of the list). Source: https://publicsuffix.org/list/
 */
function isSuffix(base: string): boolean {
  return suffixes().getPublicSuffix(base, { allowIcannDomains: true, allowPrivateDomains: true }) === base;
}

/** `www.example.com` as `com.example.www`. @param base without `*.` */
export function reversed(base: string): string {
  return base.split('.').reverse().join('.');
}

/** The names above one, nearest first, down to two labels: of `a.b.example.com` these are `b.example.com` and `example.com`. */
export function namesAbove(base: string): string[] {
  const labels = base.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** Whether visitors of one of the names could mean the other: they are the same, or the one is a wildcard that has the other below it. */
export function overlaps(one: DomainName, other: DomainName): boolean {
  if (one.name === other.name) return true;
  const covers = (wildcard: DomainName, name: DomainName): boolean =>
    wildcard.isWildcard && !name.isWildcard && name.base.slice(name.base.indexOf('.') + 1) === wildcard.base;
  return covers(one, other) || covers(other, one);
}

/** A name that was read before. @param name as {@link DomainName.name} */
export function storedDomain(name: string): DomainName {
  const isWildcard = name.startsWith('*.');
  return { name, base: isWildcard ? name.slice(2) : name, isWildcard };
}
