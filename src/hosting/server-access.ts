import { localeOf, sayWords, type TextRef, type Words } from '../common/index.js';
import type { Scope } from '../sdk/index.js';

/**
 * Errors that prevent the panel from accessing a server at all, and that only its administrator can fix. Their texts contain addresses,
 * keys and settings of the server, which are of no use to a customer.
 */
const ACCESS_DENIED: ReadonlySet<string> = new Set([
  'hosting.panel_address',
  'hosting.panel_key_wrong',
  'hosting.panel_ip',
  'hosting.panel_banned',
  'hosting.panel_api_off',
  'hosting.certificate_unknown',
  'hosting.certificate_changed',
  'hosting.agent_scan_only',
]);
const REJECTED: ReadonlySet<string> = new Set(['hosting.node_refused', 'hosting.creation_refused']);

/** Returns whether a message means that a server denied the panel access, so that nothing was done there. */
export function isServerShut(words: Words): boolean {
  if (typeof words === 'string' || !REJECTED.has(words.key)) return false;
  const { text } = words.params ?? {};
  return isText(text) && ACCESS_DENIED.has(text.key);
}

/** Reader of a server's message. */
export interface ServerReader {
  readonly locale: string;
  readonly scope: Scope | 'public';
}

/** Formats a server's message for its reader: administrators see all of it, customers only what they may know about a server. */
export function sayOfServer({ locale, scope }: ServerReader, words: Words): string {
  return sayWords(localeOf(locale), scope === 'admin' ? words : wordsForCustomer(words));
}

/** Replaces messages about denied access or a full panel disk, also nested ones, by texts without internal details. */
export function wordsForCustomer(words: Words): Words {
  if (typeof words === 'string') return words;
  if (words.key === 'hosting.panel_disk') return { key: 'hosting.panel_full', params: {} };
  if (isServerShut(words)) return { key: 'hosting.node_shut', params: {} };
  const params = Object.entries(words.params ?? {}).map(([name, value]) => [name, isText(value) ? wordsForCustomer(value) : value]);
  return { ...words, params: Object.fromEntries(params) as TextRef['params'] };
}

const isText = (value: unknown): value is TextRef => typeof value === 'object' && value !== null && 'key' in value;
