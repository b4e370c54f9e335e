import { Readable } from 'node:stream';

import type { DriverResult, RemoteSite } from '../host-driver.js';
import type { PortProblem } from '../ports/index.js';

/** Characters of what a server said that are kept. */
const MOST_SAID = 500;
/** Characters of a name, a path or an id. */
const MOST_NAMED = 4_096;

/** An answer of a driver that is none. The message is for the author of the plugin. */
export class DriverAnswerError extends Error {}

/**
 * Makes a value of what was answered. Nothing of the answer itself is kept: it may be another one the next time it is read.
 *
 * @throws DriverAnswerError
 */
export type Read<Value> = (answered: unknown, name: string) => Value;

/** A text of at most so many characters. */
export const text =
  (most = MOST_NAMED): Read<string> =>
  (answered, name) =>
    typeof answered === 'string' && answered.length <= most ? answered : wrong(name, `must be a text of at most ${most} characters`);

/** A count, a size or a time: whole, and not negative. */
export const count: Read<number> = (answered, name) =>
  typeof answered === 'number' && Number.isSafeInteger(answered) && answered >= 0
    ? answered
    : wrong(name, 'must be a whole number from 0 on');

/** A day, `YYYY-MM-DD`. */
export const day: Read<string> = (answered, name) =>
  typeof answered === 'string' && /^\d{4}-\d\d-\d\d$/.test(answered) ? answered : wrong(name, 'must be a day such as 2027-01-31');

/** A SHA-256 checksum. */
export const checksum: Read<string> = (answered, name) =>
  typeof answered === 'string' && /^[0-9a-f]{64}$/.test(answered) ? answered : wrong(name, 'must be 64 hex digits in lower case');

export const flag: Read<boolean> = (answered, name) => (typeof answered === 'boolean' ? answered : wrong(name, 'must be true or false'));

export const nothing: Read<undefined> = () => undefined;

export const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (answered, name) =>
    answered === null ? null : read(answered, name);

/** Reads a part of an answer that may be left out. */
export const orElse =
  <Value>(read: Read<Value>, otherwise: Value): Read<Value> =>
  (answered, name) =>
    answered === undefined ? otherwise : read(answered, name);

/** At most so many. */
export const list =
  <Value>(read: Read<Value>, most: number): Read<Value[]> =>
  (answered, name) => {
    if (!Array.isArray(answered)) return wrong(name, `must be a list of at most ${most}`);
    const { length } = answered;
    if (length > most) return wrong(name, `must be a list of at most ${most}`);
    return Array.from({ length }, (_, index) => read(answered[index], `${name}[${index}]`));
  };

/** A record of these. */
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

/** At most so many bytes. */
export const bytes =
  (most: number): Read<Buffer> =>
  (answered, name) =>
    Buffer.isBuffer(answered) && answered.length <= most ? answered : wrong(name, `must be a Buffer of at most ${most} bytes`);

export const stream: Read<Readable> = (answered, name) => (answered instanceof Readable ? answered : wrong(name, 'must be a Readable'));

/** A site a server has. */
export const remoteSite: Read<RemoteSite> = record<RemoteSite>({
  siteName: text(255),
  siteId: text(64),
  ownerMark: orNull(text(255)),
  username: text(255),
  running: flag,
  suspended: flag,
});

/**
 * What a driver answered, as the panel goes on with it.
 *
 * @param clean takes secrets out of what people are told
 * @throws DriverAnswerError for what is no outcome, or a success without its value
 */
export function resultOf<Value>(answered: unknown, read: Read<Value>, clean: (said: string) => string): DriverResult<Value> {
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
      return { outcome, message: said(message, clean), ...(problem === undefined ? {} : { problem: problemOf(problem) }) };
    case 'unknown':
      return { outcome, message: said(message, clean) };
    default:
      return wrong('outcome', 'must be one of ok, already, not_found, refused, unreachable, unknown');
  }
}

/** What a server said, on one line and not too long. */
function said(message: unknown, clean: (said: string) => string): string {
  if (typeof message !== 'string') return '';
  return clean(message.slice(0, 4 * MOST_SAID))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, MOST_SAID);
}

function problemOf(given: unknown): PortProblem {
  const { code, params } = record<{ code: string; params: unknown }>({ code: text(64), params: (value) => value })(given, 'problem');
  if (typeof params !== 'object' || params === null) return { code };
  const entries = Object.entries(params)
    .filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number')
    .slice(0, 10)
    .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MOST_SAID) : value] as const);
  return { code, params: Object.fromEntries(entries) };
}

function wrong(name: string, rule: string): never {
  throw new DriverAnswerError(`${name} ${rule}.`);
}
