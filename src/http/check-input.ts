import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

/** A field that breaks a rule of its form. */
export interface FieldProblem {
  /** Name of the form field. */
  readonly field: string;
  /** Path of the invalid value, including the field, such as `items.0.slug`; equal to {@link field} if it is neither list nor form. */
  readonly path: string;
  /** Name of the rule in class-validator, such as `isInt`; `isNotEmpty` for any required value that is missing. */
  readonly rule: string;
  /** Message of the rule: the key of a text, or class-validator's own message. */
  readonly message: string;
}

/**
 * Converts external input into a validated form: fields unknown to the form are dropped, and a field that counts as absent keeps the form's
 * default. Panel and store both use it, each with its own error messages.
 *
 * @param refusal creates the error to throw; it gets one problem per field, in the order of the form's rules
 *
 * @example
 * ```ts
 * class PageInput {
 *   @IsOptional() @IsInt() @Min(1) page = 1;
 * }
 * const { page } = checkInput(PageInput, fields, ([{ field }]) => new ShopError('FIELD_INVALID', { field }));
 * ```
 */
export function checkInput<Input extends object>(
  form: new () => Input,
  fields: object,
  refusal: (problems: readonly [FieldProblem, ...FieldProblem[]]) => Error,
): Input {
  const input = plainToInstance(form, { ...fields }, { exposeUnsetFields: false });
  const [first, ...others] = validateSync(input, { whitelist: true, forbidUnknownValues: false, stopAtFirstError: true });
  if (first) throw refusal([problemOf(first), ...others.map(problemOf)]);
  return input;
}

/**
 * Caches the rules of each form: class-validator searches the rules of all forms on each validation, which costs as much as the validation
 * itself. New rules, such as those of a loaded plugin, clear the cache.
 */
function cacheRules(): void {
  const storage = getMetadataStorage();
  const findRules = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);
  let kept = new WeakMap<object, ReturnType<typeof findRules>>();
  storage.addValidationMetadata = (rule) => {
    kept = new WeakMap();
    add(rule);
  };
  storage.getTargetValidationMetadatas = (form, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups) return findRules(form, schema, always, strictGroups, groups);
    let rules = kept.get(form);
    if (!rules) kept.set(form, (rules = findRules(form, schema, always, strictGroups)));
    return rules;
  };
}

cacheRules();

function problemOf(error: ValidationError): FieldProblem {
  const path = [error];
  for (let child = error.children?.[0]; child; child = child.children?.[0]) path.push(child);
  const last = path.at(-1)!;
  const [broken, message] = Object.entries(last.constraints ?? {})[0] ?? ['other', ''];
  // An absent value is reported as missing, not as too long or too large.
  const rule = last.value === undefined || last.value === null || last.value === '' ? 'isNotEmpty' : broken;
  return { field: error.property, path: path.map(({ property }) => property).join('.'), rule, message };
}
