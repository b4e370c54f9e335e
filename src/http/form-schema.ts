import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions, SchemaObject } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';

import { describedFields, type OpenApi } from './openapi.js';

type Rule = (constraints: readonly unknown[]) => SchemaObject;

/** JSON Schema of each class-validator rule; a rule missing here is not part of the schema. */
const RULES: Readonly<Record<string, Rule>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isLength: ([min, max]) => ({ minLength: Number(min), ...(max === undefined ? {} : { maxLength: Number(max) }) }),
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([min]) => ({ minLength: Number(min) }),
  maxLength: ([max]) => ({ maxLength: Number(max) }),
  min: ([min]) => ({ minimum: Number(min) }),
  max: ([max]) => ({ maximum: Number(max) }),
  isIn: ([values]) => ({ enum: [...(values as string[])] }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  arrayMaxSize: ([max]) => ({ maxItems: Number(max) }),
  arrayMinSize: ([min]) => ({ minItems: Number(min) }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/** A field of a form, as its rules and its `@ApiProperty` describe it. */
export interface FieldSchema {
  readonly schema: SchemaObject;
  readonly required: boolean;
}

/**
 * Returns the fields of a form with their rules as JSON Schema. `@ApiProperty` takes precedence over the rules, since it describes the wire
 * format.
 *
 * @param api loaded OpenAPI module; without it, the descriptions recorded in the form are used
 */
export function fieldSchemas(form: Type, api?: OpenApi): Readonly<Record<string, FieldSchema>> {
  const rules: Record<string, SchemaObject> = {};
  const rows: Record<string, SchemaObject> = {};
  const optional = new Set<string>();
  for (const { propertyName, name = '', constraints, each } of getMetadataStorage().getTargetValidationMetadatas(form, '', false, false)) {
    rules[propertyName] ??= { type: 'string' };
    if (name === 'isOptional') optional.add(propertyName);
    const rule = RULES[name]?.((constraints as readonly unknown[] | undefined) ?? []);
    if (!rule) continue;
    const target = each ? rows : rules;
    target[propertyName] = { type: 'string', ...target[propertyName], ...rule };
  }
  const defaults = new form() as Record<string, unknown>;
  const written = api ? {} : describedFields(form);
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => {
      const row = rows[name] && { type: 'array', items: rows[name] };
      const value = defaults[name];
      const preset = typeof value === 'number' || typeof value === 'string' ? { default: value } : {};
      return [
        name,
        {
          schema: { ...rule, ...row, ...preset, ...schemaOf(api ? declarationOf(form, name, api) : written[name]) },
          required: !optional.has(name),
        },
      ];
    }),
  );
}

const known = new WeakMap<Type, Readonly<Record<string, FieldSchema>>>();

/**
 * Returns the fields that page forms are rendered from: {@link fieldSchemas} plus fields that only `@ApiProperty` declares, without loading
 * `@nestjs/swagger`. Cached per form.
 */
export function inputFields(form: Type): Readonly<Record<string, FieldSchema>> {
  let fields = known.get(form);
  if (!fields) known.set(form, (fields = { ...onlyDescribed(form), ...fieldSchemas(form) }));
  return fields;
}

/** Fields without a class-validator rule, which their handler reads itself. */
function onlyDescribed(form: Type): Record<string, FieldSchema> {
  return Object.fromEntries(
    Object.entries(describedFields(form)).map(([name, declared]) => [
      name,
      { schema: { type: 'string', ...schemaOf(declared) }, required: declared.required === true },
    ]),
  );
}

const described = new WeakSet<Type>();

/** Declares a form to `@nestjs/swagger` from its validation rules, so that its fields need no second description. */
export function describeForm(form: Type, api: OpenApi): void {
  if (described.has(form)) return;
  described.add(form);
  for (const [name, { schema, required }] of Object.entries(fieldSchemas(form, api))) {
    const rows = rowsOf(form, name, api);
    if (rows) describeForm(rows, api);
    const { type: _type, items: _items, ...rest } = schema;
    const options = rows ? { ...rest, type: rows, isArray: true } : schema;
    api.ApiProperty({ ...options, required } as ApiPropertyOptions)(form.prototype as object, name);
  }
}

interface Declared {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly required?: unknown;
}

function declarationOf(form: Type, name: string, { DECORATORS }: OpenApi): Declared {
  return (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, form.prototype as object, name) ?? {}) as Declared;
}

/** Returns the form of each row, for a field that is a list of forms. */
function rowsOf(form: Type, name: string, api: OpenApi): Type | null {
  const { type, isArray } = declarationOf(form, name, api);
  return isArray && typeof type === 'function' ? (type as Type) : null;
}

/** Schema from `@ApiProperty`; a type that is not a name (a TypeScript class) is dropped, since the rules are more precise. */
function schemaOf(declared: Declared = {}): SchemaObject {
  const { type, isArray: _isArray, required: _required, ...rest } = declared;
  return (typeof type === 'string' ? { ...rest, type } : rest) as SchemaObject;
}
