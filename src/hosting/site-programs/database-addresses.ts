import type { FormValues } from '../../http/index.js';
import { invalidAddresses, type PortProblem } from '../driver/index.js';

import { ProgramError, programError } from './program-errors.js';

/** Wire value for local access only. */
export const LOCAL = '127.0.0.1';
const MAX_ADDRESSES = 20;
/** Maximum characters of invalid addresses in an error message. */
const MAX_SHOWN = 200;

/**
 * Parses the addresses allowed to access a database, separated by commas, spaces or lines; `127.0.0.1` for none and `%` for any.
 *
 * @throws ProgramError DATABASE_ACCESS with the invalid addresses; ADDRESSES_MANY
 */
export function readAddresses(text: string): string[] {
  const given = [...new Set(text.split(/[\s,]+/).filter((part) => part !== '' && part !== LOCAL && part !== 'localhost'))];
  const wrong = invalidAddresses(given);
  if (wrong.length > 0) refuse('DATABASE_ACCESS', { addresses: joined(wrong) });
  if (given.length > MAX_ADDRESSES) refuse('ADDRESSES_MANY', { n: given.length, most: MAX_ADDRESSES });
  return given;
}

/** Converts a server's rejection of addresses to an error. If it does not name the rejected ones, all are named. */
export function addressesError(addresses: readonly string[]): (problem: PortProblem) => Error {
  return (problem) => programError({ ...problem, params: { addresses: joined(addresses), ...problem.params } });
}

/** Returns the form values of the addresses. */
export const addressesForm = (addresses: readonly string[]): FormValues => ({ dataAccess: addresses.join('\n') });

function joined(addresses: readonly string[]): string {
  const text = addresses.join(', ');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function refuse(code: 'DATABASE_ACCESS' | 'ADDRESSES_MANY', params: Record<string, string | number>): never {
  const { shape } = new ProgramError(code);
  throw new ProgramError(code, params, { dataAccess: { key: shape.text, params } });
}
