import { BadField, expiryOf } from '../external-api/external-form.js';
import { HostingError } from '../hosting-errors.js';

/**
 * The last day a form names: null for never (empty, `0`, `0000-00-00`).
 *
 * @param name the form field, for the error
 * @throws HostingError INVALID_INPUT
 */
export function expiryField(text: string | undefined, name = 'datae'): string | null {
  try {
    return expiryOf(text);
  } catch (error) {
    if (error instanceof BadField) throw new HostingError('INVALID_INPUT', {}, { [name]: 'hosting.field_date' });
    throw error;
  }
}
