import { isIP } from 'node:net';

import { ProgramError } from './program-errors.js';

/** How the wire says that nobody but the server itself gets in. */
export const LOCAL = '127.0.0.1';
const ANYWHERE = '%';
const MOST = 20;

/**
 * Addresses a database is to let in, as people and older programs write them: with commas, spaces or lines between, `127.0.0.1`
 * for none and `%` for anywhere.
 *
 * @throws ProgramError DATABASE_ACCESS
 */
export function readAddresses(text: string): string[] {
  const given = [...new Set(text.split(/[\s,]+/).filter((part) => part !== '' && part !== LOCAL && part !== 'localhost'))];
  const isRight = given.length <= MOST && (given.every((part) => isIP(part) !== 0) || (given.length === 1 && given[0] === ANYWHERE));
  if (!isRight) throw new ProgramError('DATABASE_ACCESS', {}, { dataAccess: 'siteprograms.addresses' });
  return given;
}
