import type { FormValues } from '../../http/index.js';
import { invalidAddresses, type PortProblem } from '../driver/index.js';

import { ProgramError, programError } from './program-errors.js';

/** How the wire says that nobody but the server itself gets in. */
export const LOCAL = '127.0.0.1';
const MOST = 20;
/** Characters of what is no address that are told. */
const TOLD = 200;

/**
 * Addresses a database is to let in, as people and older programs write them: with commas, spaces or lines between, `127.0.0.1`
 * for none and `%` for anywhere.
 *
 * @throws ProgramError DATABASE_ACCESS, which names what is none; ADDRESSES_MANY
 */
export function readAddresses(text: string): string[] {
  const given = [...new Set(text.split(/[\s,]+/).filter((part) => part !== '' && part !== LOCAL && part !== 'localhost'))];
  const wrong = invalidAddresses(given);
  if (wrong.length > 0) refuse('DATABASE_ACCESS', { addresses: told(wrong) });
  if (given.length > MOST) refuse('ADDRESSES_MANY', { n: given.length, most: MOST });
  return given;
}

/** What a server says to these addresses, for people. One that does not say which it does not take means all of them. */
export function addressesError(addresses: readonly string[]): (problem: PortProblem) => Error {
  return (problem) => programError({ ...problem, params: { addresses: told(addresses), ...problem.params } });
}

/** What the form of the addresses shows, by the names of its fields. */
export const addressesForm = (addresses: readonly string[]): FormValues => ({ dataAccess: addresses.join('\n') });

function told(addresses: readonly string[]): string {
  const text = addresses.join(', ');
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text;
}

function refuse(code: 'DATABASE_ACCESS' | 'ADDRESSES_MANY', params: Record<string, string | number>): never {
  const { shape } = new ProgramError(code);
  throw new ProgramError(code, params, { dataAccess: { key: shape.text, params } });
}
