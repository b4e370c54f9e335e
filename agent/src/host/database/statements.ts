import { createHash } from 'node:crypto';

/**
 * Builds MariaDB statements from two kinds of values only: names of letters, digits and `_`, and hex hashes. No other text of a task ever
 * becomes part of a statement.
 */

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** `%`, and addresses with or without a mask. */
const HOST = /^(?:%|localhost|[0-9a-fA-F.:]{1,45}(?:\/[0-9.]{1,45})?)$/;

/** Quotes the name of a database or user. @throws Error for an invalid name */
export function name(text: string): string {
  if (!NAME.test(text)) throw new Error('This is not the name of a database.');
  return `\`${text}\``;
}

/** Formats an account: user and host. */
export function user(text: string, host = 'localhost'): string {
  if (!HOST.test(host)) throw new Error('This is not an IP address.');
  return `${name(text)}@'${host}'`;
}

/** Formats a database for GRANT, where `_` is a wildcard and must be escaped. */
export function grantedOn(text: string): string {
  return `${name(text).replaceAll('_', '\\_')}.*`;
}

/** Quotes a name as a string value. */
export function value(text: string): string {
  return `'${name(text).slice(1, -1)}'`;
}

/** Computes the hash of `mysql_native_password`. */
export function nativeHash(password: string): string {
  const inner = createHash('sha1').update(password, 'utf8').digest();
  return `*${createHash('sha1').update(inner).digest('hex').toUpperCase()}`;
}

/** Returns the clause for sign-in by password; `invalid` until one is set. */
export function byPassword(hash = 'invalid'): string {
  if (!/^(?:invalid|\*[0-9A-F]{40})$/.test(hash)) throw new Error('This is not a password hash.');
  return `IDENTIFIED VIA mysql_native_password USING '${hash}'`;
}
