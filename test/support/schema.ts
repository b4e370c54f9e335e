/** Part of JSON Schema (2020-12) that the description of the store's API uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
}

/** Keywords that {@link misfits} checks, and descriptive ones. */
export const SCHEMA_KEYWORDS: readonly string[] = [
  ...[
    '$ref',
    'type',
    'format',
    'enum',
    'anyOf',
    'items',
    'properties',
    'required',
    'additionalProperties',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'uniqueItems',
    'pattern',
  ],
  ...['title', 'description', 'default', 'contentMediaType'],
];

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@]+$/,
};

/**
 * Resolves a `#/a/b` reference in a document.
 *
 * @throws Error if it does not exist
 */
export function resolveRef<T>(document: object, ref: string): T {
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
  if (!ref.startsWith('#/') || found === undefined) throw new Error(`${ref} stands for nothing`);
  return found as T;
}

/**
 * Returns the differences between `value` and `schema`, with their paths; empty if it is valid.
 *
 * @param document resolves references
 */
export function misfits(schema: Schema, value: unknown, document: object = {}, path = '$'): string[] {
  if (schema.$ref) return misfits(resolveRef<Schema>(document, schema.$ref), value, document, path);
  if (schema.anyOf) {
    const tries = schema.anyOf.map((one) => misfits(one, value, document, path));
    if (!tries.some((problems) => problems.length === 0))
      return [`${path}: fits none of ${tries.map((problems) => problems[0]).join(' / ')}`];
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number')))
    return [`${path}: ${type} instead of ${types.join('|')}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path}: ${String(value)} is none of ${schema.enum.join(', ')}`];
  switch (type) {
    case 'string':
      return textMisfits(schema, value as string).map((problem) => `${path}: ${problem}`);
    case 'integer':
    case 'number':
      return (value as number) < (schema.minimum ?? -Infinity) || (value as number) > (schema.maximum ?? Infinity)
        ? [`${path}: ${String(value)} is out of range`]
        : [];
    case 'array':
      return listMisfits(schema, value as unknown[], document, path);
    case 'object':
      return objectMisfits(schema, value as Record<string, unknown>, document, path);
    default:
      return [];
  }
}

function textMisfits({ format, pattern, minLength = 0, maxLength = Infinity }: Schema, text: string): string[] {
  const { length } = [...text];
  if (length < minLength || length > maxLength) return [`${length} characters`];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return [`${text} does not match ${pattern}`];
  if (format === undefined) return [];
  const rule = FORMATS[format];
  if (!rule) return [`nothing is known of the format ${format}`];
  return rule.test(text) ? [] : [`${text} is no ${format}`];
}

function listMisfits(
  { items, minItems = 0, maxItems = Infinity, uniqueItems = false }: Schema,
  list: readonly unknown[],
  document: object,
  path: string,
): string[] {
  if (list.length < minItems || list.length > maxItems) return [`${path}: ${list.length} items`];
  if (uniqueItems && new Set(list.map((item) => JSON.stringify(item))).size < list.length) return [`${path}: has something twice`];
  return items ? list.flatMap((item, index) => misfits(items, item, document, `${path}[${index}]`)) : [];
}

function objectMisfits(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  record: Readonly<Record<string, unknown>>,
  document: object,
  path: string,
): string[] {
  const missing = required.filter((name) => !(name in record)).map((name) => `${path}.${name}: missing`);
  const unknown = additionalProperties
    ? []
    : Object.keys(record)
        .filter((name) => !(name in properties))
        .map((name) => `${path}.${name}: not described`);
  const inside = Object.entries(properties).flatMap(([name, inner]) =>
    name in record ? misfits(inner, record[name], document, `${path}.${name}`) : [],
  );
  return [...missing, ...unknown, ...inside];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
