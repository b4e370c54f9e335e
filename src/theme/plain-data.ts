import { isConstant } from './constant-data.js';
import { TrustedHtml } from './trusted-html.js';

const MAX_DEPTH = 12;
const MAX_NODES = 100_000;

/** Values of a template or of an override's first argument. */
export type PlainData = Record<string, unknown>;

/**
 * Copies `vars` as plain JSON data, because a template engine calls the functions it finds and reads through getters:
 * functions, accessors, symbols and `__proto__` keys are left out, dates become ISO text, class instances become plain objects
 * of their own fields, cycles and anything deeper than 12 levels end as null.
 *
 * @param trusted what stands for a {@link TrustedHtml} in the copy
 * @param own whether whoever gets the copy may change all of it; otherwise what {@link constantData} made is in it as it is
 * @throws RangeError for more than 100,000 values: a list that long belongs behind paging
 */
export function toPlainData(vars: object, trusted: (html: TrustedHtml) => unknown, own = true): PlainData {
  let nodes = 0;

  function copy(value: unknown, depth: number): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) throw new RangeError('Too many values for one page.');
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'bigint':
        return value.toString();
      case 'object':
        return value === null ? null : copyObject(value, depth);
      default:
        return undefined;
    }
  }

  function copyObject(value: object, depth: number): unknown {
    if (value instanceof TrustedHtml) return trusted(value);
    if (!own && isConstant(value)) return value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (depth >= MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1) ?? null);
    return copyFields(value, depth);
  }

  function copyFields(value: object, depth: number): PlainData {
    const plain: PlainData = {};
    for (const key of Object.keys(value)) {
      // One by one: all descriptors of an object at once cost six times as much.
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (key === '__proto__' || !field || !('value' in field)) continue;
      const copied = copy(field.value, depth + 1);
      if (copied !== undefined) plain[key] = copied;
    }
    return plain;
  }

  return copyFields(vars, 0);
}
