import type { FieldSchema } from '../http/index.js';
import { escapeHtml } from '../sdk/index.js';

import { trustedHtml, type TrustedHtml } from './trusted-html.js';

/** Arguments by name, as given by a template. */
type Given = Readonly<Record<string, unknown>>;

/** Declared input fields of an operation, by name. */
export type DeclaredInput = Readonly<Record<string, FieldSchema>>;

/** A choice of a field. */
export interface FieldOption {
  readonly value: string;
  /** A text key, or text. */
  readonly label: string;
}

/** A form field as rendered by the partial `field`, apart from its value; missing parts are null. */
export interface FormField {
  readonly id: string;
  /** `switch`, `checkbox`, `select`, `textarea`, or any other type of `<input>`. */
  readonly type: string;
  /** A text key, or text, like `hint`, `note`, `prefix` and `suffix`. */
  readonly label: string | null;
  readonly hint: string | null;
  readonly note: string | null;
  readonly prefix: string | null;
  readonly suffix: string | null;
  /** Error message of its current value. */
  readonly problem: string | null;
  /** Whether it has a prefix or a suffix. */
  readonly grouped: boolean;
  /** Additional classes of the control. */
  readonly look: string | null;
  readonly required: boolean;
  readonly options: readonly FieldOption[];
  /** Attributes of the control as HTML: id, name, limits and others, except for type, class and value. */
  readonly attributes: TrustedHtml;
}

/** Boolean types. */
const BOXES = new Set(['switch', 'checkbox']);
/** Types with text input. */
const TEXTS = new Set(['text', 'textarea', 'password', 'email', 'url', 'tel', 'search', 'decimal']);
/** Text formats that determine the type. */
const FORMATS = new Set(['email', 'date', 'password', 'textarea']);
/** Longer texts get a multi-line control; URLs and file paths stay below this limit. */
const ONE_LINE = 4_096;
/** Texts with a higher limit get no `maxlength`: they are pages or programs, and typing must not be blocked. */
const LIMITED = 20_000;

/**
 * Builds a form field from the arguments `given` and the declared input of the operation `of`.
 *
 * @param given arguments of `{% field %}` except `value`, see docs/themes.md "Forms"; unknown names become attributes of the control
 * @param input fields of the operation's input: null if it declares none, undefined if the operation does not exist
 * @returns an error message if the operation is unknown or has no such field
 */
export function formField(given: Given, input: DeclaredInput | null | undefined): FormField | string {
  const { of, id, name, type, label, hint, note, prefix, suffix, problem, look, required, ...others } = given;
  const { options, first, 'option-value': optionValue, 'option-label': optionLabel, ...attributes } = others;
  const operation = textOf(of);
  const field = textOf(name) ?? '';
  const declared = operation === null ? null : declaredField(operation, field, input);
  if (typeof declared === 'string') return declared;
  const kind = textOf(type) ?? (textOf(given.rows) === null ? kindOf(declared) : 'textarea');
  const isRequired = typeof required === 'boolean' ? required : mustBeGiven(kind, declared);
  const keys = { value: textOf(optionValue) ?? 'value', label: textOf(optionLabel) ?? 'label' };
  const ownId = textOf(id) ?? `${operation ?? 'field'}-${field}`.replace(/\W+/g, '-');
  return {
    id: ownId,
    type: kind === 'decimal' ? 'text' : kind,
    label: textOf(label),
    hint: textOf(hint),
    note: textOf(note),
    prefix: textOf(prefix),
    suffix: textOf(suffix),
    problem: textOf(problem),
    grouped: textOf(prefix) !== null || textOf(suffix) !== null,
    look: textOf(look),
    required: isRequired,
    options: kind === 'select' ? [...firstOf(first), ...(isGiven(options) ? optionsOf(options, keys) : choicesOf(declared))] : [],
    attributes: attributesOf({
      ...{ id: ownId, name: field, ...limitsOf(kind, declared), ...saidOf(attributes), required: isRequired },
      'aria-invalid': textOf(problem) === null ? attributes['aria-invalid'] : 'true',
    }),
  };
}

