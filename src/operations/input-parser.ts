import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

import { translate, type Locale } from '../common/index.js';

import { OperationError } from './errors.js';
import type { InputClass } from './operation.js';

/**
 * The form of an operation, checked: fields the form does not name are dropped.
 *
 * @throws OperationError INVALID_INPUT with one text per field
 */
export function parseInput<Input extends object>(form: InputClass<Input>, fields: object, locale: Locale): Input {
  // A field that counts as not given keeps the form's default.
  const input = plainToInstance(form, { ...fields }, { exposeUnsetFields: false });
  const errors = validateSync(input, { whitelist: true, forbidUnknownValues: false });
  if (errors.length === 0) return input;
  const texts = Object.fromEntries(errors.map((error) => [error.property, fieldText(error, locale)]));
  const [first, text] = Object.entries(texts)[0]!;
  // The sentence it stands in has a full stop of its own.
  throw new OperationError('INVALID_INPUT', { field: `${first} — ${text.replace(/[。.]$/, '')}` }, texts);
}

/** A message that is a text key is translated; otherwise the constraint's own text is taken, with its number filled in. */
function fieldText(error: ValidationError, locale: Locale): string {
  const [constraint, message] = Object.entries(error.constraints ?? { other: '' })[0]!;
  const own = translate(locale, message);
  if (own !== message) return own;
  const key = `operations.field.${constraint}`;
  const text = translate(locale, key, { n: /\d+/.exec(message.replace(error.property, ''))?.[0] ?? '' });
  return text === key ? translate(locale, 'operations.field.other') : text;
}
