import { createHash } from 'node:crypto';

/**
 * Statements for MariaDB, from values of two kinds only: names that hold letters, digits and `_`, and hashes in hex. No text
 * of a task is ever part of one.
 */

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** `%`, and addresses with or without a mask. */
const HOST = /^(?:%|localhost|[0-9a-fA-F.:]{1,45}(?:\/[0-9.]{1,45})?)$/;

/** A name of a database or a user, in the quotes of names. @throws Error for anything that is none */
export function name(text: string): string {
  if (!NAME.test(text)) throw new Error('This is no name of a database.');
  return `\`${text}\``;
}

/** A user and where he comes from. */
export function user(text: string, host = 'localhost'): string {
  if (!HOST.test(host)) throw new Error('This is no address.');
  return `${name(text)}@'${host}'`;
}

/** A database where privileges are given: `_` would stand for any character there. */
export function grantedOn(text: string): string {
  return `${name(text).replaceAll('_', '\\_')}.*`;
}

/** A name as a value. */
export function value(text: string): string {
  return `'${name(text).slice(1, -1)}'`;
}

/** Hash by which `mysql_native_password` knows a password. */
export function nativeHash(password: string): string {
  const inner = createHash('sha1').update(password, 'utf8').digest();
  return `*${createHash('sha1').update(inner).digest('hex').toUpperCase()}`;
}

/** A user who gets in by a password; `invalid` until one is set. */
export function byPassword(hash = 'invalid'): string {
  if (!/^(?:invalid|\*[0-9A-F]{40})$/.test(hash)) throw new Error('This is no hash of a password.');
  return `IDENTIFIED VIA mysql_native_password USING '${hash}'`;
}
