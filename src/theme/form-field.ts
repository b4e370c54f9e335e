import type { FieldSchema } from '../http/index.js';
import { escapeHtml } from '../sdk/index.js';

import { trustedHtml, type TrustedHtml } from './trusted-html.js';

/** Values by the names a template gives them. */
type Given = Readonly<Record<string, unknown>>;

/** The fields an operation reads, by their names. */
export type DeclaredInput = Readonly<Record<string, FieldSchema>>;

/** One of the things that can be chosen in a field. */
export interface FieldOption {
  readonly value: string;
  /** A text key, or words. */
  readonly label: string;
}

/** A field of a form as the partial `field` draws it, beside its value; what there is nothing of is null. */
export interface FormField {
  readonly id: string;
  /** `switch`, `checkbox`, `select`, `textarea`, or any other type of `<input>`. */
  readonly type: string;
  /** A text key, or words, as are `hint`, `note`, `prefix` and `suffix`. */
  readonly label: string | null;
  readonly hint: string | null;
  readonly note: string | null;
  readonly prefix: string | null;
  readonly suffix: string | null;
  /** What is wrong with what it holds, in words. */
  readonly problem: string | null;
  /** Whether it has a prefix or a suffix. */
  readonly grouped: boolean;
  /** More classes of the control. */
  readonly look: string | null;
  readonly required: boolean;
  readonly options: readonly FieldOption[];
  /** Attributes of the control, as HTML: id, name, limits and what else it has, but for its type, its class and its value. */
  readonly attributes: TrustedHtml;
}

/** What is on or off. */
const BOXES = new Set(['switch', 'checkbox']);
/** What a text is typed into. */
const TEXTS = new Set(['text', 'textarea', 'password', 'email', 'url', 'tel', 'search', 'decimal']);
/** Formats of texts that say how they are typed. */
const FORMATS = new Set(['email', 'date', 'password', 'textarea']);
/** A text that may have more characters takes more than one line; addresses and paths of files have no more. */
const ONE_LINE = 4_096;
/** A text that may have more characters is a page or a program: nobody is stopped while he types it. */
const LIMITED = 20_000;

/**
 * A field of a form: what `given` says, and for the rest what the operation `of` declares as its input.
 *
 * @param given values of `{% field %}` but `value`, see docs/themes.md "Forms"; what has another name is an attribute of the control
 * @param input fields of that input: null where it declares none, undefined where nobody has such an operation
 * @returns words for what is missing, where the operation is unknown or reads no such field
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

/** What a field holds, as a text; null where it has no value yet, and for a password, which is never shown. */
export function shownValue({ type }: FormField, value: unknown): string | null {
  if (type === 'password') return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** What an operation declares of a field; null where it declares nothing, words where there is no such thing. */
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

/** A text that may be empty need not be filled in, a box is unticked, and of a list something is chosen. */
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

/** Without what a template names and has no value for, as a partial with values that not every use of it gives: it stays as declared. */
function saidOf(attributes: Given): Given {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => isGiven(value)));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** What is true stands without a value, and what is empty not at all. */
function attributesOf(values: Given): TrustedHtml {
  const attributes = Object.entries(values).map(([name, value]) => {
    const text = textOf(value);
    return value === true ? ` ${name}` : text === null ? '' : ` ${name}="${escapeHtml(text)}"`;
  });
  return trustedHtml(attributes.join(''));
}

/** The choice above those of a list, such as `0:nobody`: one pair, whose words may have commas. */
function firstOf(first: unknown): FieldOption[] {
  return typeof first === 'string' && first !== '' ? [pairOf(first)] : [];
}

/** `fixed:coupon.kind_fixed, percent:…`, or a list: of values, or of records that have value and label under the names of `keys`. */
function optionsOf(options: unknown, keys: FieldOption): FieldOption[] {
  const list: unknown[] = typeof options === 'string' && options !== '' ? options.split(',') : Array.isArray(options) ? options : [];
  return list.map((option) => {
    if (typeof options === 'string') return pairOf(String(option));
    const record = (typeof option === 'object' && option !== null ? option : { [keys.value]: option }) as Record<string, unknown>;
    const value = record[keys.value];
    return { value: textOf(value) ?? '', label: textOf(record[keys.label] ?? value) ?? '' };
  });
}

/** What an operation declares that can be chosen; without words of its own a value is its own. */
function choicesOf(declared: FieldSchema | null): FieldOption[] {
  const { enum: values = [], 'x-enumNames': words = [] }: FieldSchema['schema'] = declared?.schema ?? {};
  return values.map((value: unknown, at) => ({ value: textOf(value) ?? '', label: words[at] ?? textOf(value) ?? '' }));
}

/** Words without a value are their own. */
function pairOf(pair: string): FieldOption {
  const [value = '', ...label] = pair.trim().split(':');
  return { value, label: label.length > 0 ? label.join(':') : value };
}

/** Texts, numbers and yes or no as a text; null for an empty text, for no, and for anything else. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || value === true ? String(value) : null;
}
