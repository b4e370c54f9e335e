import { translate, type Locale } from '../common/index.js';
import type { FieldProblem } from '../http/index.js';

import { OperationError } from './errors.js';

/** Creates the error for an invalid form: its message names the first field, and every invalid field has its own text. */
export function inputRefusal(problems: readonly [FieldProblem, ...FieldProblem[]], locale: Locale): OperationError {
  const texts = Object.fromEntries(problems.map((problem) => [problem.field, fieldText(problem, locale)]));
  const [{ field }] = problems;
  // The surrounding sentence has its own full stop.
  return new OperationError('INVALID_INPUT', { field: `${field} — ${texts[field]!.replace(/[。.]$/, '')}` }, texts);
}

/** A message that is a text key is translated; otherwise the rule's generic text is used, with its number filled in. */
function fieldText({ field, rule, message }: FieldProblem, locale: Locale): string {
  const own = translate(locale, message);
  if (own !== message) return own;
  const key = `operations.field.${rule}`;
  const text = translate(locale, key, { n: /-?\d+(?:\.\d+)?/.exec(message.replace(field, ''))?.[0] ?? '' });
  return text === key ? translate(locale, 'operations.field.other') : text;
}
