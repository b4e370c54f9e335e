import { IsBoolean, IsInt, IsNotEmpty, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { ApiProperty } from '../../http/index.js';
import { DecimalNumber, OneOf, Switch, Trimmed, WholeNumber, type InputClass } from '../../operations/index.js';
import type { AjaxField } from '../../sdk/index.js';

const MOST_FIELDS = 100;
const MOST_OPTIONS = 1_000;
const MOST_CHARACTERS = 1_000_000;
/** Numbers have at most 15 digits before the point. */
const MOST_NUMBER = 999_999_999_999_999;
const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** What a field may say beside key, type and whether it is required. */
const SAID_BY_TYPE: Readonly<Record<AjaxField['type'], readonly string[]>> = {
  text: ['maxLength'],
  textarea: ['maxLength'],
  password: ['maxLength'],
  number: ['whole', 'min', 'max'],
  switch: [],
  select: ['options'],
};

/** Forms by what they declare: class-validator keeps the rules of a class for ever, and a plugin that starts again gets the same one. */
const forms = new Map<string, InputClass>();

/**
 * The form of a plugin's operation, as the forms of the panel's own operations are: what reads, checks, draws or describes those does the
 * same with this one.
 *
 * @throws Error that names the plugin, the operation and the rule of a declaration that was broken
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

/** The rules of a field; the first one that is broken is told. */
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

/** Ends a registration with the rule that was broken. */
type Fail = (rule: string) => never;

/** A copy of what a plugin declares, with nothing of the plugin's own in it: only texts, numbers and yes or no. */
function checkedFields(given: unknown, fail: Fail): AjaxField[] {
  const list = listOf(given, MOST_FIELDS) ?? fail(`the fields must be a list of 1 to ${MOST_FIELDS}`);
  const fields = list.map((field) => checkedField(field, fail));
  for (const [at, { key }] of fields.entries())
    if (fields.findIndex((field) => field.key === key) < at) fail(`two fields have the key "${key}"`);
  return fields;
}

function checkedField(given: unknown, fail: Fail): AjaxField {
  const said = recordOf(given) ?? fail('a field must be an object of values, without getters');
  const { key, type } = said;
  // A form with a field `gn` would call another operation.
  if (typeof key !== 'string' || !KEY.test(key) || key in Object.prototype || key === 'gn')
    return fail(
      `the key of a field must be a letter and at most 63 of A-Z a-z 0-9 _ . - behind it, no name all objects have, not ${shown(key)}`,
    );
  if (typeof type !== 'string' || !Object.hasOwn(SAID_BY_TYPE, type))
    return fail(`the type of the field "${key}" must be one of ${Object.keys(SAID_BY_TYPE).join(', ')}, not ${shown(type)}`);
  const own = SAID_BY_TYPE[type as AjaxField['type']];
  const other = Object.keys(said).find((name) => !['key', 'type', 'required', ...own].includes(name));
  if (other !== undefined) fail(`the field "${key}" of type ${type} has ${shown(other)}, which says nothing`);
  for (const name of ['required', 'whole'])
    if (!['boolean', 'undefined'].includes(typeof said[name])) fail(`${name} of the field "${key}" must be true or false`);
  checkNumbers(key, said, fail);
  return { ...said, ...(type === 'select' && { options: checkedOptions(key, said.options, fail) }) } as unknown as AjaxField;
}

function checkNumbers(key: string, { whole, min, max, maxLength }: Readonly<Record<string, unknown>>, fail: Fail): void {
  for (const [name, number] of Object.entries({ min, max })) {
    if (number === undefined) continue;
    if (typeof number !== 'number' || !(Math.abs(number) <= MOST_NUMBER) || (whole === true && !Number.isInteger(number)))
      fail(`${name} of the field "${key}" must be a ${whole === true ? 'whole ' : ''}number of at most 15 digits`);
  }
  if (Number(min) > Number(max)) fail(`min of the field "${key}" is more than its max`);
  if (maxLength === undefined) return;
  if (!Number.isInteger(maxLength) || Number(maxLength) < 1 || Number(maxLength) > MOST_CHARACTERS)
    fail(`maxLength of the field "${key}" must be a whole number from 1 to ${MOST_CHARACTERS}`);
}

function checkedOptions(key: string, given: unknown, fail: Fail): NonNullable<AjaxField['options']> {
  const list = listOf(given, MOST_OPTIONS) ?? fail(`the options of the field "${key}" must be a list of 1 to ${MOST_OPTIONS}`);
  const options = list.map((option) => {
    const { value, label, ...others } = recordOf(option) ?? {};
    if (typeof value !== 'string' || typeof label !== 'string' || label === '' || Object.keys(others).length > 0)
      return fail(`each option of the field "${key}" needs a value and a label, both texts, and has nothing else`);
    if (value === '' || value.trim() !== value)
      fail(`the value of an option of the field "${key}" must be a text without blanks around it`);
    return { value, label };
  });
  // What is chosen is told in any case.
  const values = new Set(options.map(({ value }) => value.toLowerCase()));
  if (values.size < options.length) fail(`two options of the field "${key}" have the same value`);
  return options;
}

/** What a list has; null for what is none, for an empty one, and for one with gaps, getters or names. */
function listOf(given: unknown, most: number): unknown[] | null {
  if (!Array.isArray(given) || given.length === 0 || given.length > most) return null;
  const { length, ...items } = recordOf(given) ?? {};
  const list = Object.values(items);
  return list.length === length ? list : null;
}

/** What an object has of its own and is not undefined; null for what is no object, and where a getter would run. */
function recordOf(given: unknown): Record<string, unknown> | null {
  if (typeof given !== 'object' || given === null) return null;
  const properties = Object.entries(Object.getOwnPropertyDescriptors(given));
  if (properties.some(([, { get, set }]) => get !== undefined || set !== undefined)) return null;
  return Object.fromEntries(properties.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])));
}

/** A value in a message: what is no text may be of any length, or a circle. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : `a value of type ${typeof value}`;
}
