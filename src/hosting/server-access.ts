import { localeOf, sayWords, type TextRef, type Words } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

/**
 * What keeps the panel from working on a server at all, which only whoever runs that can mend. The words name addresses, keys and
 * settings of it, and a customer of his can do nothing with them.
 */
const SHUT: ReadonlySet<string> = new Set([
  'hosting.panel_address',
  'hosting.panel_key_wrong',
  'hosting.panel_ip',
  'hosting.panel_banned',
  'hosting.panel_api_off',
  'hosting.certificate_unknown',
  'hosting.certificate_changed',
  'hosting.agent_scan_only',
]);
const REFUSED: ReadonlySet<string> = new Set(['hosting.node_refused', 'hosting.creation_refused']);

/** Tells whether a message says that a server refused the panel, so that nothing was done there. */
export function isServerShut(words: Words): boolean {
  if (typeof words === 'string' || !REFUSED.has(words.key)) return false;
  const { text } = words.params ?? {};
  return isText(text) && SHUT.has(text.key);
}

/** Somebody who reads words of a server. */
export interface ServerReader {
  readonly locale: string;
  readonly scope: Scope | 'public';
}

/** Message of a server for its reader: administrators get all of it, customers no more than they are to know of a server. */
export function sayOfServer({ locale, scope }: ServerReader, words: Words): string {
  return sayWords(localeOf(locale), scope === 'admin' ? words : wordsForCustomer(words));
}

/** The same words; where a server is shut or the panel's disk full, on their own or inside of others, without what its owner is told. */
export function wordsForCustomer(words: Words): Words {
  if (typeof words === 'string') return words;
  if (words.key === 'hosting.panel_disk') return { key: 'hosting.panel_full', params: {} };
  if (isServerShut(words)) return { key: 'hosting.node_shut', params: {} };
  const params = Object.entries(words.params ?? {}).map(([name, value]) => [name, isText(value) ? wordsForCustomer(value) : value]);
  return { ...words, params: Object.fromEntries(params) as TextRef['params'] };
}

const isText = (value: unknown): value is TextRef => typeof value === 'object' && value !== null && 'key' in value;
