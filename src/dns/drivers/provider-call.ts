import { domainToASCII } from 'node:url';

import { translate, type OutboundRequest } from '../../common/index.js';
import type { DriverField } from '../../hosting/index.js';
import { DnsProblem } from '../dns-problem.js';

import type { DnsCall } from './dns-driver.js';

/** A JSON response. */
export interface ProviderReply {
  readonly status: number;
  readonly body: unknown;
}

/** Timeout of a call in milliseconds. */
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** Maximum accepted Retry-After, in seconds. */
const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_ID_LENGTH = 255;

/**
 * Calls a provider. Redirects are not followed, because the credentials are for the configured address only.
 *
 * @returns the response with any status from 200 to 499 except 429
 * @throws DnsProblem internal, unreachable, busy, down, denied, unclear
 */
export async function askProvider({ http, signal }: DnsCall, request: OutboundRequest): Promise<ProviderReply> {
  signal.throwIfAborted();
  const answer = await http.request({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, maxRedirects: 0 });
  const { code: status, body, headers } = answer;
  if (status === 0) throw new DnsProblem(answer.failure === 'INTERNAL' ? 'internal' : 'unreachable');
  if (status === 429) throw new DnsProblem('busy', {}, restOf(headers['retry-after']));
  if (status >= 500) throw new DnsProblem('down', { status }, restOf(headers['retry-after']));
  if (status === 204 && body === '') return { status, body: {} };
  try {
    return { status, body: JSON.parse(body) as unknown };
  } catch {
    if (status === 401 || status === 403) throw new DnsProblem('denied', DnsProblem.reply(body || `HTTP ${status}`));
    throw new DnsProblem('unclear', { status });
  }
}

function restOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER_SECONDS) : null;
}

/** Returns a value as an object; an empty one for anything else. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Returns a text or number as text. @throws DnsProblem unclear for anything else */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new DnsProblem('unclear', { status: 200 });
}

/** Returns an id of a provider. @throws DnsProblem unclear unless it has 1 to {@link MAX_ID_LENGTH} characters */
export function idOf(value: unknown): string {
  const id = textOf(value);
  if (id === '' || id.length > MAX_ID_LENGTH) throw new DnsProblem('unclear', { status: 200 });
  return id;
}

/** Returns a list of objects. @throws DnsProblem unclear for anything else */
export function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) throw new DnsProblem('unclear', { status: 200 });
  return value.map(objectOf);
}

/** Normalizes a name: lower case, punycode, no trailing dot. */
export function plainName(name: unknown): string {
  const bare = textOf(name).toLowerCase().replace(/\.$/, '');
  return /^[\x20-\x7e]*$/.test(bare) ? bare : domainToASCII(bare);
}

/** Returns the labels of a name below the zone; `@` for the zone itself. */
export const labelsBelow = (name: string, zone: string): string => (name === zone ? '@' : name.slice(0, -zone.length - 1));

/** Inverse of {@link labelsBelow}. */
export const wholeName = (labels: string, zone: string): string => (labels === '@' || labels === '' ? zone : `${labels}.${zone}`);

/** Removes trailing slashes of an address. */
export const bare = (address: string): string => address.trim().replace(/\/+$/, '');

/** Declares a field of a built-in kind; its texts are `dns.field_<key>` and `dns.hint_<key>`. */
export function ownField(key: string, { isSecret = false, standard = '' } = {}): DriverField {
  return {
    key,
    type: isSecret ? 'password' : 'text',
    required: true,
    standard,
    options: [],
    placeholder: standard,
    label: (locale) => translate(locale, `dns.field_${key}`),
    hint: (locale) => (key === 'address' ? translate(locale, 'dns.hint_address') : ''),
  };
}