/** Returns the value of a field as text; null without a value, and for a password, which is never shown. */
export function shownValue({ type }: FormField, value: unknown): string | null {
  if (type === 'password') return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the declaration of a field; null if there is none, an error message if the operation or field does not exist. */
function declaredField(operation: string, name: string, input: DeclaredInput | null | undefined): FieldSchema | string | null {
  if (input === undefined) return `operation ${JSON.stringify(operation)}`;
  if (input === null) return null;
  return Object.hasOwn(input, name) ? input[name]! : `field ${JSON.stringify(name)} of operation ${JSON.stringify(operation)}`;
}

function kindOf(declared: FieldSchema | null): string {
  if (!declared) return 'text';
  const { type, format, enum: choices, maxLength = 0 } = declared.schema;
  if (type === 'boolean') return 'switch';
  if (choices) return 'select';
  if (type === 'integer' || type === 'number') return 'number';
  if (format !== undefined && FORMATS.has(format)) return format;
  return maxLength > ONE_LINE ? 'textarea' : 'text';
}

/** A text that may be empty is optional, a checkbox may stay unchecked, and a select always has a value. */
function mustBeGiven(kind: string, declared: FieldSchema | null): boolean {
  if (!declared?.required || BOXES.has(kind) || kind === 'select') return false;
  return kind === 'number' || (declared.schema.minLength ?? 0) > 0;
}

function limitsOf(kind: string, declared: FieldSchema | null): Given {
  const { type, maxLength = Infinity, minLength = 0, minimum, maximum } = declared?.schema ?? {};
  if (kind === 'number') {
    const isWhole = type === 'integer';
    const inputmode = isWhole && minimum !== undefined && minimum >= 0 ? 'numeric' : null;
    return { min: minimum, max: maximum, step: isWhole ? null : 'any', inputmode };
  }
  if (BOXES.has(kind)) return { 'data-off': 'false' };
  if (!TEXTS.has(kind)) return {};
  return {
    inputmode: kind === 'decimal' ? 'decimal' : null,
    rows: kind === 'textarea' ? 4 : null,
    maxlength: maxLength <= LIMITED ? maxLength : null,
    minlength: minLength > 1 ? minLength : null,
  };
}

/** Drops arguments that are named but have no value, as happens in partials, so that the declaration applies. */
function saidOf(attributes: Given): Given {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => isGiven(value)));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** True becomes an attribute without a value; empty values are left out. */
function attributesOf(values: Given): TrustedHtml {
  const attributes = Object.entries(values).map(([name, value]) => {
    const text = textOf(value);
    return value === true ? ` ${name}` : text === null ? '' : ` ${name}="${escapeHtml(text)}"`;
  });
  return trustedHtml(attributes.join(''));
}

/** Returns the choice before those of a list, such as `0:nobody`: a single pair, whose text may contain commas. */
function firstOf(first: unknown): FieldOption[] {
  return typeof first === 'string' && first !== '' ? [pairOf(first)] : [];
}

/** Parses `fixed:coupon.kind_fixed, percent:…`, or a list: of values, or of records with value and label under the names in `keys`. */
function optionsOf(options: unknown, keys: FieldOption): FieldOption[] {
  const list: unknown[] = typeof options === 'string' && options !== '' ? options.split(',') : Array.isArray(options) ? options : [];
  return list.map((option) => {
    if (typeof options === 'string') return pairOf(String(option));
    const record = (typeof option === 'object' && option !== null ? option : { [keys.value]: option }) as Record<string, unknown>;
    const value = record[keys.value];
    return { value: textOf(value) ?? '', label: textOf(record[keys.label] ?? value) ?? '' };
  });
}

/** Returns the choices an operation declares; without labels, the values are their own labels. */
function choicesOf(declared: FieldSchema | null): FieldOption[] {
  const { enum: values = [], 'x-enumNames': words = [] }: FieldSchema['schema'] = declared?.schema ?? {};
  return values.map((value: unknown, at) => ({ value: textOf(value) ?? '', label: words[at] ?? textOf(value) ?? '' }));
}

/** A text without a value is its own value. */
function pairOf(pair: string): FieldOption {
  const [value = '', ...label] = pair.trim().split(':');
  return { value, label: label.length > 0 ? label.join(':') : value };
}

/** Converts a string, number or boolean to text; null for an empty text, false, and anything else. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || value === true ? String(value) : null;
}
