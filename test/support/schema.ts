import type { Shape } from '../../src/store/http/index.js';

/** What in `value` is not as `shape` says, by path; none: it fits. */
export function misfits(shape: Shape, value: unknown, path = '$'): string[] {
  const types = [shape.type].flat();
  const type = typeOf(value);
  if (!types.includes(type) && !(type === 'integer' && types.includes('number'))) return [`${path}: ${type} instead of ${types.join('|')}`];
  if (shape.enum && !shape.enum.includes(value as string)) return [`${path}: ${String(value)} is none of ${shape.enum.join(', ')}`];
  if (type === 'string' && shape.format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string)) return [`${path}: ${String(value)} is no time`];
  if (type === 'array' && shape.items) return (value as unknown[]).flatMap((item, index) => misfits(shape.items!, item, `${path}[${index}]`));
  if (type !== 'object' || !shape.properties) return [];
  const record = value as Record<string, unknown>;
  const missing = (shape.required ?? []).filter((name) => !(name in record)).map((name) => `${path}.${name}: missing`);
  const unknown = shape.additionalProperties === false ? Object.keys(record).filter((name) => !(name in shape.properties!)).map((name) => `${path}.${name}: not described`) : [];
  const inside = Object.entries(shape.properties).flatMap(([name, inner]) => (name in record ? misfits(inner, record[name], `${path}.${name}`) : []));
  return [...missing, ...unknown, ...inside];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
