import { IsBoolean, IsInt, IsNotEmpty, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { ApiProperty } from '../../http/index.js';
import { DecimalNumber, OneOf, Switch, Trimmed, WholeNumber, type InputClass } from '../../operations/index.js';
import type { AjaxField } from '../../sdk/index.js';

const MAX_FIELDS = 100;
const MAX_OPTIONS = 1_000;
const MAX_CHARACTERS = 1_000_000;
/** Numbers have at most 15 digits before the decimal point. */
const MAX_NUMBER = 999_999_999_999_999;
const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Attributes a field of each type may have besides key, type and required. */
const SAID_BY_TYPE: Readonly<Record<AjaxField['type'], readonly string[]>> = {
  text: ['maxLength'],
  textarea: ['maxLength'],
  password: ['maxLength'],
  number: ['whole', 'min', 'max'],
  switch: [],
  select: ['options'],
};

/** Forms by declaration: class-validator keeps the rules of a class forever, so a restarted plugin must get the same class. */
const forms = new Map<string, InputClass>();

/**
 * Creates the form of a plugin's operation like those of the panel's operations, so that the same code reads, validates, renders and
 * documents it.
 *
 * @throws Error naming the plugin, the operation and the rule the declaration breaks
 */
export function operationForm(slug: string, gn: string, fields: unknown): InputClass {
  const declared = checkedFields(fields, (rule) => {
    throw new Error(`${slug}: ${rule}, in the operation ${gn}.`);
  });
  const text = JSON.stringify(declared);
  const known = forms.get(text);
  if (known) return known;
  class PluginForm {}
  for (const field of declared) for (const decorate of rulesOf(field)) decorate(PluginForm.prototype, field.key);
  forms.set(text, PluginForm);
  return PluginForm;
}

/** Returns the rules of a field; the first broken rule is reported. */
function rulesOf(field: AjaxField): PropertyDecorator[] {
  return [...(field.required === true ? [] : [IsOptional()]), ...typeRulesOf(field)];
}

function typeRulesOf({ type, required, maxLength, whole, min, max, options = [] }: AjaxField): PropertyDecorator[] {
  if (type === 'switch') return [Switch(), IsBoolean()];
  if (type === 'select')
    return [OneOf(options.map(({ value }) => value)), ApiProperty({ 'x-enumNames': options.map(({ label }) => label) })];
  if (type === 'number') {
    const kind = whole === true ? [WholeNumber(), IsInt()] : [DecimalNumber(), IsNumber()];
    return [...kind, ...(min === undefined ? [] : [Min(min)]), ...(max === undefined ? [] : [Max(max)])];
  }
  return [
    ...(type === 'password' ? [] : [Trimmed()]),
    IsString(),
    ...(required === true ? [IsNotEmpty()] : []),
    ...(maxLength === undefined ? [] : [MaxLength(maxLength)]),
    ...(type === 'text' ? [] : [ApiProperty({ format: type })]),
  ];
}

/** Aborts a registration, naming the broken rule. */
type Fail = (rule: string) => never;

/** Copies a plugin's declaration, so that it contains none of the plugin's objects: only texts, numbers and booleans. */
function checkedFields(given: unknown, fail: Fail): AjaxField[] {
  const list = listOf(given, MAX_FIELDS) ?? fail(`the fields must be a list of 1 to ${MAX_FIELDS}`);
  const fields = list.map((field) => checkedField(field, fail));
  for (const [at, { key }] of fields.entries())
    if (fields.findIndex((field) => field.key === key) < at) fail(`two fields have the key "${key}"`);
  return fields;
}

function checkedField(given: unknown, fail: Fail): AjaxField {
  const field = recordOf(given) ?? fail('a field must be an object of values, without getters');
  const { key, type } = field;
  // A form with a field `gn` would call another operation.
  if (typeof key !== 'string' || !KEY.test(key) || key in Object.prototype || key === 'gn')
    return fail(
      'the key of a field must be a letter followed by at most 63 of A-Z a-z 0-9 _ . -, and not a property name of all ' +
        `objects, not ${shown(key)}`,
    );
  if (typeof type !== 'string' || !Object.hasOwn(SAID_BY_TYPE, type))
    return fail(`the type of the field "${key}" must be one of ${Object.keys(SAID_BY_TYPE).join(', ')}, not ${shown(type)}`);
  const own = SAID_BY_TYPE[type as AjaxField['type']];
  const other = Object.keys(field).find((name) => !['key', 'type', 'required', ...own].includes(name));
  if (other !== undefined) fail(`the field "${key}" of type ${type} does not support ${shown(other)}`);
  for (const name of ['required', 'whole'])
    if (!['boolean', 'undefined'].includes(typeof field[name])) fail(`${name} of the field "${key}" must be true or false`);
  checkNumbers(key, field, fail);
  return { ...field, ...(type === 'select' && { options: checkedOptions(key, field.options, fail) }) } as unknown as AjaxField;
}

function checkNumbers(key: string, { whole, min, max, maxLength }: Readonly<Record<string, unknown>>, fail: Fail): void {
  for (const [name, number] of Object.entries({ min, max })) {
    if (number === undefined) continue;
    if (typeof number !== 'number' || !(Math.abs(number) <= MAX_NUMBER) || (whole === true && !Number.isInteger(number)))
      fail(`${name} of the field "${key}" must be a ${whole === true ? 'whole ' : ''}number of at most 15 digits`);
  }
  if (Number(min) > Number(max)) fail(`min of the field "${key}" is more than its max`);
  if (maxLength === undefined) return;
  if (!Number.isInteger(maxLength) || Number(maxLength) < 1 || Number(maxLength) > MAX_CHARACTERS)
    fail(`maxLength of the field "${key}" must be a whole number from 1 to ${MAX_CHARACTERS}`);
}

function checkedOptions(key: string, given: unknown, fail: Fail): NonNullable<AjaxField['options']> {
  const list = listOf(given, MAX_OPTIONS) ?? fail(`the options of the field "${key}" must be a list of 1 to ${MAX_OPTIONS}`);
  const options = list.map((option) => {
    const { value, label, ...others } = recordOf(option) ?? {};
    if (typeof value !== 'string' || typeof label !== 'string' || label === '' || Object.keys(others).length > 0)
      return fail(`each option of the field "${key}" needs a value and a label, both strings, and nothing else`);
    if (value === '' || value.trim() !== value)
      fail(`the value of an option of the field "${key}" must be a string without leading or trailing spaces`);
    return { value, label };
  });
  // Option values are compared ignoring case.
  const values = new Set(options.map(({ value }) => value.toLowerCase()));
  if (values.size < options.length) fail(`two options of the field "${key}" have the same value`);
  return options;
}

/** Returns the items of a list; null for anything else, an empty list, and a list with gaps, getters or named properties. */
function listOf(given: unknown, max: number): unknown[] | null {
  if (!Array.isArray(given) || given.length === 0 || given.length > max) return null;
  const { length, ...items } = recordOf(given) ?? {};
  const list = Object.values(items);
  return list.length === length ? list : null;
}

/** Returns an object's own defined properties; null for anything else, and if reading would run a getter. */
function recordOf(given: unknown): Record<string, unknown> | null {
  if (typeof given !== 'object' || given === null) return null;
  const properties = Object.entries(Object.getOwnPropertyDescriptors(given));
  if (properties.some(([, { get, set }]) => get !== undefined || set !== undefined)) return null;
  return Object.fromEntries(properties.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])));
}

/** Formats a value for a message: a value that is not text may be of any length, or circular. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : `a value of type ${typeof value}`;
}
