import { readLegacyDay } from '../../common/index.js';
import { HostingError } from '../hosting-errors.js';

/**
 * Parses the last day of a form; null: never expires (empty, `0`, `0000-00-00`).
 *
 * @param zone see {@link readLegacyDay}
 * @param name the form field, for the error
 * @throws HostingError INVALID_INPUT
 */
export function expiryField(text: string | undefined, zone: string, name = 'datae'): string | null {
  const day = readLegacyDay(text, zone);
  if (day === undefined) throw new HostingError('INVALID_INPUT', {}, { [name]: 'hosting.field_date' });
  return day;
}
