import { Readable } from 'node:stream';

import type { DriverResult, RemoteSite } from '../host-driver.js';
import type { PortProblem } from '../ports/index.js';

/** Maximum length of a server's message. */
const MAX_MESSAGE = 500;
/** Maximum length of a name, a path or an id. */
const MAX_NAME = 4_096;

/** An invalid answer of a driver. The message is for the author of the plugin. */
export class DriverAnswerError extends Error {}

/**
 * Validates an answer and copies it, because the plugin's object may change later.
 *
 * @throws DriverAnswerError
 */
export type Read<Value> = (answered: unknown, name: string) => Value;

/** A text of at most `max` characters. */
export const text =
  (max = MAX_NAME): Read<string> =>
  (answered, name) =>
    typeof answered === 'string' && answered.length <= max ? answered : wrong(name, `must be a text of at most ${max} characters`);

/** A count, size or time: a whole number, not negative. */
export const count: Read<number> = (answered, name) =>
  typeof answered === 'number' && Number.isSafeInteger(answered) && answered >= 0
    ? answered
    : wrong(name, 'must be a whole number of at least 0');

/** A day, `YYYY-MM-DD`. */
export const day: Read<string> = (answered, name) =>
  typeof answered === 'string' && /^\d{4}-\d\d-\d\d$/.test(answered) ? answered : wrong(name, 'must be a date such as 2027-01-31');

/** A SHA-256 checksum. */
export const checksum: Read<string> = (answered, name) =>
  typeof answered === 'string' && /^[0-9a-f]{64}$/.test(answered) ? answered : wrong(name, 'must be 64 hex digits in lower case');

export const flag: Read<boolean> = (answered, name) => (typeof answered === 'boolean' ? answered : wrong(name, 'must be true or false'));

export const nothing: Read<undefined> = () => undefined;

export const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (answered, name) =>
    answered === null ? null : read(answered, name);

/** Reads an optional part of an answer. */
export const orElse =
  <Value>(read: Read<Value>, otherwise: Value): Read<Value> =>
  (answered, name) =>
    answered === undefined ? otherwise : read(answered, name);

/** A list of at most `max` items. */
export const list =
  <Value>(read: Read<Value>, max: number): Read<Value[]> =>
  (answered, name) => {
    if (!Array.isArray(answered)) return wrong(name, `must be a list of at most ${max}`);
    const { length } = answered;
    if (length > max) return wrong(name, `must be a list of at most ${max}`);
    return Array.from({ length }, (_, index) => read(answered[index], `${name}[${index}]`));
  };

/** A record with these fields. */
export const record =
  <Value extends object>(reads: { readonly [Key in keyof Value]: Read<Value[Key]> }): Read<Value> =>
  (answered, name) => {
    if (typeof answered !== 'object' || answered === null) return wrong(name, 'must be a record');
    const given = answered as Record<string, unknown>;
    const entries = (Object.entries(reads) as [string, Read<unknown>][]).map(([key, read]) => [key, read(given[key], `${name}.${key}`)]);
    return Object.fromEntries(entries) as Value;
  };

export const oneOf =
  <Value extends string>(...values: readonly Value[]): Read<Value> =>
  (answered, name) =>
    values.find((value) => value === answered) ?? wrong(name, `must be one of ${values.join(', ')}`);

/** At most `max` bytes. */
export const bytes =
  (max: number): Read<Buffer> =>
  (answered, name) =>
    Buffer.isBuffer(answered) && answered.length <= max ? answered : wrong(name, `must be a Buffer of at most ${max} bytes`);

export const stream: Read<Readable> = (answered, name) => (answered instanceof Readable ? answered : wrong(name, 'must be a Readable'));

/** A site on a server. */
export const remoteSite: Read<RemoteSite> = record<RemoteSite>({
  siteName: text(255),
  siteId: text(64),
  ownerMark: orNull(text(255)),
  username: text(255),
  running: flag,
  suspended: flag,
});

/**
 * Validates the answer of a driver.
 *
 * @param clean removes secrets from messages
 * @throws DriverAnswerError for an invalid outcome, or a success without its value
 */
export function resultOf<Value>(answered: unknown, read: Read<Value>, clean: (text: string) => string): DriverResult<Value> {
  if (typeof answered !== 'object' || answered === null) return wrong('The answer', 'must be a record with an outcome');
  const { outcome, value, message, problem } = answered as Record<string, unknown>;
  switch (outcome) {
    case 'ok':
    case 'already':
      return { outcome, value: read(value, 'value') };
    case 'not_found':
      return { outcome };
    case 'refused':
    case 'unreachable':
      return { outcome, message: messageLine(message, clean), ...(problem === undefined ? {} : { problem: problemOf(problem) }) };
    case 'unknown':
      return { outcome, message: messageLine(message, clean) };
    default:
      return wrong('outcome', 'must be one of ok, already, not_found, refused, unreachable, unknown');
  }
}

/** A server's message as a single line of limited length. */
function messageLine(message: unknown, clean: (text: string) => string): string {
  if (typeof message !== 'string') return '';
  return clean(message.slice(0, 4 * MAX_MESSAGE))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, MAX_MESSAGE);
}

function problemOf(given: unknown): PortProblem {
  const { code, params } = record<{ code: string; params: unknown }>({ code: text(64), params: (value) => value })(given, 'problem');
  if (typeof params !== 'object' || params === null) return { code };
  const entries = Object.entries(params)
    .filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number')
    .slice(0, 10)
    .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_MESSAGE) : value] as const);
  return { code, params: Object.fromEntries(entries) };
}

function wrong(name: string, rule: string): never {
  throw new DriverAnswerError(`${name} ${rule}.`);
}
