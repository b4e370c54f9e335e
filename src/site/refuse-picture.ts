import { translate, type Locale } from '../common/index.js';
import { ImageRefusal } from '../images/index.js';
import { OperationError } from '../operations/index.js';

/** Reports a rejected image at its field; rethrows any other error. */
export function refusePicture(field: string, error: unknown, locale: Locale): never {
  if (!(error instanceof ImageRefusal)) throw error;
  const problem = translate(locale, error.shape.text, error.params);
  throw new OperationError('INVALID_INPUT', { field: `${field} — ${problem.replace(/[。.]$/, '')}` }, { [field]: problem });
}
