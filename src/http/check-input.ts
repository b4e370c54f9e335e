import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

/** A field that breaks a rule of its form. */
export interface FieldProblem {
  /** Name of the field of the form. */
  readonly field: string;
  /** Where in it, with the field itself, such as `items.0.slug`; the same as {@link field} where it is no list or form. */
  readonly path: string;
  /** The rule, by its name in class-validator, such as `isInt`; `isNotEmpty` of whatever is needed and was not given. */
  readonly rule: string;
  /** What the rule says: key of a text, or class-validator's own words. */
  readonly message: string;
}

/**
 * Turns what came from outside into a checked form: fields the form does not name are dropped, and one that counts as not given
 * keeps the form's default. Panel and store check by this, and each says in its own words what is wrong.
 *
 * @param refusal makes the error that is thrown; it gets one problem a field, in the order of the form's rules
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
 * Keeps the rules of each form: class-validator goes through those of every form there is whenever it checks one, which costs as much as
 * the check. New ones, of a plugin that is loaded, make it look again.
 */
function keepRules(): void {
  const storage = getMetadataStorage();
  const look = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);
  let kept = new WeakMap<object, ReturnType<typeof look>>();
  storage.addValidationMetadata = (rule) => {
    kept = new WeakMap();
    add(rule);
  };
  storage.getTargetValidationMetadatas = (form, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups) return look(form, schema, always, strictGroups, groups);
    let rules = kept.get(form);
    if (!rules) kept.set(form, (rules = look(form, schema, always, strictGroups)));
    return rules;
  };
}

keepRules();

function problemOf(error: ValidationError): FieldProblem {
  const path = [error];
  for (let child = error.children?.[0]; child; child = child.children?.[0]) path.push(child);
  const last = path.at(-1)!;
  const [broken, message] = Object.entries(last.constraints ?? {})[0] ?? ['other', ''];
  // What is not there is not too long or too large.
  const rule = last.value === undefined || last.value === null || last.value === '' ? 'isNotEmpty' : broken;
  return { field: error.property, path: path.map(({ property }) => property).join('.'), rule, message };
}
